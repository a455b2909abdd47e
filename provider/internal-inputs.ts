/**
 * Inputs that the program does not write and the engine does not show: what the engine knows and the dynamic
 * provider process is not told.
 */
import { logicalName } from "./urn";
import { asObject, type Path, type Values } from "../schema/tree";

/**
 * The text that the engine keeps in the state and loads the provider with. One constant, for ever. It looks for the
 * package from the program's folder, and then from the SDK's: there a package manager with a strict layout puts what
 * other packages depend on.
 */
export const providerText =
  'exports.handler=()=>{let m=module;try{require.resolve("pulumi-deployment-service/provider")}catch{m=m.parent}return m.require("pulumi-deployment-service/provider").provider};';

export const typeToken = "pulumi-nodejs:dynamic/deployment-service:Deployment";

export const providerKey = "__provider";
export const optionsKey = "__options";

/** What a declared folder of source code holds: `check` reads the folder and writes it beside the arguments. */
export const contentKey = "__source";

/** The operations that the resource option `customTimeouts` names. */
export type Operation = "create" | "update" | "delete";

/** What the engine knows of a resource, beside its values. */
export interface ResourceOptions {
  /** URN, so that messages stand beside the resource. */
  readonly urn?: string;
  /** URN of the provider, or `default` for the stack's own. */
  readonly provider?: string;
  /** Id of a provider that the program made itself. An alias that renames it keeps the id; in a preview, a new one has none yet. */
  readonly providerId?: string;
  /** The resource option `customTimeouts`, as given. */
  readonly timeouts?: Partial<Record<Operation, string>>;
  /** The resource option of that name: the engine decides on it, and messages must say the same. */
  readonly replaceOnChanges?: readonly string[];
  /** The resource option of that name: the engine keeps the last known values, which others may have changed since. */
  readonly ignoreChanges?: readonly string[];
  /** Paths of arguments that the program passed as secrets, without `secrets` itself. */
  readonly secretPaths?: readonly Path[];
  /** Only in states of earlier versions, where both are ignored. */
  readonly hasSiblings?: boolean;
  readonly declared?: number;
}

/** The same as the program passes it on and the state keeps it, where paths are strings: `sourceConfig.customUrl`. */
export type StoredOptions = Omit<ResourceOptions, "secretPaths"> & {
  readonly secretPaths?: readonly string[];
};

/** A resource as the engine passes it: the values that the program or the state has, and what the engine knows of it. */
export interface Resource {
  readonly values: Values;
  readonly options: ResourceOptions;
}

/** The options among the values of a resource. No part of a secret path has a dot: a map with such a key is secret as a whole. */
export function optionsIn(values: Values): ResourceOptions {
  const { secretPaths, ...rest } = asObject(values[optionsKey]);
  const paths = Array.isArray(secretPaths) ? secretPaths.map((path) => String(path).split(".")) : undefined;
  return { ...rest, ...(paths && { secretPaths: paths }) };
}

/** The options as the engine keeps them among the values; nothing if there are none, as after an import. */
export function writeOptions({ secretPaths, ...rest }: ResourceOptions): Values {
  const paths = secretPaths && { secretPaths: secretPaths.map((path) => path.join(".")) };
  const options = { ...rest, ...paths };
  return Object.keys(options).length === 0 ? {} : { [optionsKey]: options };
}

/** The options without what only states of earlier versions have. */
export function currentOptions({
  hasSiblings: _,
  declared: __,
  ...options
}: ResourceOptions): ResourceOptions {
  return options;
}

/** What a message calls a deployment: its name, or that of its resource as long as the name is unknown. */
export function nameOf({ values, options }: Resource): string {
  const { name } = values;
  return typeof name === "string" ? name : logicalName(options.urn ?? "deployment");
}
