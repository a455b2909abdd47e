/** Between the protocol's values and plain ones, beside which the places of secrets are kept. */
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  outputSignature,
  referenceSignature,
  sealed,
  secretSignature,
  signatureKey,
  unknownText,
  unknownTexts,
} from "../signatures";
import { isObject, mapValues, unknownValue, type Values } from "../../schema/tree";
import { struct } from "../engine/sdk";

export interface Unmarshalled {
  readonly values: Values;
  /** `sourceConfig.customUrl`. A list is named as a whole, and so is a map with a dot in one of its keys. */
  readonly secretPaths: readonly string[];
}

/** The place of a value, as far as a path can name it. */
interface Place {
  readonly path: string;
  /** Nothing below is named on its own. */
  readonly isWhole: boolean;
}

type IsSecret = (path: string) => boolean;

export function unmarshal(message: Struct | undefined): Unmarshalled {
  const secretPaths = new Set<string>();
  const values = mapValues(message?.toJavaScript() ?? {}, (value, name) =>
    plainValue(value, { path: name, isWhole: false }, secretPaths),
  );
  return { values, secretPaths: [...secretPaths].sort() };
}

function plainValue(value: unknown, place: Place, secrets: Set<string>): unknown {
  if (typeof value === "string") return unknownTexts.has(value) ? unknownValue : value;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, whole(place), secrets));
  if (!isObject(value)) return value;
  const { [signatureKey]: signature, value: inner } = value;
  if (signature === secretSignature || (signature === outputSignature && value["secret"] === true)) {
    secrets.add(place.path);
    return inner === undefined ? unknownValue : plainValue(inner, whole(place), secrets);
  }
  if (signature === outputSignature) {
    return inner === undefined ? unknownValue : plainValue(inner, place, secrets);
  }
  if (signature === referenceSignature) return plainValue(value["id"] ?? value["urn"], place, secrets);
  return mapValues(value, (each, name) => plainValue(each, below(place, name), secrets));
}

/** Marks the values at secret places as secrets, and leaves out what is undefined. */
export function marshal(values: Values, isSecret: IsSecret = () => false): Struct {
  return struct.Struct.fromJavaScript(
    mapDefined(values, (value, name) => protocolValue(value, { path: name, isWhole: false }, isSecret)),
  );
}

function protocolValue(value: unknown, place: Place, isSecret: IsSecret): JavaScriptValue {
  if (!place.isWhole && value !== null && isSecret(place.path)) {
    return sealed(protocolValue(value, whole(place), isSecret));
  }
  if (value === unknownValue) return unknownText;
  if (Array.isArray(value)) return value.map((item) => protocolValue(item, whole(place), isSecret));
  if (isObject(value))
    return mapDefined(value, (each, name) => protocolValue(each, below(place, name), isSecret));
  return value ?? null;
}

function mapDefined<T>(values: Values, map: (value: unknown, name: string) => T): Record<string, T> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return mapValues(Object.fromEntries(defined), map);
}

function whole({ path }: Place): Place {
  return { path, isWhole: true };
}

function below(place: Place, name: string): Place {
  return place.isWhole || name.includes(".")
    ? whole(place)
    : { path: `${place.path}.${name}`, isWhole: false };
}
