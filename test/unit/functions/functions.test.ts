import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  Deployment,
  fromRepository,
  errorKind,
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listIntegrations,
  listListeners,
  listRepositories,
  listRepositoriesOutput,
  Provider,
} from "../../../provider";
import { langsmith, type Emulator } from "../../../emulator";
import { start } from "../../support/emulator";
import { repositoryOf } from "../../support/repository";

const integrationId = "6f0e6c1a-0000-4000-8000-000000000001";
const repository = { ...repositoryOf(integrationId), default_branch: "main" };

function create(emulator: Emulator, name: string, more: object = {}): string {
  const { id } = emulator.create({
    name,
    source: "external_container",
    source_config: {},
    source_revision_config: { image_uri: `registry.example.com/${name}:1` },
    secrets: [{ name: "MODEL_API_KEY", value: `${name}-secret` }],
    ...more,
  });
  return id;
}

function configure(emulator: Emulator, more: Record<string, string> = {}): void {
  pulumi.runtime.setAllConfig({
    "deployment-service:baseUrl": emulator.url,
    "deployment-service:apiKey": emulator.apiKey,
    ...more,
  });
}

const queries = (emulator: Emulator) => emulator.requests().map(({ query }) => query);
const valueOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => void output.apply(resolve));

let emulator: Emulator;

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: () => ({}),
  }),
);
beforeEach(async () => {
  emulator = await start();
  configure(emulator);
});
afterAll(() => pulumi.runtime.setAllConfig({}));

describe("getDeployment", () => {
  it("finds by id, without values that are not set and without credentials in addresses", async () => {
    const source_config = { install_command: "npm ci", custom_url: "https://user:hush@chat.example.com" };
    const id = create(emulator, "chat", { source_config });
    const url = "https://chat.example.com";
    const found = await getDeployment({ id });
    expect(found).toMatchObject({
      ...{ id, name: "chat", source: "external_container", status: "READY", repoCommitSha: null, url },
      sourceConfig: { installCommand: "npm ci", customUrl: url, buildOnPush: false, deploymentType: "prod" },
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
      secrets: { MODEL_API_KEY: "chat-secret" },
      secretReferences: {},
    });
    expect(found.sourceConfig).not.toHaveProperty("buildCommand");
    expect(found.sourceConfig.resourceSpec).toEqual({ minScale: 1, maxScale: 1, cpu: 1, memoryMb: 2048 });
    expect(found.latestRevisionId).toBe(found.activeRevisionId);
    expect(JSON.stringify([found, await listDeployments()])).not.toContain("hush");
  });

  it("finds the exact name among those that contain it, on any page", async () => {
    const id = create(emulator, "chat");
    for (let index = 0; index < 120; index++) create(emulator, `chat-${index}`);
    expect((await getDeployment({ name: "chat" })).id).toBe(id);
    expect(queries(emulator)).toHaveLength(2);
  });

  it("names the kind of a failure, for a program that handles it", async () => {
    const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error as Error);
    const missing = await failureOf(getDeployment({ name: "chat" }));
    expect(missing).toMatchObject({
      message: `getDeployment: the service has no deployment with the name "chat", or this connection's key and tenant cannot see it.`,
    });
    emulator.fail({ when: { method: "GET" }, how: { status: 403, body: { detail: "no" } } });
    const forbidden = await failureOf(getDeployment({ name: "search" }));
    const invalid = await failureOf(getDeployment({ name: "" }));
    configure(emulator, { "deployment-service:apiKey": "wrong-key-1" });
    const unauthorized = (await failureOf(getDeployment({ name: "bot" }))) as Error;
    expect(unauthorized.message).toMatch(/401.*Check deployment-service:apiKey/);
    expect(unauthorized.message).not.toContain("wrong-key-1");
    const errors = [missing, forbidden, invalid, unauthorized, new Error("of something else")];
    const kinds = ["not-found", "forbidden", "invalid", "unauthorized", undefined];
    expect(errors.map(errorKind)).toEqual(kinds);
  });

  it("asks the service each time, again after a failure too", async () => {
    const id = create(emulator, "chat");
    emulator.fail({ how: { status: 403 } });
    await expect(getDeployment({ id })).rejects.toThrow("403");
    expect((await getDeployment({ id })).id).toBe(id);
    emulator.remove(id);
    await expect(getDeployment({ id })).rejects.toThrow("has no deployment");
  });
});

const [one, many] = [
  'getDeployment: expected { id: "…" } or { name: "…" }, got ',
  "listDeployments: expected filters",
];
const repositories = listRepositories as (args: unknown) => Promise<unknown>;
it.each<[(args: never) => Promise<unknown>, unknown, string]>([
  [getDeployment, { id: "../integrations" }, "getDeployment: id: expected a UUID"],
  [getDeployment, { name: "" }, "getDeployment: name: must not be empty"],
  [getDeployment, {}, "expected either an id or a name"],
  [getDeployment, { id: integrationId, name: "chat" }, "expected either an id or a name"],
  [getDeployment, undefined, `${one}undefined`],
  [
    listDeployments,
    { deploymentType: "gold" },
    "deploymentType: expected one of serverless, dedicated, dev_free, dev, prod, dev_zero, dev_free_zero",
  ],
  [listDeployments, { deploymentIds: ["x"] }, "deploymentIds[0]: expected a UUID"],
  [listDeployments, { tagValueIds: ["a,b"] }, "tagValueIds[0]: expected"],
  [listDeployments, null, `${many} such as { nameContains: "chat" }, got null`],
  [repositories, undefined, 'expected { integrationId: "…" }, got undefined'],
  [repositories, { integrationId, host: "service" }, "set `deployment-service:serviceReposPath`"],
  [
    listIntegrations,
    undefined,
    "a service of dialect standard does not list its integrations: ask whoever set them up for their ids.",
  ],
  [listListeners, undefined, "a service of dialect standard does not list its listeners: ask whoever"],
])("a wrong question is refused before anything is sent: %o, %j (K25)", async (ask, args, message) => {
  await expect(ask(args as never)).rejects.toThrow(message);
  expect(emulator.requests()).toEqual([]);
});

describe("listDeployments", () => {
  it("collects every page when awaited, and fetches only those that are read when iterated (K24, K26)", async () => {
    for (let index = 0; index < 130; index++) create(emulator, `d-${index}`);
    for await (const { name } of listDeployments()) {
      expect(name).toBe("d-129");
      break;
    }
    expect(emulator.requests()).toHaveLength(1);
    emulator.clearRequests();
    const names = (await listDeployments()).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 130 }, (_, index) => `d-${129 - index}`));
    expect(queries(emulator)).toEqual([{ limit: "100" }, { limit: "100", offset: "100" }]);
  });

  it("passes filters on in the service's words, splits a long list of ids, and asks nothing for none (K23)", async () => {
    const ids = Array.from({ length: 205 }, (_, index) => create(emulator, `d-${index}`));
    const filters = { nameContains: "a b", remoteReconciled: false, tagValueIds: ["t1", "t2"] };
    await listDeployments(filters);
    expect(queries(emulator)).toEqual([
      { name_contains: "a b", remote_reconciled: "false", tag_value_ids: "t1,t2", limit: "100" },
    ]);
    emulator.clearRequests();
    const found = await listDeployments({ deploymentIds: ids });
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(queries(emulator).map((query) => query["deployment_ids"]!.split(",").length)).toEqual([
      100, 100, 5,
    ]);
    emulator.clearRequests();
    expect(await listDeployments({ deploymentIds: [] })).toEqual([]);
    void listDeployments({ status: "READY" });
    expect(emulator.requests()).toEqual([]);
  });
});

describe("listRepositories", () => {
  it("answers in names that fit a deployment, as an output too", async () => {
    emulator.repositories(integrationId, [repository]);
    const [found] = await listRepositories({ integrationId });
    expect(found).toEqual({
      ...{ hostIntegrationId: integrationId, id: 7, name: "chat", owner: "acme" },
      ...{ url: repository.url, defaultBranch: "main" },
    });
    const first = listRepositoriesOutput({ integrationId }).apply((all) => all[0]!);
    const { sourceConfig, sourceRevisionConfig } = fromRepository(first);
    const chat = new Deployment("chat", {
      source: "codehost",
      sourceConfig,
      sourceRevisionConfig: { ...sourceRevisionConfig, graphConfigPath: "graph.json" },
    });
    expect(await valueOf(chat.sourceConfig)).toEqual({ integrationId, repoUrl: repository.url });
    expect(await valueOf(chat.sourceRevisionConfig)).toEqual({
      repoRef: "main",
      graphConfigPath: "graph.json",
    });
  });

  it("uses the service's own listing if its path is configured", async () => {
    const path = "/v1/integrations/own/{integration_id}/repos";
    const own = await start({ serviceReposPath: path });
    own.repositories(integrationId, [repository], "service");
    configure(own, { "deployment-service:serviceReposPath": path });
    expect(await listRepositories({ integrationId, host: "service" })).toHaveLength(1);
    expect(own.requestLines()).toEqual([`GET /v1/integrations/own/${integrationId}/repos 200`]);
  });
});

it.each<[string, () => PromiseLike<unknown>, string, object]>([
  [
    "listIntegrations",
    listIntegrations,
    "/v1/integrations/github/install",
    { name: "acme", installationId: 1 },
  ],
  ["listListeners", listListeners, "/v2/listeners", { computeId: "cluster-1", namespaces: ["agents"] }],
])("%s answers the ids that a deployment needs, with one request", async (_, list, path, expected) => {
  const own = await start({ rules: langsmith, seed: { listeners: { [integrationId]: ["agents"] } } });
  own.repositories(integrationId, [repository]);
  configure(own, { "deployment-service:dialect": "langsmith" });
  expect(await list()).toEqual([{ id: integrationId, ...expected }]);
  expect(own.requestLines()).toEqual([`GET ${path} 200`]);
});

describe("the provider option", () => {
  it("refuses another package's provider, and one whose settings are not known yet", async () => {
    class Other extends pulumi.ProviderResource {
      constructor() {
        super("pulumi-nodejs", "other", {});
      }
    }
    await expect(getDeployment({ name: "chat" }, { provider: new Other() })).rejects.toThrow(
      "must be a Provider of pulumi-deployment-service",
    );
    const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const provider = new Provider("later", { baseUrl: unknown, apiKey: "key" });
    await expect(getDeployment({ name: "chat" }, { provider })).rejects.toThrow("ends in Output");
    const output = getDeploymentOutput({ name: "chat" }, { provider });
    expect(await (output as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
  });
});
