import { refuseIfAny } from "../refusal";
import type { Filter, QueryRule, QueryRules } from "../rules/rules";
import { isUuid, type Problem, type UnknownKeys } from "../shape";

export type FilterValue = string | boolean | string[];

export interface Query {
  readonly limit: number;
  readonly offset: number;
  readonly filters: readonly { readonly filter: Filter; readonly value: FilterValue }[];
}

type Reading = { value: number | FilterValue } | { type: string; msg: string };

/** Reads a query string by its rules. */
export function parseQuery(
  rules: QueryRules,
  given: URLSearchParams,
  unknownKeys: UnknownKeys = "refuse",
): Query {
  const page = { limit: 0, offset: 0 };
  for (const rule of Object.values(rules)) if (rule.kind === "integer") page[rule.role] = rule.default;
  const filters: { filter: Filter; value: FilterValue }[] = [];
  const problems: Problem[] = [];

  for (const [name, { required = false }] of Object.entries(rules)) {
    if (required && !given.has(name))
      problems.push({ type: "missing", loc: ["query", name], msg: "Field required", input: null });
  }
  for (const name of new Set(given.keys())) {
    const input = given.get(name) ?? "";
    const refuse = (type: string, msg: string) => problems.push({ type, loc: ["query", name], msg, input });
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      if (unknownKeys === "refuse") refuse("extra_forbidden", "Extra inputs are not permitted");
    } else if (given.getAll(name).length > 1 && rule.kind !== "repeatedUuids") {
      refuse("repeated", "Parameter was given more than once");
    } else {
      const reading = read(rule, input, given.getAll(name));
      if ("msg" in reading) refuse(reading.type, reading.msg);
      else if (rule.kind === "integer") page[rule.role] = reading.value as number;
      else filters.push({ filter: rule.filter, value: reading.value as FilterValue });
    }
  }
  refuseIfAny(problems);
  return { ...page, filters };
}

function read(rule: QueryRule, input: string, all: string[]): Reading {
  switch (rule.kind) {
    case "integer":
      return readInteger(rule, input);
    case "text":
      return { value: input };
    case "boolean":
      if (input === "true" || input === "false") return { value: input === "true" };
      return { type: "bool_parsing", msg: "Input should be a valid boolean" };
    case "choice":
      if (rule.values.includes(input)) return { value: input };
      return { type: "enum", msg: `Input should be one of ${rule.values.join(", ")}` };
    case "texts":
    case "uuids":
      return readList(rule, input.split(","));
    case "repeatedUuids":
      return readList(rule, all);
  }
}

function readInteger(rule: Extract<QueryRule, { kind: "integer" }>, input: string): Reading {
  const { min, max = Number.MAX_SAFE_INTEGER } = rule;
  if (!/^[+-]?\d+$/.test(input)) return { type: "int_parsing", msg: "Input should be a valid integer" };
  const value = Number(input);
  if (value < min)
    return { type: "greater_than_equal", msg: `Input should be greater than or equal to ${min}` };
  if (value > max) return { type: "less_than_equal", msg: `Input should be less than or equal to ${max}` };
  return { value };
}

function readList(
  rule: Extract<QueryRule, { kind: "texts" | "uuids" | "repeatedUuids" }>,
  items: string[],
): Reading {
  if (rule.max !== undefined && items.length > rule.max)
    return { type: "too_long", msg: `List should have at most ${rule.max} items, not ${items.length}` };
  if (rule.kind !== "texts" && !items.every(isUuid))
    return {
      type: "uuid_parsing",
      msg: `Input should be a ${rule.kind === "uuids" ? "comma-separated " : ""}list of valid UUIDs`,
    };
  return { value: items };
}
