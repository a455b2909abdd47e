import * as pulumi from "@pulumi/pulumi";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  Deployment,
  fromRepository,
  errorKind,
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  listIntegrations,
  listIntegrationsOutput,
  listRepositories,
  listRepositoriesOutput,
  Provider,
} from "../../../provider";
import { langsmith, startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";

const integrationId = "6f0e6c1a-0000-4000-8000-000000000001";
const repository = {
  host_integration_id: integrationId,
  id: 7,
  name: "chat",
  owner: "acme",
  url: "https://code.example.com/acme/chat",
  default_branch: "main",
};

const started: Emulator[] = [];

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ idSeed: 1, ...options });
  started.push(emulator);
  return emulator;
}

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
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.close()));
});
afterAll(() => pulumi.runtime.setAllConfig({}));

describe("getDeployment", () => {
  it("answers addresses without the user and password in them", async () => {
    const id = create(emulator, "chat", {
      source_config: { custom_url: "https://user:hush@chat.example.com" },
    });
    const [url, expected] = ["https://chat.example.com", expect.not.stringContaining("hush")];
    const found = await getDeployment({ id });
    expect(found).toMatchObject({ url, sourceConfig: { customUrl: url } });
    expect(JSON.stringify(found)).toEqual(expected);
    expect(JSON.stringify(await listDeployments())).toEqual(expected);
  });

  it("finds by id, with what is not set left out", async () => {
    const id = create(emulator, "chat", { source_config: { install_command: "npm ci" } });
    const found = await getDeployment({ id });
    expect(found).toMatchObject({
      id,
      name: "chat",
      source: "external_container",
      sourceConfig: { installCommand: "npm ci", buildOnPush: false, deploymentType: "prod" },
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
      secrets: { MODEL_API_KEY: "chat-secret" },
      secretReferences: {},
      status: "READY",
      repoCommitSha: null,
      url: expect.stringMatching(/^https:\/\/chat-/) as string,
    });
    expect(found.sourceConfig).not.toHaveProperty("buildCommand");
    expect(found.sourceConfig.resourceSpec).toEqual({ minScale: 1, maxScale: 1, cpu: 1, memoryMb: 2048 });
    expect(found.latestRevisionId).toBe(found.activeRevisionId);
  });

  it("finds the exact name among those that contain it, on whatever page", async () => {
    const id = create(emulator, "chat");
    for (let index = 0; index < 120; index++) create(emulator, `chat-${index}`);
    expect((await getDeployment({ name: "chat" })).id).toBe(id);
    expect(queries(emulator)).toHaveLength(2);
  });

  it("says what was looked for when there is none", async () => {
    create(emulator, "chat-2");
    await expect(getDeployment({ name: "chat" })).rejects.toThrow(
      `getDeployment: the service has no deployment with the name "chat", or this connection's key and tenant cannot see it.`,
    );
  });

  it("tells a program what kind of failure it is", async () => {
    const kindOf = (work: Promise<unknown>) =>
      work.then(
        () => "none",
        (error: unknown) => errorKind(error),
      );
    expect(await kindOf(getDeployment({ name: "chat" }))).toBe("not-found");
    expect(await kindOf(getDeployment({ name: "" }))).toBe("invalid");
    emulator.fail({ when: { method: "GET" }, how: { status: 403, body: { detail: "no" } } });
    expect(await kindOf(getDeployment({ name: "search" }))).toBe("forbidden");
    expect(await kindOf(Promise.reject(new Error("of somebody else")))).toBeUndefined();
  });

  it.each([
    [{ id: "../integrations" }, "getDeployment: id: expected a UUID"],
    [{ name: "" }, "getDeployment: name: must not be empty"],
    [{}, "expected either an id or a name"],
    [{ nmae: "a" }, 'getDeployment: nmae: unknown key "nmae"; did you mean "name"?'],
    [{ id: integrationId, tenant: "t" }, 'getDeployment: tenant: unknown key "tenant"'],
    [{ id: integrationId, name: "chat" }, "expected either an id or a name"],
  ])("sends nothing for %j", async (args, message) => {
    await expect(getDeployment(args as never)).rejects.toThrow(message);
    expect(emulator.requests()).toEqual([]);
  });

  it("explains a wrong key, without it", async () => {
    configure(emulator, { "deployment-service:apiKey": "wrong-key-1" });
    const error = await getDeployment({ name: "chat" }).catch((reason: Error) => reason.message);
    expect(error).toContain("401");
    expect(error).toContain("Check `deployment-service:apiKey`");
    expect(error).not.toContain("wrong-key-1");
  });

  it("sends the same question once, asked together or one after the other", async () => {
    const id = create(emulator, "chat");
    await Promise.all([getDeployment({ name: "chat" }), getDeployment({ name: "chat" })]);
    await getDeployment({ name: "chat" });
    await valueOf(getDeploymentOutput({ name: pulumi.output("chat") }));
    expect(emulator.requests()).toHaveLength(1);
    await getDeployment({ id });
    expect(emulator.requests()).toHaveLength(2);
  });

  it.each([
    [undefined, 'getDeployment: expected { id: "…" } or { name: "…" }, got undefined'],
    [null, "got null"],
    ["chat", "got a string"],
    [["chat"], "got a list"],
    [{ name: 7 }, "getDeployment: name: expected a string, got a number"],
    [{ name: null }, "getDeployment: name: expected a string, got null"],
  ])("says what it expects instead of %j", async (args, message) => {
    await expect(getDeployment(args as never)).rejects.toThrow(message);
    expect(emulator.requests()).toEqual([]);
  });

  it("says what options it expects instead of none", async () => {
    await expect(getDeployment({ name: "chat" }, null as never)).rejects.toThrow(
      "getDeployment: expected options such as { provider } or { parent }, got null",
    );
  });

  it("gives everybody a result of their own, to change as they like", async () => {
    create(emulator, "chat", { source_config: { resource_spec: { labels: { team: "a" } } } });
    emulator.repositories(integrationId, [repository]);
    const asked = {
      get: () => getDeployment({ name: "chat" }),
      list: async () => (await listDeployments())[0]!,
      repositories: async () => (await listRepositories({ integrationId }))[0]!,
    };
    for (const ask of Object.values(asked)) {
      const [first, second] = await Promise.all([ask(), ask()]);
      const before = JSON.stringify(second);
      for (const object of [first, (first as { sourceConfig?: object }).sourceConfig ?? first]) {
        Object.assign(object, { name: "changed", resourceSpec: undefined });
      }
      expect(JSON.stringify(second)).toBe(before);
      expect(JSON.stringify(await ask())).toBe(before);
    }
    expect(emulator.requests()).toHaveLength(3);
  });
});

describe("the Output forms", () => {
  it("keep exactly the secrets secret", async () => {
    create(emulator, "chat");
    const found = getDeploymentOutput({ name: "chat" });
    const [first] = [listDeploymentsOutput().apply(([deployment]) => deployment!)];
    for (const result of [found, first!]) {
      expect(await valueOf(result.name)).toBe("chat");
      expect(await pulumi.isSecret(result.name)).toBe(false);
      expect(await pulumi.isSecret(result)).toBe(false);
      expect(await pulumi.isSecret(pulumi.output(result.secrets))).toBe(true);
      expect(await valueOf(pulumi.output(result.secrets))).toEqual({ MODEL_API_KEY: "chat-secret" });
    }
  });

  it("stay secret where the question was", async () => {
    create(emulator, "chat");
    expect(await pulumi.isSecret(getDeploymentOutput({ name: pulumi.secret("chat") }))).toBe(true);
  });

  it("feed a deployment", async () => {
    emulator.repositories(integrationId, [repository]);
    const [found] = [listRepositoriesOutput({ integrationId }).apply(([first]) => first!)];
    const chat = new Deployment("chat", { source: "codehost", ...fromRepository(found!) });
    expect(await valueOf(chat.sourceConfig)).toEqual({ integrationId, repoUrl: repository.url });
    expect(await valueOf(chat.sourceRevisionConfig)).toEqual({ repoRef: "main" });
  });
});

describe("listDeployments", () => {
  it("collects every page when awaited, each from the last entry of the one before (K24, K26)", async () => {
    for (let index = 0; index < 230; index++) create(emulator, `d-${index}`);
    const all = await listDeployments();
    expect(all.map(({ name }) => name)).toEqual(
      Array.from({ length: 230 }, (_, index) => `d-${229 - index}`),
    );
    expect(queries(emulator)).toEqual([
      { limit: "100" },
      { limit: "100", offset: "99" },
      { limit: "100", offset: "198" },
    ]);
  });

  it("fetches no more pages than are read when iterated, and none twice", async () => {
    for (let index = 0; index < 130; index++) create(emulator, `d-${index}`);
    for await (const { name } of listDeployments()) {
      expect(name).toBe("d-129");
      break;
    }
    expect(emulator.requests()).toHaveLength(1);
    expect(await listDeployments()).toHaveLength(130);
    expect(emulator.requests()).toHaveLength(2);
  });

  it("sends nothing before it is read", () => {
    void listDeployments({ status: "READY" });
    expect(emulator.requests()).toEqual([]);
  });

  it("passes every filter on in the service's words (K23)", async () => {
    await listDeployments({
      nameContains: "a b",
      status: "READY",
      remoteReconciled: false,
      tagValueIds: ["t1", "t2"],
      imageVersion: "1.0.0",
      deploymentType: "dev",
      deploymentIds: [integrationId],
    });
    expect(queries(emulator)[0]).toEqual({
      name_contains: "a b",
      status: "READY",
      remote_reconciled: "false",
      tag_value_ids: "t1,t2",
      image_version: "1.0.0",
      deployment_type: "dev",
      deployment_ids: integrationId,
      limit: "100",
    });
  });

  it("asks for more than 100 ids in several requests", async () => {
    const ids = Array.from({ length: 205 }, (_, index) => create(emulator, `d-${index}`));
    const found = await listDeployments({ deploymentIds: ids });
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
    const counts = queries(emulator).map(({ deployment_ids }) => deployment_ids!.split(",").length);
    expect(counts).toEqual([100, 100, 5]);
  });

  it("finds nothing among no ids, and asks nobody", async () => {
    create(emulator, "chat");
    expect(await listDeployments({ deploymentIds: [] })).toEqual([]);
    expect(emulator.requests()).toEqual([]);
  });

  it.each([
    [
      { deploymentType: "gold" },
      "deploymentType: expected one of dev_free, dev, prod, dev_zero, dev_free_zero",
    ],
    [{ deploymentIds: ["x"] }, "deploymentIds[0]: expected a UUID"],
    [{ tagValueIds: ["a,b"] }, "tagValueIds[0]: expected"],
    [{ nameContain: "x" }, 'did you mean "nameContains"?'],
    [null, 'listDeployments: expected filters such as { nameContains: "chat" }, got null'],
    ["chat", "listDeployments: expected filters"],
  ])("sends nothing for %j (K25)", async (args, message) => {
    await expect(listDeployments(args as never)).rejects.toThrow(message);
    expect(emulator.requests()).toEqual([]);
  });
});

describe("listRepositories", () => {
  it("answers in names that fit a deployment", async () => {
    emulator.repositories(integrationId, [repository]);
    const [found] = await listRepositories({ integrationId });
    expect(found).toEqual({
      hostIntegrationId: integrationId,
      id: 7,
      name: "chat",
      owner: "acme",
      url: repository.url,
      defaultBranch: "main",
    });
    expect(fromRepository(found!)).toEqual({
      sourceConfig: { integrationId, repoUrl: repository.url },
      sourceRevisionConfig: { repoRef: "main" },
    });
  });

  it("asks the service's own listing where its path is configured", async () => {
    const path = "/v1/integrations/own/{integration_id}/repos";
    const own = await start({ serviceReposPath: path });
    own.repositories(integrationId, [repository], "service");
    configure(own, { "deployment-service:serviceReposPath": path });
    expect(await listRepositories({ integrationId, host: "service" })).toHaveLength(1);
    expect(own.requestLines()).toEqual([`GET /v1/integrations/own/${integrationId}/repos 200`]);
  });

  it("names the setting where the path is not known", async () => {
    await expect(listRepositories({ integrationId, host: "service" })).rejects.toThrow(
      "set `deployment-service:serviceReposPath`",
    );
    expect(emulator.requests()).toEqual([]);
  });

  it("says what it expects instead of nothing", async () => {
    const nothing = undefined as never;
    await expect(listRepositories(nothing)).rejects.toThrow('expected { integrationId: "…" }, got undefined');
  });

  it("sends nothing for an id that is none", async () => {
    await expect(listRepositories({ integrationId: "../x" })).rejects.toThrow("expected a UUID");
    expect(emulator.requests()).toEqual([]);
  });
});

describe("listIntegrations", () => {
  it("answers the ids that a deployment needs, as an output too, and asks once", async () => {
    const own = await start({ rules: langsmith });
    own.repositories(integrationId, [repository]);
    configure(own, { "deployment-service:dialect": "langsmith" });
    const expected = [{ id: integrationId, name: "acme", installationId: 1 }];
    expect(await listIntegrations()).toEqual(expected);
    expect(await valueOf(listIntegrationsOutput())).toEqual(expected);
    expect(own.requestLines()).toEqual(["GET /v1/integrations/github/install 200"]);
  });

  it("sends nothing in dialect standard, whose services do not list them, and names the setting", async () => {
    await expect(listIntegrations()).rejects.toThrow(
      "listIntegrations: a service of dialect standard does not list its integrations: ask whoever set them up for their ids. If " +
        "the service speaks dialect langsmith, set `deployment-service:dialect`",
    );
    expect(emulator.requests()).toEqual([]);
  });
});

describe("the provider option", () => {
  it("looks up through that provider's own connection", async () => {
    const eu = await start({ apiKey: "eu-key", idSeed: 2 });
    create(eu, "chat", { source_revision_config: { image_uri: "registry.example.com/eu:1" } });
    const provider = new Provider("eu", { baseUrl: pulumi.output(eu.url), apiKey: pulumi.secret("eu-key") });
    const found = await getDeployment({ name: "chat" }, { provider });
    expect(found.sourceRevisionConfig.imageUri).toBe("registry.example.com/eu:1");
    const output = getDeploymentOutput({ name: "chat" }, { provider });
    expect(await valueOf(output.id)).toBe(found.id);
    expect(await pulumi.isSecret(output)).toBe(false);
    expect(eu.requests()).toHaveLength(1);
    expect(emulator.requests()).toEqual([]);
  });

  it("refuses another package's provider", async () => {
    class Other extends pulumi.ProviderResource {
      constructor() {
        super("pulumi-nodejs", "other", {});
      }
    }
    await expect(getDeployment({ name: "chat" }, { provider: new Other() })).rejects.toThrow(
      "must be a Provider of pulumi-deployment-service",
    );
  });

  it("says what to do while its settings are not known", async () => {
    const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const provider = new Provider("later", { baseUrl: unknown, apiKey: "key" });
    await expect(getDeployment({ name: "chat" }, { provider })).rejects.toThrow("ends in Output");
    const { isKnown } = getDeploymentOutput({ name: "chat" }, { provider }) as unknown as {
      isKnown: Promise<boolean>;
    };
    expect(await isKnown).toBe(false);
  });
});
