import { isObject, type Json } from "./json";

/** A request shape as plain data, so that a dialect can hold its own. */
export type Shape = ShapeKind & {
  /** `null` is accepted as well. */
  readonly nullable?: boolean;
  /** As a member of an object: the key must be there. */
  readonly required?: boolean;
};

export type ObjectShape = Extract<ShapeKind, { kind: "object" }> & Pick<Shape, "nullable" | "required">;

type ShapeKind =
  | { readonly kind: "string"; readonly minLength?: number; readonly pattern?: string }
  | { readonly kind: "uuid" }
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly integer: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Shape>> }
  /** Any JSON object: its keys are the user's, and its values too unless `of` says what they are. */
  | { readonly kind: "free"; readonly of?: Shape }
  | { readonly kind: "any" }
  /** A key that the service knows and does not accept here. */
  | { readonly kind: "refused"; readonly type: string; readonly message: string };

export type UnknownKeys = "refuse" | "ignore";
export type Location = readonly (string | number)[];

/** One entry of a 422. `input` repeats what was sent, secret or not, as real services do. */
export interface Problem {
  readonly type: string;
  readonly loc: Location;
  readonly msg: string;
  readonly input: Json;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Every problem of a value, in the order of its shape, then of its unknown keys. */
export function findProblems(
  shape: Shape,
  value: Json,
  loc: Location,
  unknownKeys: UnknownKeys = "refuse",
): Problem[] {
  const problem = (type: string, msg: string): Problem[] => [{ type, loc, msg, input: value }];
  if (shape.kind === "any") return [];
  if (value === null && shape.nullable) return [];

  switch (shape.kind) {
    case "refused":
      return problem(shape.type, shape.message);
    case "string":
      if (typeof value !== "string") return problem("string_type", "Input should be a valid string");
      if (value.length < (shape.minLength ?? 0))
        return problem("string_too_short", `String should have at least ${shape.minLength} character`);
      if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(value))
        return problem("string_pattern_mismatch", `String should match pattern '${shape.pattern}'`);
      return [];
    case "uuid":
      if (typeof value !== "string" || !isUuid(value))
        return problem("uuid_parsing", "Input should be a valid UUID");
      return [];
    case "boolean":
      return typeof value === "boolean" ? [] : problem("bool_type", "Input should be a valid boolean");
    case "choice":
      if (typeof value === "string" && shape.values.includes(value)) return [];
      return problem("enum", `Input should be one of ${shape.values.map((word) => `'${word}'`).join(", ")}`);
    case "number":
      return numberProblems(shape, value, problem);
    case "free":
      if (!isObject(value)) return problem("dict_type", "Input should be a valid object");
      return Object.entries(value).flatMap(([key, member]) =>
        shape.of === undefined ? [] : findProblems(shape.of, member, [...loc, key], unknownKeys),
      );
    case "list":
      if (!Array.isArray(value)) return problem("list_type", "Input should be a valid list");
      return value.flatMap((item, index) => findProblems(shape.of, item, [...loc, index], unknownKeys));
    case "object":
      if (!isObject(value)) return problem("model_type", "Input should be a valid object");
      return memberProblems(shape, value, loc, unknownKeys);
  }
}

function numberProblems(
  shape: Extract<ShapeKind, { kind: "number" }>,
  value: Json,
  problem: (type: string, msg: string) => Problem[],
): Problem[] {
  if (typeof value !== "number") return problem("number_type", "Input should be a valid number");
  if (!Number.isFinite(value)) return problem("finite_number", "Input should be a finite number");
  if (shape.integer && !Number.isInteger(value))
    return problem("int_type", "Input should be a valid integer");
  if (shape.min !== undefined && value < shape.min)
    return problem("greater_than_equal", `Input should be greater than or equal to ${shape.min}`);
  if (shape.max !== undefined && value > shape.max)
    return problem("less_than_equal", `Input should be less than or equal to ${shape.max}`);
  return [];
}

function memberProblems(
  shape: ObjectShape,
  value: Record<string, Json>,
  loc: Location,
  unknownKeys: UnknownKeys,
): Problem[] {
  const known = Object.entries(shape.fields).flatMap(([key, field]): Problem[] => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (member !== undefined) return findProblems(field, member, [...loc, key], unknownKeys);
    if (!field.required) return [];
    return [{ type: "missing", loc: [...loc, key], msg: "Field required", input: value }];
  });
  if (unknownKeys === "ignore") return known;
  const unknown = Object.keys(value)
    .filter((key) => !Object.hasOwn(shape.fields, key))
    .map((key) => ({
      type: "extra_forbidden",
      loc: [...loc, key],
      msg: "Extra inputs are not permitted",
      input: value[key] ?? null,
    }));
  return [...known, ...unknown];
}

/** The value without the keys that the shape does not know: what a service that ignores them stores. */
export function knownPart(shape: Shape, value: Json): Json {
  if (shape.kind === "list" && Array.isArray(value)) return value.map((item) => knownPart(shape.of, item));
  if (shape.kind !== "object" || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
      return field === undefined ? [] : [[key, knownPart(field, member)]];
    }),
  );
}
