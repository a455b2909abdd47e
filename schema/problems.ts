/**
 * Turns schema violations into messages for users. Never quotes values, because any of them may be a secret.
 */
import type { z } from "zod";
import { isOfService, mapFormFor, numberFor, placeFor, valueFor } from "./neighbours";
import { formatPath, isBelowUnknown, isObject, type Path } from "./tree";

export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** The stable name of the broken rule. */
  readonly rule: "type" | "required" | "unknown-key" | "enum" | "format" | "range" | "fields";
  /** The key in the object at the path, if that is wrong and not the object. */
  readonly key?: string;
  /** The keys or the type that would be accepted. */
  readonly expected?: readonly string[];
}

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
    { path, message, rule, ...(expected !== undefined && { expected: [expected] }) },
  ];
  switch (issue.code) {
    case "unrecognized_keys": {
      const accepted = JSON.parse(issue.message) as string[];
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: misplacedKeyMessage(key, accepted, isObject(issue.input) ? issue.input[key] : undefined),
        rule: "unknown-key",
        expected: accepted,
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
      return problem("format", `expected ${formats[issue.format] ?? issue.format}`);
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
      // Of a text or an object: what is wrong in the one that it is.
      const isOther = (inner: Issue) => inner.code === "invalid_type" && inner.path.length === 0;
      const fitting = issue.errors.find((inner) => !inner.some(isOther)) ?? issue.errors[0]!;
      return fitting.flatMap((inner) => explain({ ...inner, path: [...path, ...inner.path] }));
    }
    default:
      return problem("type", issue.message);
  }
}

const formats: Record<string, string> = {
  guid: "a UUID, such as 00000000-0000-4000-8000-000000000000",
};

const articles: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  symbol: "a value that is not known yet",
};

function article(expected: string): string {
  return articles[expected] ?? expected;
}

export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return String(value);
    return Number.isInteger(value) ? "a number" : "a decimal number";
  }
  if (typeof value === "boolean") return String(value);
  return articles[typeof value] ?? typeof value;
}

function misplacedKeyMessage(key: string, accepted: readonly string[], value: unknown): string {
  if (isOfService(key, accepted)) return `${unknownKeyMessage(key, [])}; the service does this itself`;
  const place = placeFor(key, accepted);
  return place === undefined
    ? unknownKeyMessage(key, accepted)
    : `${unknownKeyMessage(key, [])}; use ${place}${numberText(place, value)}`;
}

/** `: 2048` for a quantity such as `2Gi`. */
function numberText(place: string, value: unknown): string {
  const number = typeof value === "string" ? numberFor(place, value) : undefined;
  return number === undefined ? "" : `: ${number}`;
}

/** How to write a value that has the form of another tool. */
function hintFor({ path, input, ...issue }: Extract<Issue, { code: "invalid_type" }>): string {
  const name = String(path.at(-1));
  if (issue.expected === "record" && Array.isArray(input)) return `; write a map: ${mapFormFor(name)}`;
  const isNumber = issue.expected === "number" || issue.expected === "int";
  const number = isNumber && typeof input === "string" ? numberFor(name, input) : undefined;
  return number === undefined ? "" : `; write ${number}`;
}

export function unknownKeyMessage(key: string, accepted: readonly string[]): string {
  return `unknown key "${key}"${didYouMeanText(key, accepted)}`;
}

/** `; did you mean "repoRef"?`, or nothing if no accepted word is close. */
export function didYouMeanText(word: string, accepted: readonly string[], translate = nearest): string {
  const found = translate(word, accepted) ?? nearest(word, accepted);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** The accepted word that is close enough to be meant. */
export function nearest(word: string, accepted: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_\s]/g, "");
  const limit = Math.max(1, Math.floor(word.length / 3));
  const [first] = accepted
    .map((candidate) => ({ candidate, distance: editDistance(plain(word), plain(candidate)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return first?.candidate;
}

function editDistance(a: string, b: string): number {
  // Words much longer than any key are never close, and would make the computation slow.
  if (Math.max(a.length, b.length) > 200 || Math.abs(a.length - b.length) > 20) return Infinity;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      // Two swapped letters count as one mistake.
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, substitution, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
