/**
 * Inputs that the program does not write and the engine does not show: what the engine knows and the dynamic
 * provider process is not told.
 */
import { logicalName } from "./urn";
import { isObject, type Values } from "../schema/tree";

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

/** The operations that can be given a time. */
export type Operation = "create" | "update" | "delete";

export interface InternalOptions {
  /** So that messages stand beside the resource. */
  readonly urn?: string;
  /** URN of the provider, or `default` for the stack's own. */
  readonly provider?: string;
  /** Of a provider that the program made itself: another name with an alias leaves it, in a preview a new one has none yet. */
  readonly providerId?: string;
  /** The resource option `customTimeouts`, as given. */
  readonly timeouts?: Partial<Record<Operation, string>>;
  /** The resource option of that name: the engine decides on it, and the message must not say otherwise. */
  readonly replaceOnChanges?: readonly string[];
  /** The resource option of that name: the engine keeps the last known values, which others may have changed since. */
  readonly ignoreChanges?: readonly string[];
  /** Paths of arguments that the program passed as secrets: `sourceConfig.customUrl`. */
  readonly secretPaths?: readonly string[];
  /** Only in states of earlier versions, where both are ignored. */
  readonly hasSiblings?: boolean;
  readonly declared?: number;
}

/** What the engine says of a resource. */
export function contextOf(values: Values): InternalOptions {
  const given = values[optionsKey];
  return isObject(given) ? given : {};
}

/** What messages call a deployment: its name, or that of its resource where the name is not known. */
export function nameOf(values: Values): string {
  const { name } = values;
  return typeof name === "string" ? name : logicalName(contextOf(values).urn ?? "deployment");
}
