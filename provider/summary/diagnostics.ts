/** Reads a preview's messages: errors, warnings, and the provider's info line about a deployment. */
import type { Redact } from "../text/redact";
import { logicalName } from "../urn";
import type { Preview } from "./preview";

export const stackType = "pulumi:pulumi:Stack";

export interface Diagnostic {
  /** The logical name of the resource; undefined if the message is about the whole stack. */
  readonly name: string | undefined;
  readonly message: string;
}

export function diagnosticsOf({ diagnostics }: Preview, wanted: string, redact: Redact): Diagnostic[] {
  const found = (diagnostics ?? [])
    .filter(({ severity }) => severity === wanted)
    .map(({ urn, message }) => ({
      name: urn === undefined || urn.includes(`::${stackType}::`) ? undefined : logicalName(urn),
      message: redact(withoutColors(message).trim()).replace(new RegExp(`^${wanted}: `), ""),
    }));
  const unique = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].filter(({ message }) => message !== "");
}

function withoutColors(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/<\{%[^%]*%\}>/g, "").replace(/\u001b\[[0-9;]*m/g, "");
}

/** An argument from the provider's info line, with a note if no value shows the change. */
interface Cause {
  readonly path: string;
  readonly note: string | undefined;
}

export interface Explanation {
  readonly reasons: readonly Cause[];
  readonly besides: readonly Cause[];
}

/** Parses the provider's info line about a deployment. */
export function explanationOf(urn: string, { diagnostics }: Preview): Explanation {
  const line = (diagnostics ?? [])
    .filter((each) => each.urn === urn && each.severity.startsWith("info"))
    .map(({ message }) => withoutColors(message).trim())
    .map((message) =>
      /: (?:creates a new revision|updates settings, no new revision|replaces the deployment) \((.+?)\)(?:; also changes (.+?))?(?:; |$)/.exec(
        message,
      ),
    )
    .find((match) => match !== null);
  return { reasons: causesIn(line?.[1]), besides: causesIn(line?.[2]) };
}

/** `sourceDirectory: 2 files changed, 1 added, secrets.KEY` */
function causesIn(list = ""): Cause[] {
  const items = list.split(/, (?=\D)/).filter((item) => item !== "");
  return items.map((item) => {
    const [path = "", note] = item.split(": ");
    return { path, note };
  });
}
