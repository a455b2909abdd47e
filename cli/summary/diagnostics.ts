/** Reads a preview's messages: errors, warnings, and the provider's info line about a deployment. */
import type { Redact } from "../../provider/text/redact";
import {
  readExplanation,
  namesTextIn,
  type Explained,
  type Explanation,
} from "../../provider/deployment/explanation";
import { logicalName } from "../../provider/text/urn";
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
  // The engine ends a failed preview with a message that adds nothing to the others.
  return [...unique.values()].filter(
    ({ message }) => message !== "" && (message !== "preview failed" || unique.size === 1),
  );
}

function withoutColors(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/<\{%[^%]*%\}>/g, "").replace(/\u001b\[[0-9;]*m/g, "");
}

/** What the provider says next to a deployment; undefined if it says nothing of an update. */
export function explanationOf(urn: string, { diagnostics }: Preview): Explanation | undefined {
  const said = (diagnostics ?? [])
    .filter((each) => each.urn === urn && each.severity.startsWith("info"))
    .map(({ message }) => withoutColors(message).trim());
  const [explanation] = said.flatMap((message) => readExplanation(message) ?? []);
  if (explanation === undefined) return undefined;
  const named = (changes: readonly Explained[]) => changes.map((each) => withNames(each, said));
  return { ...explanation, reasons: named(explanation.reasons), besides: named(explanation.besides) };
}

/** The names of changed files come in a line of their own. */
function withNames(change: Explained, said: readonly string[]): Explained {
  const { path, note } = change;
  const [names] = said.flatMap((message) => namesTextIn(message, path) ?? []);
  return note === undefined || names === undefined ? change : { ...change, note: `${note}: ${names}` };
}
