/** Reads a preview's messages: errors, warnings, and what the provider says next to a deployment. */
import { stripVTControlCharacters } from "node:util";
import type { Redact } from "../../provider/text/redact";
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

/** The info lines of a deployment, without its name in front. */
export function wordsOf(urn: string, { diagnostics }: Preview, redact: Redact): string[] {
  const said = (diagnostics ?? [])
    .filter((each) => each.urn === urn && each.severity.startsWith("info"))
    .map(({ message }) => redact(withoutColors(message).trim()));
  const name = logicalName(urn);
  const withoutName = (line: string) =>
    line.startsWith(`${name} (`) || line.startsWith(`${name}: `) ? line.slice(line.indexOf(": ") + 2) : line;
  return [...new Set(said)].map(withoutName);
}

function withoutColors(text: string): string {
  return stripVTControlCharacters(text.replace(/<\{%[^%]*%\}>/g, ""));
}
