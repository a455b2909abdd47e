/** Secrets that can be found again, however a text spells them, and the search for them. */
import { expect } from "vitest";

/** Characters that every encoding spells in its own way; none of them stands in ordinary output side by side. */
const awkward = `"q\\7%41+/é\n<&'=`;

/** A secret like no other, with awkward characters at both ends, so that halves of it show them too. */
export function canary(name: string): string {
  return `${name.slice(0, 3)}${awkward}canary-${name} second line${awkward}${name.slice(-3)}`;
}

/** A secret that can be sent in a header: printable ASCII without spaces. */
export function headerCanary(name: string): string {
  return canary(name).replace(/[^\x21-\x7e]/g, "~");
}

/** Every way in which a text may spell a value: clear, escaped, encoded. */
export function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const address = encodeURIComponent(Buffer.from(value).toString());
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  const html = value.replace(/[&<>"']/g, (character) => entities[character]!);
  const numeric = value.replace(/[&<>"'\u0080-\uffff]/g, (unit) => `&#x${unit.charCodeAt(0).toString(16)};`);
  const base64 = [0, 1, 2].map((before) => base64Within(Buffer.from(value), before));
  return [
    ...[value, value.replace(/\s+/g, " ").trim(), json, ascii, JSON.stringify(json).slice(1, -1)],
    ...[
      address,
      address.replace(/%../g, (escape) => escape.toLowerCase()),
      address.replaceAll("%20", "+"),
      address.replaceAll("%2F", "/"),
    ],
    ...[html, numeric, encodeURIComponent(json), JSON.stringify(html).slice(1, -1)],
    ...[...base64, ...base64.map((code) => code.replaceAll("+", "-").replaceAll("/", "_"))],
    ...[Buffer.from(value).toString("hex"), Buffer.from(value).toString("hex").toUpperCase()],
  ];
}

/** What of the base64 of a longer text does not change with what stands around the value, behind so many other bytes. */
function base64Within(bytes: Buffer, before: number): string {
  const [one, other] = [0x00, 0xff].map((fill) =>
    Buffer.concat([Buffer.alloc(before, fill), bytes, Buffer.alloc(3, fill)]).toString("base64"),
  ) as [string, string];
  return [...one].filter((code, at) => code !== "=" && code === other[at]).join("");
}

/** As many characters of a form, from either end, give the value away. */
const half = 12;

/** The names of the values that a text gives away, with the form that it shows. */
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
