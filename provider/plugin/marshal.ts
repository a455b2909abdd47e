/** Converts between the protocol's values and plain ones, and resources. The paths of secrets are kept separately. */
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { credentialPathsOf, withMarkedCredentials } from "../text/credential";
import { sealed, secretSignature, signatureKey, unknownText, unknownTexts } from "../text/signatures";
import { isSecretOutput } from "../../schema/outputs";
import type { ResourceOptions } from "../deployment/context";
import {
  formatPath,
  isEqual,
  isObject,
  isWithin,
  mapValues,
  type Path,
  unknownValue,
  type Values,
  withoutAbsent,
} from "../../schema/tree";
import { struct } from "../engine/sdk";

interface Unmarshalled {
  readonly values: Values;
  /** Without duplicates. Paths end at lists, and at maps with a dot in a key. */
  readonly secretPaths: readonly Path[];
}

/** The position of a value, for naming secrets. */
interface Spot {
  readonly path: Path;
  /** Secrets below are named by this path. */
  readonly isWhole: boolean;
}

type IsSecret = (path: Path) => boolean;

export function unmarshal(message: Struct | undefined): Unmarshalled {
  const secretPaths = new Map<string, Path>();
  const values = mapValues(message?.toJavaScript() ?? {}, (value, name) =>
    plainValue(value, { path: [name], isWhole: false }, secretPaths),
  );
  return { values, secretPaths: [...secretPaths.values()] };
}

function plainValue(value: unknown, at: Spot, secrets: Map<string, Path>): unknown {
  if (typeof value === "string") return unknownTexts.has(value) ? unknownValue : value;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, whole(at), secrets));
  if (!isObject(value)) return value;
  const { [signatureKey]: signature, value: inner } = value;
  if (signature === secretSignature) {
    secrets.set(formatPath(at.path), at.path);
    return plainValue(inner, whole(at), secrets);
  }
  return mapValues(value, (each, name) => plainValue(each, below(at, name), secrets));
}

/** Marks values at secret paths as secrets, and omits undefined values. */
export function marshal(values: Values, isSecret: IsSecret = () => false): Struct {
  return struct.Struct.fromJavaScript(
    mapValues(withoutAbsent(values), (value, name) =>
      protocolValue(value, { path: [name], isWhole: false }, isSecret),
    ),
  );
}

function protocolValue(value: unknown, at: Spot, isSecret: IsSecret): JavaScriptValue {
  if (!at.isWhole && value !== null && isSecret(at.path)) {
    return sealed(protocolValue(value, whole(at), isSecret));
  }
  if (value === unknownValue) return unknownText;
  if (Array.isArray(value)) return value.map((item) => protocolValue(item, whole(at), isSecret));
  if (isObject(value))
    return mapValues(withoutAbsent(value), (each, name) => protocolValue(each, below(at, name), isSecret));
  return value ?? null;
}

function whole({ path }: Spot): Spot {
  return { path, isWhole: true };
}

function below(at: Spot, name: string): Spot {
  return at.isWhole || name.includes(".") ? whole(at) : { path: [...at.path, name], isWhole: false };
}

export function isEmpty(message: Struct | undefined): boolean {
  return message === undefined || message.getFieldsMap().getLength() === 0;
}

/** @param values a written state, checked inputs, or the outputs that a preview knows */
export function valuesMessage(values: Values, { secretPaths = [] }: ResourceOptions): Struct {
  const isMarked = (path: Path) => secretPaths.some((secret) => isWithin(path, secret));
  const open = credentialPathsOf(values).filter((path) => !isMarked(path));
  return marshal(withMarkedCredentials(values, sealed, open), (path) => {
    const isNamed = secretPaths.some((secret) => isEqual(secret, path));
    return isNamed || (path.length === 1 && isSecretOutput(String(path[0]), secretPaths));
  });
}
