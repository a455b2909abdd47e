/** Describes the manifest's zod types for code that walks its nodes. */
import { z } from "zod";
import { ManifestDeployment } from "../../schema/manifest";
import { isNull, type Node } from "./node";

export type Type =
  | { readonly kind: "object"; readonly shape: Readonly<Record<string, z.ZodType>> }
  | {
      readonly kind: "map";
      readonly keys: z.ZodType;
      readonly values: z.ZodType;
      /** Whether `null` removes the lower layer's entry. */
      readonly removable: boolean;
    }
  | { readonly kind: "list"; readonly items: z.ZodType }
  | { readonly kind: "any" | "text" | "number" | "boolean" };

interface Unwrapped {
  readonly type: z.ZodType;
  /** Whether it can be omitted. */
  readonly isOptional: boolean;
  /** Whether it can be `null`. */
  readonly isNullable: boolean;
}

export function unwrap(type: z.ZodType): Unwrapped {
  if (type instanceof z.ZodOptional) {
    return { ...unwrap(type.unwrap() as z.ZodType), isOptional: true };
  }
  if (type instanceof z.ZodNullable) {
    return { ...unwrap(type.unwrap() as z.ZodType), isNullable: true };
  }
  return { type, isOptional: false, isNullable: false };
}

/** For a union of a string and an object, the option that fits the node. Other types stay. */
export function chosen(type: z.ZodType, kind: Node["kind"]): z.ZodType {
  if (!(type instanceof z.ZodUnion)) return type;
  const options = type.options as z.ZodType[];
  return options.find((option) => option instanceof z.ZodObject === (kind === "map")) ?? type;
}

const known = new WeakMap<z.ZodType, Type>();

/** Describes an unwrapped type. */
export function describeType(type: z.ZodType): Type {
  const found = known.get(type) ?? analyse(type);
  known.set(type, found);
  return found;
}

function analyse(type: z.ZodType): Type {
  if (type instanceof z.ZodObject) return { kind: "object", shape: type.shape };
  if (type instanceof z.ZodArray) return { kind: "list", items: type.element as z.ZodType };
  if (type instanceof z.ZodRecord) {
    const [keys, values] = [type.keyType as z.ZodType, type.valueType as z.ZodType];
    const inner = unwrap(values).type;
    const isAnything = inner instanceof z.ZodUnknown;
    return { kind: "map", keys, values, removable: !isAnything && inner !== ManifestDeployment };
  }
  if (type instanceof z.ZodUnknown) return { kind: "any" };
  if (type instanceof z.ZodNumber) return { kind: "number" };
  return { kind: type instanceof z.ZodBoolean ? "boolean" : "text" };
}

const anything = z.unknown();

/** The expected type of a map's entry. */
export function typeOfEntry(type: Type, key: string): z.ZodType {
  if (type.kind === "object") return type.shape[key]!;
  return type.kind === "map" ? type.values : anything;
}

export function typeOfItem(type: Type): z.ZodType {
  return type.kind === "list" ? type.items : anything;
}

/** Whether the value is a `null` that means "absent". */
export function isAbsent(type: Type, key: string, value: Node): boolean {
  if (!isNull(value)) return false;
  return unwrap(typeOfEntry(type, key)).isNullable || (type.kind === "map" && type.removable);
}
