import { isObject, type Json, type JsonObject } from "./json-values";
import { refuseIfAny, type Location, type Problem } from "./refusal";

/** The shape of a request as plain data, so that each dialect can have its own. */
export type Shape = ShapeKind & {
  readonly nullable?: boolean;
  /** As a member of an object: the key must be present. */
  readonly required?: boolean;
};

export type ObjectShape = Extract<ShapeKind, { kind: "object" }> & Pick<Shape, "nullable" | "required">;

type ShapeKind =
  | { readonly kind: "string"; readonly minLength?: number; readonly pattern?: string }
  | { readonly kind: "uuid" }
  | { readonly kind: "boolean" }
  | { readonly kind: "true" }
  | { readonly kind: "number"; readonly integer: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Shape>> }
  /** Any JSON object. The user chooses the keys, and also the values unless `of` restricts them. */
  | { readonly kind: "free"; readonly of?: Shape }
  | { readonly kind: "any" }
  | { readonly kind: "oneOf"; readonly of: readonly Shape[]; readonly message: string }
  /** A key that the service knows but does not accept here. */
  | { readonly kind: "refused"; readonly type: string; readonly message: string };

export const text: Shape = { kind: "string" };
export const texts: Shape = { kind: "list", of: text };
export const flag: Shape = { kind: "boolean" };
export const uuid: Shape = { kind: "uuid" };
export const free: Shape = { kind: "free" };
export const any: Shape = { kind: "any" };
export const integer = (min: number, max?: number): Shape => ({ kind: "number", integer: true, min, max });
export const choice = (...values: string[]): Shape => ({ kind: "choice", values });
export const listOf = (of: Shape): Shape => ({ kind: "list", of });
export const oneOf = (message: string, ...of: Shape[]): Shape => ({ kind: "oneOf", of, message });
export const object = (fields: Record<string, Shape>): ObjectShape => ({ kind: "object", fields });
/** The same shape for several members. */
export const each = (shape: Shape, ...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));
export const required = <S extends Shape>(shape: S): S => ({ ...shape, required: true });
export const nullable = <S extends Shape>(shape: S): S => ({ ...shape, nullable: true });

/**
 * A copy of the value, as the type that its shape describes.
 *
 * @throws a Refusal with every problem
 */
export function accept<T>(shape: Shape, value: Json, loc: Location = ["body"]): T {
  refuseIfAny(findProblems(shape, value, loc));
  return structuredClone(value) as T;
}

/** Every problem of a value, in the order of its shape, then of its unknown keys. */
export function findProblems(shape: Shape, value: Json, loc: Location): Problem[] {
  if (value === null && shape.nullable) return [];
  const below = (part: Shape, member: Json, key: string | number) =>
    findProblems(part, member, [...loc, key]);
  if (shape.kind === "list" && Array.isArray(value))
    return value.flatMap((item, index) => below(shape.of, item, index));
  if (shape.kind === "free" && isObject(value))
    return Object.entries(value).flatMap(([key, member]) => below(shape.of ?? any, member, key));
  if (shape.kind === "object" && isObject(value)) return memberProblems(shape, value, loc);
  if (shape.kind === "oneOf") {
    const attempts = shape.of.map((part) => findProblems(part, value, loc));
    // If all problems of an alternative are further down, it is the one that was meant.
    const isMeant = (problems: Problem[]) =>
      problems.every((problem) => problem.loc.length > loc.length && problem.type !== "missing");
    const found = attempts.find(({ length }) => length === 0) ?? attempts.find(isMeant);
    if (found !== undefined) return found;
  }
  const mismatch = mismatchOf(shape, value);
  return mismatch === undefined ? [] : [{ type: mismatch[0], loc, msg: mismatch[1], input: value }];
}

type Mismatch = readonly [type: string, msg: string] | undefined;

function mismatchOf(shape: Shape, value: Json): Mismatch {
  switch (shape.kind) {
    case "any":
      return undefined;
    case "oneOf":
      return ["one_of", shape.message];
    case "true":
      return value === true ? undefined : ["bool_type", "Input should be true"];
    case "refused":
      return [shape.type, shape.message];
    case "string":
      if (typeof value !== "string") return ["string_type", "Input should be a valid string"];
      if (value.length < (shape.minLength ?? 0))
        return ["string_too_short", `String should have at least ${shape.minLength} character`];
      if (shape.pattern === undefined || new RegExp(shape.pattern).test(value)) return undefined;
      return ["string_pattern_mismatch", `String should match pattern '${shape.pattern}'`];
    case "uuid":
      if (typeof value === "string" && isUuid(value)) return undefined;
      return ["uuid_parsing", "Input should be a valid UUID"];
    case "boolean":
      return typeof value === "boolean" ? undefined : ["bool_type", "Input should be a valid boolean"];
    case "choice":
      if (typeof value === "string" && shape.values.includes(value)) return undefined;
      return ["enum", `Input should be one of ${shape.values.map((word) => `'${word}'`).join(", ")}`];
    case "number":
      return numberMismatch(shape, value);
    case "free":
      return ["dict_type", "Input should be a valid object"];
    case "list":
      return ["list_type", "Input should be a valid list"];
    case "object":
      return ["model_type", "Input should be a valid object"];
  }
}

function numberMismatch(shape: Extract<ShapeKind, { kind: "number" }>, value: Json): Mismatch {
  if (typeof value !== "number") return ["number_type", "Input should be a valid number"];
  if (!Number.isFinite(value)) return ["finite_number", "Input should be a finite number"];
  if (shape.integer && !Number.isInteger(value)) return ["int_type", "Input should be a valid integer"];
  return outOfRange(shape, value);
}

export function outOfRange({ min, max }: { min?: number; max?: number }, value: number): Mismatch {
  if (min !== undefined && value < min)
    return ["greater_than_equal", `Input should be greater than or equal to ${min}`];
  if (max !== undefined && value > max)
    return ["less_than_equal", `Input should be less than or equal to ${max}`];
  return undefined;
}

function memberProblems({ fields }: ObjectShape, value: JsonObject, loc: Location): Problem[] {
  const known = Object.entries(fields).flatMap(([key, field]): Problem[] => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (member !== undefined) return findProblems(field, member, [...loc, key]);
    if (!field.required) return [];
    return [{ type: "missing", loc: [...loc, key], msg: "Field required", input: value }];
  });
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(fields, key));
  const [type, msg] = ["extra_forbidden", "Extra inputs are not permitted"];
  return [...known, ...unknown.map(([key, input]) => ({ type, loc: [...loc, key], msg, input }))];
}

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value);
}
