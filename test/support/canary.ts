/** Secrets that tests search for in any encoding. */
import { expect } from "vitest";

/** Characters that each encoding spells differently, and that never stand side by side in ordinary output. */
const awkward = `"q\\7%41+/é\n<&'=`;

/** A unique secret of several lines, with awkward characters at both ends, so that each half contains some. */
export function canary(name: string): string {
  return `${name.slice(0, 3)}${awkward}canary-${name} second line${awkward}${name.slice(-3)}-9q8w`;
}

/** A secret that can be sent in a header: printable ASCII without spaces. */
export function headerCanary(name: string): string {
  return canary(name).replace(/[^\x21-\x7e]/g, "~");
}

/** The spellings in which no text shows a secret: as it is, escaped for JSON, encoded for an address, and in base64. */
export function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const bytes = Buffer.from(value);
  const [base64, forAddresses] = [bytes.toString("base64"), bytes.toString("base64url")];
  return [
    ...[value, json, ascii],
    ...[encodeURIComponent(value), String(new URLSearchParams({ v: value })).slice(2)],
    ...[base64, base64.replace(/=+$/, ""), forAddresses],
  ];
}

/** How many characters from either end reveal the value. Texts are redacted before they are cut. */
const half = 12;

/** The names of the values that a text reveals, with the encoding. */
export function tracesIn(text: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const halves = formsOf(value).flatMap((form) => [form.slice(0, half), form.slice(-half)]);
    const shown = halves.find((form) => text.includes(form));
    return shown === undefined ? [] : [`${name}: ${shown}`];
  });
}

export function expectNoTrace(text: string, values: Readonly<Record<string, string>>): void {
  expect(tracesIn(text, values)).toEqual([]);
}
