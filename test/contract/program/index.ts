/**
 * A user's program: compiled and run by package.test.ts in every way that the package is to be used in.
 * Instead of an engine it has Pulumi's mocks, and prints what they saw.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  Deployment,
  fromManifest,
  fromRepository,
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  listRepositories,
  listRepositoriesOutput,
  Provider,
  type DeploymentArgs,
  type DeploymentResult,
  type DeploymentStatus,
  type ListDeploymentsArgs,
  type ProviderArgs,
  type Repository,
  type ResourceSpec,
  type SecretReference,
  type Source,
  type SourceConfig,
  type SourceRevisionConfig,
} from "pulumi-deployment-service";
import { startEmulator, type Emulator, type EmulatorOptions } from "pulumi-deployment-service/emulator";
import { provider } from "pulumi-deployment-service/provider";

const functions = {
  fromManifest,
  fromRepository,
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  listRepositories,
  listRepositoriesOutput,
};

const registered: Record<string, pulumi.runtime.MockResourceArgs> = {};

async function main(): Promise<void> {
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      registered[args.name] = args;
      return { id: `${args.name}-id`, state: { ...args.inputs, status: "READY", latestRevisionId: null } };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  });

  const resourceSpec: ResourceSpec = { minScale: 1, cpu: pulumi.output(0.5), labels: { team_name: "chat" } };
  const source: Source = "external_container";
  const sourceConfig: SourceConfig = { buildOnPush: false, resourceSpec };
  const sourceRevisionConfig = { imageUri: "registry.example.com/chat:1.4.2" } satisfies SourceRevisionConfig;
  const reference: SecretReference = { secretName: "chat-db", secretKey: "url" };
  const args: DeploymentArgs = {
    source,
    sourceConfig,
    sourceRevisionConfig,
    secrets: { MODEL_API_KEY: "in plain text" },
    secretReferences: { DB_URL: reference },
    triggers: { at: 1 },
  };
  const chat = new Deployment("chat", args, { customTimeouts: { create: "5m" } });

  const providerArgs: ProviderArgs = {
    baseUrl: "https://eu.example.com",
    apiKey: "eu-key",
    allowHttp: false,
    maxConcurrency: 4,
  };
  const eu = new Provider("eu", providerArgs);
  const repository: Repository = {
    hostIntegrationId: "6f0e6c1a-0000-4000-8000-000000000001",
    id: 7,
    name: "search",
    owner: "acme",
    url: "https://code.example.com/acme/search",
    defaultBranch: "main",
  };
  const provided = fromRepository(repository);
  const search = new Deployment(
    "search",
    {
      name: "search-eu",
      source: "codehost",
      sourceConfig: provided.sourceConfig,
      sourceRevisionConfig: { ...provided.sourceRevisionConfig, graphConfigPath: "graph.json" },
    },
    { provider: eu, parent: chat },
  );

  const { talk } = fromManifest<"talk">("deployments.yaml");
  const talkUrl: pulumi.Output<string | null> = talk.url;

  const status: pulumi.Output<DeploymentStatus> = chat.status;
  const shown = await promiseOf(pulumi.all([chat.id, chat.name, status, search.sourceConfig]));
  print({
    talkUrl: await promiseOf(talkUrl),
    registered,
    shown,
    isInstance: [Deployment.isInstance(chat), Deployment.isInstance(eu)],
    functions: Object.values(functions).map((it) => typeof it),
    provider: typeof provider.create,
    emulator: await tryEmulator({
      dialect: "standard",
      latency: 1,
      seed: { deployments: [{ name: "chat", source: "external_container" }] },
    }),
  });
}

async function tryEmulator(options: EmulatorOptions): Promise<object> {
  const emulator: Emulator = await startEmulator(options);
  await fetch(`${emulator.url}/v2/deployments`);
  const names = emulator.deployments().map(({ name }) => name);
  const requests = emulator.requests().map(({ method, path, status }) => `${method} ${path} ${status}`);
  await emulator.close();
  return { names, requests };
}

/** Compiled, and never run. */
export async function promised(): Promise<unknown> {
  const filters: ListDeploymentsArgs = { nameContains: "chat", deploymentIds: ["a"] };
  const all: DeploymentResult[] = await listDeployments(filters);
  for await (const { name } of listDeployments({})) if (name === "chat") break;
  const one: DeploymentResult = await getDeployment({ name: "chat" });
  const url: pulumi.Output<string | null> = getDeploymentOutput({ id: pulumi.output("a") }).url;
  const generation: pulumi.Output<number> = Deployment.get("a", "b").generation;
  // @ts-expect-error There is no such source: what else the types refuse is in unit/program/argument-types.
  new Deployment("a", { source: "elsewhere" });
  // @ts-expect-error There is no such dialect.
  await startEmulator({ dialect: "other" });
  return { all, one, url, generation };
}

function promiseOf<T>(output: pulumi.Output<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => void output.apply((value) => resolve(value as pulumi.Unwrap<T>)));
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

void main();
