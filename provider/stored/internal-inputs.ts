/** Internal inputs: facts that the engine knows but does not pass to the dynamic provider process. It does not show them. */
import { logicalName } from "../text/urn";
import { asObject, type Values } from "../../schema/tree";
import type { ResourceOptions } from "../deployment/context";

/**
 * The code that the engine keeps in the state and loads the provider with. Never change it. It resolves the package from
 * the program's folder, then from the SDK's, where package managers with a strict layout put it.
 */
export const providerText =
  'exports.handler=()=>{let n="pulumi-deployment-service/provider",m=module;try{require.resolve(n)}catch{m=m.parent}' +
  "return m.require(n).provider};";

export const typeToken = "pulumi-nodejs:dynamic/deployment-service:Deployment";
export const pluginTypeToken = "deployment-service:index:Deployment";
/** The types of deployments, of both providers. */
export const deploymentTokens: readonly string[] = [typeToken, pluginTypeToken];

export const providerKey = "__provider";
export const optionsKey = "__options";

/** Among the inputs after a refresh: a revision is not counted yet. `null`, which the engine keeps, but never shows. */
export const unfinishedRolloutKey = "__unfinishedRollout";

/** Among the outputs of a failed operation: the engine may have other inputs than these outputs have arguments. */
export const failedKey = "__failed";

/** In place of a provider's URN. */
const ownConnection = "default";

/** A resource as the engine passes it: the program's or the state's values, and the options. */
export interface Resource {
  readonly values: Values;
  readonly options: ResourceOptions;
}

/** Options are in every state, twice, so what is usual is short: `*` for the type, no provider for the stack's connection. */
export function optionsIn(values: Values): ResourceOptions {
  const stored = asObject(values[optionsKey]) as ResourceOptions;
  const { urn, provider = ownConnection } = stored;
  return urn === undefined
    ? stored
    : { ...stored, urn: urn.replace(/(?<=::|\$)\*(?=::)/, typeToken), provider };
}

/** Writes the options in the stored form; empty if there are none, as after an import. */
export function writeOptions({ urn, provider, follows: _, ...others }: ResourceOptions): Values {
  const isOwn = urn !== undefined && provider === ownConnection;
  const options: ResourceOptions = {
    ...(urn !== undefined && { urn: urn.replace(`${typeToken}::`, "*::") }),
    ...(provider !== undefined && !isOwn && { provider }),
    ...others,
  };
  return Object.keys(options).length === 0 ? {} : { [optionsKey]: options };
}

/** The logical name, and in brackets the deployment's name where it is another: `chat (chat-prod)`. */
export function subjectOf(resource: Resource): string {
  const name = nameOf(resource);
  const { urn } = resource.options;
  const logical = urn === undefined ? name : logicalName(urn);
  return logical === name ? name : `${logical} (${name})`;
}

/** The deployment's name, or the resource's name if that is not known yet. */
export function nameOf({ values, options }: Resource): string {
  const { name } = values;
  return typeof name === "string" ? name : logicalName(options.urn ?? "deployment");
}
