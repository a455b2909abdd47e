/** Checks values with a schema, and the texts and numbers that a schema does not see. */
import type { z } from "zod";
import type { Problem } from "../../schema/problem";
import { problemsOf } from "../../schema/problems";
import { formatPath, isEqual, isWithin, type Path, valueAt } from "../../schema/tree";
import { partsOf } from "./places";
import type { Rule, Severity } from "./manifest-problems";
import { parseText } from "./reference";
import { hintForText, parseScalar } from "./scalar";

/** What is wrong in a value, and the part of it that shows this. */
export interface Broken {
  /** Of a part that is there. */
  readonly path: Path;
  /** Whether the key is wrong, and not the value. */
  readonly isKey: boolean;
  readonly rule: Rule;
  readonly message: string;
  readonly severity: Severity;
}

/** @param value the same with its references replaced */
export function misfitsOf(written: unknown, schema: z.ZodType, value: unknown): Broken[] {
  const problems = problemsOf(schema, value);
  return [...problems.map((problem) => misfit(problem, value)), ...misfitScalars(written, problems)];
}

function misfit(problem: Problem, value: unknown): Broken {
  const { path, key, message, rule } = problem;
  if (key !== undefined) return wrongKey([...path, key], "key", `"${key}": ${message}`);
  if (rule === "unknown-key") return wrongKey(path, rule, message);
  if (rule === "required") return wrongKey(path.slice(0, -1), rule, `${formatPath(path)} ${message}`);
  const hint = rule === "type" ? hintFor(problem, valueAt(value, path)) : "";
  return wrongValue(path, rule, message + hint);
}

function wrongKey(path: Path, rule: Rule, message: string): Broken {
  return { path, isKey: true, rule, message, severity: "error" };
}

export function wrongValue(path: Path, rule: Rule, message: string): Broken {
  const text = path.length === 0 ? message : `${formatPath(path)}: ${message}`;
  return { path, isKey: false, rule, message: text, severity: "error" };
}

const lostNumber = "JavaScript cannot hold this number exactly; write it as a text, in quotes";

/** References that are wrong, and numbers that are not what the file says; not below unknown keys. */
function misfitScalars(written: unknown, problems: readonly Problem[]): Broken[] {
  const misplaced = problems.filter(({ rule }) => rule === "unknown-key");
  return [...partsOf(written)].flatMap(({ path, value, place }) => {
    if (misplaced.some((each) => isWithin(path, each.path))) return [];
    const texts = typeof value === "string" ? parseText(value).problems : [];
    const broken = texts.map((text) => wrongValue(path, "reference", text));
    if (place.isRounded && !problems.some((each) => isEqual(path, each.path)))
      broken.push(wrongValue(path, "fields", lostNumber));
    return broken;
  });
}

function hintFor({ expected: type }: Problem, value: unknown): string {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (type === "string" && isScalar) return "; put it in quotes";
  const kind = type === "int" ? "number" : type;
  if (typeof value !== "string" || (kind !== "number" && kind !== "boolean")) return "";
  return parseScalar(kind, value) === value ? hintForText(kind, value) : "; remove the quotes";
}
