import { refuseIfAny, type Problem } from "../refusal";
import { isUuid, outOfRange } from "../json-shape";
import type { FilterRule, QueryRules } from "./dialect-rules";

export type FilterValue = string | number | boolean | string[];

export interface Query {
  readonly limit: number;
  readonly offset: number;
  readonly filters: Readonly<Record<string, FilterValue>>;
}

type Reading<T> = { readonly value: T } | { readonly type: string; readonly msg: string };

/** Throws a Refusal with every problem. Without page rules, `limit` is infinite. */
export function parseQuery({ page, filters: rules = {} }: QueryRules, given: URLSearchParams): Query {
  const paging = { limit: page?.limit ?? Infinity, offset: 0 };
  const filters: Record<string, FilterValue> = {};
  const problems: Problem[] = [];
  for (const [name, rule] of Object.entries(rules))
    if ("required" in rule && rule.required && !given.has(name))
      problems.push({ type: "missing", loc: ["query", name], msg: "Field required", input: null });

  for (const name of new Set(given.keys())) {
    const input = given.get(name) ?? "";
    const take = <T>(reading: Reading<T>, store: (value: T) => void) => {
      if ("value" in reading) store(reading.value);
      else problems.push({ ...reading, loc: ["query", name], input });
    };
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const isPaging = page !== undefined && (name === "limit" || name === "offset");
    if (rule === undefined && !isPaging) take(unknown, () => {});
    else if (given.getAll(name).length > 1) take(repeated, () => {});
    else if (rule !== undefined) take(readFilter(rule, input), (value) => (filters[name] = value));
    else if (name === "offset") take(readInteger(input, 0), (value) => (paging.offset = value));
    else take(readInteger(input, 1, page?.max), (value) => (paging.limit = value));
  }
  refuseIfAny(problems);
  return { ...paging, filters };
}

const unknown: Reading<never> = { type: "extra_forbidden", msg: "Extra inputs are not permitted" };
const repeated: Reading<never> = { type: "repeated", msg: "Parameter was given more than once" };

function readInteger(input: string, min: number, max = Number.MAX_SAFE_INTEGER): Reading<number> {
  if (!/^[+-]?\d+$/.test(input)) return { type: "int_parsing", msg: "Input should be a valid integer" };
  const value = Number(input);
  const [type, msg = ""] = outOfRange({ min, max }, value) ?? [];
  return type === undefined ? { value } : { type, msg };
}

function readFilter(rule: FilterRule, input: string): Reading<FilterValue> {
  switch (rule.kind) {
    case "text":
      return { value: input };
    case "boolean":
      if (input === "true" || input === "false") return { value: input === "true" };
      return { type: "bool_parsing", msg: "Input should be a valid boolean" };
    case "choice":
      if (rule.values.includes(input)) return { value: input };
      return { type: "enum", msg: `Input should be one of ${rule.values.join(", ")}` };
    case "texts":
    case "uuids": {
      const items = input.split(",");
      if (rule.max !== undefined && items.length > rule.max)
        return { type: "too_long", msg: `List should have at most ${rule.max} items, not ${items.length}` };
      if (rule.kind === "texts" || items.every(isUuid)) return { value: items };
      return { type: "uuid_parsing", msg: "Input should be a comma-separated list of valid UUIDs" };
    }
  }
}
