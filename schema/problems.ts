/** Turns schema violations into messages for users. Never quotes values, because any of them may be a secret. */
import type { z } from "zod";
import { mapFormFor, numberFor, placeFor, valueFor } from "./neighbours";
import type { Problem } from "./problem";
import { formatPath, isBelowUnknown, type Path } from "./tree";
import { article, didYouMeanText, typeName, unknownKeyMessage } from "./wording";

/** All problems of a value, in the order of the schema. A part that is not known yet has none. */
export function problemsOf(schema: z.ZodType, value: unknown): Problem[] {
  const result = schema.safeParse(value, { reportInput: true, error: acceptedKeys });
  if (result.success) return [];
  return (result.error.issues as Issue[])
    .filter(isIndependent)
    .flatMap(explain)
    .filter(({ path, rule }) => !isBelowUnknown(value, rule === "unknown-key" ? path.slice(0, -1) : path));
}

/** After a wrong type, drops further problems with the same value: zod also checks the length of anything that has one. */
function isIndependent({ path }: Issue, index: number, issues: readonly Issue[]): boolean {
  const before = issues[index - 1];
  return before?.code !== "invalid_type" || formatPath(before.path as Path) !== formatPath(path as Path);
}

type Issue = z.core.$ZodIssue & { input?: unknown };

/** Puts the accepted keys, as JSON, into the message for an unknown key. */
function acceptedKeys({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "unrecognized_keys") return undefined;
  return JSON.stringify(Object.keys((inst as z.ZodObject).shape));
}

function explain(issue: Issue): Problem[] {
  const path = issue.path as Path;
  const problem = (rule: Problem["rule"], message: string, expected?: string): Problem[] => [
    { path, message, rule, ...(expected !== undefined && { expected }) },
  ];
  switch (issue.code) {
    case "unrecognized_keys": {
      const accepted = JSON.parse(issue.message) as string[];
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: explainUnknownKey(key, accepted),
        rule: "unknown-key",
      }));
    }
    case "invalid_type":
      if (issue.input === undefined) return problem("required", "is required");
      return problem(
        "type",
        `expected ${article(issue.expected)}, got ${typeName(issue.input)}${hintFor(issue)}`,
        issue.expected,
      );
    case "invalid_value": {
      const accepted = issue.values.map(String);
      const words = accepted.join(", ");
      if (issue.input === undefined) return problem("required", `is required: one of ${words}`);
      if (accepted.length === 1) return problem("enum", `expected ${words}`);
      const suggestion =
        typeof issue.input === "string" ? didYouMeanText(issue.input, accepted, valueFor) : "";
      return problem("enum", `expected one of ${words}${suggestion}`);
    }
    case "invalid_format":
      // A pattern does not help users, so each schema with one has its own message.
      if (issue.format === "regex") return problem("format", issue.message);
      return problem("format", "expected a UUID, such as 00000000-0000-4000-8000-000000000000");
    case "too_small":
      if (issue.origin === "string" || issue.origin === "array") return problem("range", "must not be empty");
      return problem("range", `expected a number of at least ${issue.minimum}`);
    case "too_big":
      return problem("range", `expected a number of at most ${issue.maximum}`);
    case "invalid_key":
      // An invalid key may be a misplaced value, so a program's messages do not quote it.
      return issue.issues.map(({ message }) => ({
        path: path.slice(0, -1),
        key: String(path.at(-1)),
        message,
        rule: "format",
      }));
    case "invalid_union": {
      // A value that may be a text or an object is explained as the one that it is.
      const isOther = (inner: Issue) => inner.code === "invalid_type" && inner.path.length === 0;
      const fitting = issue.errors.find((inner) => !inner.some(isOther)) ?? issue.errors[0]!;
      return fitting.flatMap((inner) => explain({ ...inner, path: [...path, ...inner.path] }));
    }
    default:
      return problem("type", issue.message);
  }
}

/** Says where an unknown key belongs, what is similar, or which few keys are accepted. */
function explainUnknownKey(key: string, accepted: readonly string[]): string {
  const unknown = unknownKeyMessage(key, []);
  const place = placeFor(key, accepted);
  // A program's arguments have no `options`.
  if (place?.startsWith("options.") && !accepted.includes("options"))
    return `${unknown}; it is a resource option: in TypeScript, the third argument of the constructor`;
  if (place?.endsWith(`.${key}`)) return `${unknown}; it belongs in ${place.slice(0, -key.length - 1)}`;
  if (place !== undefined) return `${unknown}; use ${placeFrom(accepted, place)}`;
  const similar = didYouMeanText(key, accepted);
  if (similar !== "" || accepted.length > 5) return unknown + similar;
  return `${unknown}; expected ${accepted.length > 1 ? "one of " : ""}${accepted.join(", ")}`;
}

/** Relative to the object that contains the key, if the place is in there. */
function placeFrom(accepted: readonly string[], place: string): string {
  const parts = [...place.matchAll(/(?<=^|\.|: )\w+/g)];
  return place.slice(parts.findLast(([part]) => accepted.includes(part))?.index);
}

/** How to write a value that has the form of another tool. */
function hintFor({ path, input, ...issue }: Extract<Issue, { code: "invalid_type" }>): string {
  const name = String(path.at(-1));
  if (issue.expected === "record" && Array.isArray(input)) return `; write a map: ${mapFormFor(name)}`;
  if (name === "ready" && typeof input === "string") return '; write an object: { path: "/ok" }';
  const isNumber = issue.expected === "number" || issue.expected === "int";
  const number = isNumber && typeof input === "string" ? numberFor(name, input) : undefined;
  return number === undefined ? "" : `; write ${number}`;
}
