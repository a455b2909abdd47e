/** Values for properties, derived from the table of fields, which includes new fields automatically. */
import fc, { type Arbitrary } from "fast-check";
import { rulesOf } from "../../schema/rules";
import { z } from "zod";
import { deployment, type Field, type Fields } from "../../schema/fields";
import { check } from "../../provider/deployment/check";
import { isObject, mapValues, type Values } from "../../schema/tree";
import { standard } from "../../provider/dialects/standard";

/** Any code point. The library's own unit for these takes more than a second to build. */
export const codePoint = fc.nat(0x10f7ff).map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/** Arbitrary words, and words that break careless programs. */
const word = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("__proto__", "constructor", "toString", "camelCase", "snake_case", "app.example.com/name"),
);

/** An object with arbitrary keys. */
export function mapOf<T>(value: Arbitrary<T>, keys = word): Arbitrary<{ [key: string]: T }> {
  return fc.array(fc.tuple(keys, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** What JSON can say, `-0` and objects' own `__proto__` included in their plain form. */
export const json: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    mapOf(tie("value")),
  ),
})).value;

/** A value of a type, whole: what is optional may be left out. */
export function valueOf(type: z.ZodType): Arbitrary<unknown> {
  const { def } = type as unknown as {
    def: {
      type: string;
      format?: string;
      innerType: z.ZodType;
      element: z.ZodType;
      keyType: z.ZodType;
      valueType: z.ZodType;
      shape: Record<string, z.ZodType>;
      entries: Record<string, string>;
    };
  };
  const { pattern, minimum = 0, maximum = Infinity, minItems = 0 } = limitsOf(type);
  switch (def.type) {
    case "string": {
      const known = type.meta()?.["examples"];
      if (Array.isArray(known)) return fc.constantFrom(...(known as string[]));
      if (def.format === "guid") return fc.uuid();
      return pattern === undefined ? word : fc.stringMatching(new RegExp(pattern));
    }
    case "number":
      return def.format === "safeint"
        ? fc.integer({ min: Math.max(0, minimum), max: Math.min(maximum, 2 ** 31 - 1) })
        : fc.double({ min: Math.max(0, minimum), max: 1024, noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "array":
      return fc.array(valueOf(def.element), { minLength: minItems, maxLength: 3 });
    case "record":
      return mapOf(
        valueOf(def.valueType),
        word.filter((key) => def.keyType.safeParse(key).success),
      );
    case "optional":
      return valueOf(def.innerType);
    case "object":
      return objectOf(
        mapValues(def.shape, (inner) => valueOf(inner as z.ZodType)),
        requiredKeys(def.shape),
      );
    case "unknown":
      return json;
    default:
      throw new Error(`no values are known for a type that is ${def.type}`);
  }
}

/** What the checks of a type allow. */
function limitsOf(type: z.ZodType) {
  const { pattern, minimum, maximum, minItems } = z.toJSONSchema(type, { unrepresentable: "any" });
  return { pattern, minimum, maximum, minItems };
}

function requiredKeys(shape: Record<string, z.ZodType>): string[] {
  return Object.keys(shape).filter((key) => !shape[key]!.isOptional());
}

function objectOf(
  members: Record<string, Arbitrary<unknown>>,
  required: readonly string[] = [],
): Arbitrary<Values> {
  return fc.record(members, { requiredKeys: [...required], noNullPrototype: true });
}

export function valueOfField(field: Field): Arbitrary<unknown> {
  return field.kind === "leaf" ? valueOf(field.type) : fieldValues(field.fields, field.required);
}

export function fieldValues(table: Fields, required: readonly string[] = []): Arbitrary<Values> {
  return objectOf(
    mapValues(table, (field) => valueOfField(field as Field)),
    required,
  );
}

/** Arguments without a problem for the specification's service, as a program may write them. */
export const validArguments: Arbitrary<Values> = fieldValues(deployment, ["name", "source"])
  .map((values) => {
    const {
      secretReferences,
      deleteTracingProject: _,
      sourceDirectory: __,
      ...rest
    } = withoutPublicService(values);
    if (values["source"] !== "external_container" || secretReferences === undefined) return rest;
    const taken = isObject(rest["secrets"]) ? Object.keys(rest["secrets"]) : [];
    const free = Object.entries(secretReferences as Values).filter(([name]) => !taken.includes(name));
    return { ...rest, secretReferences: Object.fromEntries(free) };
  })
  .filter((values) => rulesOf(values).length === 0);

function withoutPublicService(values: Values): Values {
  const { displayName: _, shareable: __, ...rest } = values;
  if (!isObject(rest["sourceConfig"])) return rest;
  const {
    routeThroughGateway: _gateway,
    deploymentTier: _tier,
    templateId: _template,
    deploymentType,
    resourceSpec,
    ...sourceConfig
  } = rest["sourceConfig"];
  const isKnown = ["dev_free", "dev", "prod"].includes(String(deploymentType));
  const sizes = isObject(resourceSpec) && {
    resourceSpec: Object.fromEntries(Object.entries(resourceSpec).filter(([name]) => !/^core/.test(name))),
  };
  return { ...rest, sourceConfig: { ...sourceConfig, ...sizes, ...(isKnown && { deploymentType }) } };
}

/** Arguments as `check` returns them, in normal form. */
export const normalisedArguments: Arbitrary<Values> = validArguments.map(
  (values) => check(undefined, values, standard).inputs.arguments,
);

/** Not a value that `check` treats as absent. */
export function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && !(isObject(value) && Object.keys(value).length === 0);
}

/** Every place in a value, from the outside in. */
export function placesIn(value: unknown, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => placesIn(item, [...at, index]))
    : Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]));
  return [[...at], ...inner];
}

/** A copy of a value in which one place holds something else. */
export function replaceAt(value: unknown, place: readonly (string | number)[], by: unknown): unknown {
  const [first, ...rest] = place;
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === first ? replaceAt(item, rest, by) : item));
  }
  return mapValues(value as Values, (item, key) => (key === first ? replaceAt(item, rest, by) : item));
}

/** The same with the keys of every map in the opposite order. */
export function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversedKeys(inner)]),
  );
}
