/** Invoke: the package's functions, which look up existing deployments and repositories. */
import type { InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Client } from "../control-plane/client";
import { findDeployment, findDeployments, findRepositories } from "../lookup/lookup";
import { fromRepository, type Repository } from "../lookup/repository";
import { sentencesText } from "../errors/advice";
import { DeploymentError } from "../errors";
import type { Operations } from "../engine/operations";
import { redactorFor, redactError } from "../engine/redact-secrets";
import { withMarkedCredentials } from "../text/credential";
import { sealed } from "../text/signatures";
import { longestText, sanitize } from "../text/sanitize";
import { hasUnknown, type Values } from "../../schema/tree";
import { marshal, unmarshal } from "./marshal";
import { providerMessages } from "../engine/sdk";

type Function = (client: Client, args: Values) => Promise<Values>;

const functions: Readonly<Record<string, Function>> = {
  async getDeployment(client, args) {
    return withSealedSecrets(await findDeployment(client, args));
  },
  async listDeployments(client, args) {
    const deployments: Values[] = [];
    for await (const each of findDeployments(client, args)) deployments.push(withSealedSecrets(each));
    return { deployments };
  },
  async listRepositories(client, args) {
    return { repositories: [...(await findRepositories(client, args))] };
  },
  fromRepository(_client, { repository }) {
    return Promise.resolve(fromRepository(repository as Repository));
  },
  async listIntegrations(client) {
    return { integrations: [...(await client.listings.integrations())] };
  },
  async listListeners(client) {
    return { listeners: [...(await client.listings.listeners())] };
  },
};

/** Marks only `secrets` and credentials as secret, so that the rest of the result stays readable. */
function withSealedSecrets(found: Values): Values {
  const result = withMarkedCredentials(found, sealed);
  return { ...result, secrets: sealed(result["secrets"]) };
}

const prefix = "deployment-service:index:";

export async function invoke(operations: Operations, request: InvokeRequest): Promise<InvokeResponse> {
  const name = request.getTok().replace(prefix, "");
  const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (call === undefined) throw new DeploymentError(`unknown function ${request.getTok()}`);
  const result = await withArguments(name, request.getArgs(), (args) =>
    call(operations.configured.connection.client, args),
  );
  // The empty result is what the engine and its SDKs expect in a preview.
  return new providerMessages.InvokeResponse().setReturn(marshal(result ?? {}));
}

/**
 * Runs a call with the arguments in a message. Returns undefined if some are unknown, because these cannot be looked up. Errors
 * begin with the call's name, and do not contain secret arguments.
 */
async function withArguments<T>(
  name: string,
  message: Struct | undefined,
  call: (args: Values) => Promise<T>,
): Promise<T | undefined> {
  const { values, secretPaths } = unmarshal(message);
  if (hasUnknown(values)) return undefined;
  // SDKs may pass null for missing arguments.
  const args = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  try {
    return await call(args);
  } catch (error) {
    const redact = redactorFor({ values: args, options: { secretPaths } });
    const text = redact(`${name}: ${sentencesText(redactError(error, redact))}`);
    throw new DeploymentError(sanitize(text, longestText), { cause: error });
  }
}
