/** Between the protocol's values and plain ones, beside which the places of secrets are kept. */
import type { ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { isObject, unknownValue, type Values } from "../values";
import { struct } from "./sdk";
import {
  outputSignature,
  referenceSignature,
  secretSignature,
  signatureKey,
  unknownText,
  unknownTexts,
} from "../signatures";

export interface Unmarshalled {
  readonly values: Values;
  /** `sourceConfig.customUrl`. A list is named as a whole, and so is a map, where a key holds the dot that parts the names. */
  readonly secretPaths: readonly string[];
}

/** The place of a value, as far as a path can name it. */
interface Place {
  readonly path: string;
  /** Nothing below is named on its own. */
  readonly isWhole: boolean;
}

export function unmarshal(message: Struct | undefined): Unmarshalled {
  const secretPaths = new Set<string>();
  const fields = message === undefined ? [] : fieldsOf(message);
  const values = fields.map(([name, value]): [string, unknown] => [
    name,
    plainValue(value, { path: name, isWhole: false }, secretPaths),
  ]);
  // Object.fromEntries defines keys and never assigns them, so that `__proto__` is a key like any other.
  return { values: Object.fromEntries(values), secretPaths: [...secretPaths].sort() };
}

function plainValue(value: Value, place: Place, secrets: Set<string>): unknown {
  const { KindCase } = struct.Value;
  switch (value.getKindCase()) {
    case KindCase.STRING_VALUE: {
      const text = value.getStringValue();
      return unknownTexts.has(text) ? unknownValue : text;
    }
    case KindCase.NUMBER_VALUE:
      return value.getNumberValue();
    case KindCase.BOOL_VALUE:
      return value.getBoolValue();
    case KindCase.LIST_VALUE:
      return value
        .getListValue()!
        .getValuesList()
        .map((item) => plainValue(item, { ...place, isWhole: true }, secrets));
    case KindCase.STRUCT_VALUE:
      return plainObject(new Map(fieldsOf(value.getStructValue()!)), place, secrets);
    default:
      return null;
  }
}

function plainObject(fields: ReadonlyMap<string, Value>, place: Place, secrets: Set<string>): unknown {
  const inner = (name: string, at = place) => {
    const value = fields.get(name);
    return value && plainValue(value, at, secrets);
  };
  const secretly = (name: string) => {
    secrets.add(place.path);
    return inner(name, { ...place, isWhole: true });
  };
  switch (fields.get(signatureKey)?.getStringValue()) {
    case secretSignature:
      return secretly("value");
    case outputSignature: {
      const value = fields.get("secret")?.getBoolValue() ? secretly("value") : inner("value");
      return fields.has("value") ? value : unknownValue;
    }
    case referenceSignature:
      return inner("id") ?? inner("urn");
    default: {
      const entries = [...fields].map(([name, value]): [string, unknown] => [
        name,
        plainValue(value, below(place, name), secrets),
      ]);
      return Object.fromEntries(entries);
    }
  }
}

function below({ path, isWhole }: Place, name: string): Place {
  return isWhole || name.includes(".")
    ? { path, isWhole: true }
    : { path: `${path}.${name}`, isWhole: false };
}

/** A value that is marked as a secret wherever it stands. */
export class Secret {
  constructor(readonly value: unknown) {}
}

/** What is at one of the places is marked as a secret; what is undefined is left out. */
export function marshal(values: Values, isSecret: (path: string) => boolean = () => false): Struct {
  const entries = definedEntries(values).map(([name, value]): [string, Value] => [
    name,
    protocolValue(value, { path: name, isWhole: false }, isSecret),
  ]);
  return structOf(entries);
}

function protocolValue(value: unknown, place: Place, isSecret: (path: string) => boolean): Value {
  if (value instanceof Secret) return secretValue(value.value, place, isSecret);
  const isMarked = !place.isWhole && value !== null && isSecret(place.path);
  return isMarked ? secretValue(value, place, isSecret) : openValue(value, place, isSecret);
}

function secretValue(value: unknown, place: Place, isSecret: (path: string) => boolean): Value {
  const fields: [string, Value][] = [
    [signatureKey, valueOf().setStringValue(secretSignature)],
    ["value", openValue(value, { ...place, isWhole: true }, isSecret)],
  ];
  return valueOf().setStructValue(structOf(fields));
}

function openValue(value: unknown, place: Place, isSecret: (path: string) => boolean): Value {
  if (value === unknownValue) return valueOf().setStringValue(unknownText);
  if (typeof value === "string") return valueOf().setStringValue(value);
  if (typeof value === "number") return valueOf().setNumberValue(value);
  if (typeof value === "boolean") return valueOf().setBoolValue(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => protocolValue(item, { ...place, isWhole: true }, isSecret));
    return valueOf().setListValue(listOf(items));
  }
  if (!isObject(value)) return valueOf().setNullValue(struct.NullValue.NULL_VALUE);
  const entries = definedEntries(value).map(([name, inner]): [string, Value] => [
    name,
    protocolValue(inner, below(place, name), isSecret),
  ]);
  return valueOf().setStructValue(structOf(entries));
}

function definedEntries(values: Values): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

function fieldsOf(message: Struct): [string, Value][] {
  const entries: [string, Value][] = [];
  message.getFieldsMap().forEach((value, name) => entries.push([name, value]));
  return entries;
}

function structOf(entries: readonly [string, Value][]): Struct {
  const message = new struct.Struct();
  const fields = message.getFieldsMap();
  for (const [name, value] of entries) fields.set(name, value);
  return message;
}

function listOf(items: Value[]): ListValue {
  return new struct.ListValue().setValuesList(items);
}

function valueOf(): Value {
  return new struct.Value();
}
