/** Describes the manifest's zod types for code that walks its values. */
import { z } from "zod";
import { ManifestDeployment } from "../../schema/manifest";
import type { Placed } from "./places";

export type Shape = Readonly<Record<string, z.ZodType>>;

type Content =
  | { readonly kind: "object"; readonly shape: Shape }
  /** In a removable one, `null` removes the lower layer's entry, which must be there. */
  | { readonly kind: "map"; readonly values: z.ZodType; readonly removable: boolean }
  | { readonly kind: "list"; readonly items: z.ZodType }
  | { readonly kind: "any" | "text" | "number" | "boolean" };

export type Type = Content & {
  /** The schema of the value itself, when it is neither omitted nor `null`. */
  readonly schema: z.ZodType;
  /** Whether it can be `null`. */
  readonly isNullable: boolean;
};

const known = new WeakMap<z.ZodType, Type>();

export function typeOfSchema(given: z.ZodType): Type {
  const found = known.get(given) ?? describe(given);
  known.set(given, found);
  return found;
}

/** Of a union of a string and an object, the option that fits. */
export function typeFor(given: z.ZodType, isForObject: boolean): Type {
  const options = given instanceof z.ZodUnion ? (given.options as z.ZodType[]) : [];
  return typeOfSchema(options.find((option) => option instanceof z.ZodObject === isForObject) ?? given);
}

function describe(given: z.ZodType): Type {
  if (given instanceof z.ZodOptional) return typeOfSchema(given.unwrap() as z.ZodType);
  if (given instanceof z.ZodNullable)
    return { ...typeOfSchema(given.unwrap() as z.ZodType), isNullable: true };
  return { ...contentOf(given), schema: given, isNullable: false };
}

function contentOf(schema: z.ZodType): Content {
  if (schema instanceof z.ZodObject) return { kind: "object", shape: schema.shape };
  if (schema instanceof z.ZodArray) return { kind: "list", items: schema.element as z.ZodType };
  if (schema instanceof z.ZodRecord) {
    const values = schema.valueType as z.ZodType;
    const inner = typeOfSchema(values);
    return { kind: "map", values, removable: inner.kind !== "any" && inner.schema !== ManifestDeployment };
  }
  if (schema instanceof z.ZodUnknown) return { kind: "any" };
  if (schema instanceof z.ZodNumber) return { kind: "number" };
  return { kind: schema instanceof z.ZodBoolean ? "boolean" : "text" };
}

const anything = z.unknown();

/** The expected type of an entry; an unknown key can have any. */
export function schemaOfEntry(type: Type, key: string): z.ZodType {
  if (type.kind === "object" && Object.hasOwn(type.shape, key)) return type.shape[key]!;
  return type.kind === "map" ? type.values : anything;
}

export function schemaOfItem(type: Type): z.ZodType {
  return type.kind === "list" ? type.items : anything;
}

/** Whether the value is a `null` that means "absent". */
export function isAbsent(type: Type, key: string, { value, place: { below } }: Placed): boolean {
  if (value !== null) return false;
  const isRemoval = type.kind === "map" && type.removable && below !== undefined;
  return isRemoval || typeOfSchema(schemaOfEntry(type, key)).isNullable;
}
