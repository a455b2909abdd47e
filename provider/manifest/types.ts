/** The zod types of the manifest as a walk over its nodes needs them. */
import { z } from "zod";
import { ManifestDeployment } from "../../schema/manifest";
import { problemsOf } from "../../schema/problems";

export type Type =
  | {
      readonly kind: "object";
      readonly type: z.ZodType;
      readonly shape: Readonly<Record<string, z.ZodType>>;
    }
  | {
      readonly kind: "map";
      readonly type: z.ZodType;
      readonly keys: z.ZodType;
      readonly values: z.ZodType;
      /** A `null` removes the entry that a lower layer has. */
      readonly removable: boolean;
    }
  | { readonly kind: "list"; readonly type: z.ZodType; readonly items: z.ZodType }
  | { readonly kind: "any" }
  | { readonly kind: "text" | "number" | "boolean"; readonly type: z.ZodType };

interface Unwrapped {
  readonly type: z.ZodType;
  /** May be left out. */
  readonly isOptional: boolean;
  /** May be `null`. */
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

const known = new WeakMap<z.ZodType, Type>();

/** What an unwrapped type is made of. */
export function describeType(type: z.ZodType): Type {
  const found = known.get(type) ?? analyse(type);
  known.set(type, found);
  return found;
}

function analyse(type: z.ZodType): Type {
  if (type instanceof z.ZodObject) return { kind: "object", type, shape: type.shape };
  if (type instanceof z.ZodArray) return { kind: "list", type, items: type.element as z.ZodType };
  if (type instanceof z.ZodRecord) {
    const [keys, values] = [type.keyType as z.ZodType, type.valueType as z.ZodType];
    const inner = unwrap(values).type;
    const isAnything = inner instanceof z.ZodUnknown;
    return { kind: "map", type, keys, values, removable: !isAnything && inner !== ManifestDeployment };
  }
  if (type instanceof z.ZodUnknown) return { kind: "any" };
  if (type instanceof z.ZodNumber) return { kind: "number", type };
  if (type instanceof z.ZodBoolean) return { kind: "boolean", type };
  return { kind: "text", type };
}

const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;

/** A text read as what is expected; the text itself where it cannot be. */
export function readAs(kind: Type["kind"], text: string): string | number | boolean {
  if (kind === "number" && decimal.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** What to write for a text that is not read as what is expected. */
export function hintForText(kind: Type["kind"], text: string): string {
  const word = kind === "boolean" ? /^(?:(yes|on|y)|no|off|n)$/i.exec(text) : null;
  return word === null ? "" : `; write ${word[1] === undefined ? "false" : "true"}`;
}

const plainTypes = { number: z.number(), boolean: z.boolean() };

/** A text read as what is expected, or what is wrong with it, in the words of the check. */
export function readExactly(
  kind: keyof typeof plainTypes,
  text: string,
): { readonly value: number | boolean } | { readonly problem: string } {
  const value = readAs(kind, text);
  const [problem] = problemsOf(plainTypes[kind], value);
  if (problem === undefined) return { value: value as number | boolean };
  return { problem: `${problem.message}${hintForText(kind, text)}` };
}
