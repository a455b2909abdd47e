import { describe, expect, it } from "vitest";
import { langsmithWith } from "../../../emulator";
import {
  bodies,
  bodyOf,
  call,
  created,
  deployed,
  image,
  integration,
  needs,
  post,
  refusal,
  repository,
  start,
  takesNo,
  type Source,
} from "./support";

const sources = Object.keys(bodies) as Source[];

describe("the least that a source needs (2.1)", () => {
  it.each(sources)("creates from %s and answers with what was given", async (source) => {
    const reply = await post(await start(), bodies[source]);
    const { template_id: _later, ...config } = bodies[source].source_config as Record<string, unknown>;
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      ...bodies[source],
      source_config: source === "external_docker" ? {} : config,
    });
  });

  it("asks for the fields of github one at a time, in the order that was seen", async () => {
    const emulator = await start();
    const config: Record<string, unknown> = {};
    const revisionConfig: Record<string, unknown> = {};
    const ask = () =>
      post(emulator, { ...bodies.github, source_config: config, source_revision_config: revisionConfig });
    expect(await ask()).toMatchObject(needs("source_revision_config.repo_ref", "github"));
    revisionConfig["repo_ref"] = "main";
    expect(await ask()).toMatchObject(needs("source_revision_config.langgraph_config_path", "github"));
    revisionConfig["langgraph_config_path"] = "langgraph.json";
    expect(await ask()).toMatchObject(needs("source_config.integration_id", "github"));
    config["integration_id"] = integration;
    expect(await ask()).toMatchObject(needs("source_config.repo_url", "github"));
    config["repo_url"] = repository;
    expect(await ask()).toMatchObject(needs("source_config.deployment_type", "github"));
    config["deployment_type"] = "dev";
    expect(await ask()).toMatchObject(needs("source_config.build_on_push", "github"));
    config["build_on_push"] = false;
    expect((await ask()).status).toBe(201);
  });

  it.each<[Source, object, object, string]>([
    ["external_docker", {}, { image_uri: null }, "source_revision_config.image_uri"],
    ["external_docker", { resource_spec: null }, {}, "source_config.resource_spec"],
    ["external_docker", { resource_spec: undefined }, {}, "source_config.resource_spec"],
    ["internal_source", {}, { langgraph_config_path: null }, "source_revision_config.langgraph_config_path"],
  ])("does not create from %s with %j and %j", async (source, config, revisionConfig, path) => {
    const reply = await post(await start(), bodyOf(source, { ...config }, { ...revisionConfig }));
    expect(reply).toMatchObject(needs(path, source));
  });

  it("can leave to the service what older clients did not send", async () => {
    const rules = langsmithWith({
      buildOnPush: "optional",
      deploymentType: "optional",
      internalConfigPath: "optional",
    });
    const emulator = await start({ rules });
    const open = { build_on_push: undefined, deployment_type: undefined };
    const github = await created(emulator, bodyOf("github", open));
    expect(github.body).toMatchObject({ source_config: { build_on_push: false, deployment_type: "prod" } });
    await created(
      emulator,
      bodyOf("internal_source", {}, { langgraph_config_path: undefined }, { name: "b" }),
    );
  });
});

describe("fields of other sources (2.1)", () => {
  it.each<[Source, object, object, string]>([
    ["github", {}, { image_uri: image }, "source_revision_config.image_uri"],
    ["github", { resource_spec: {} }, {}, "source_config.resource_spec"],
    ["github", { custom_url: "https://x.example.com" }, {}, "source_config.custom_url"],
    ["github", { listener_id: integration }, {}, "source_config.listener_id"],
    ["external_docker", { deployment_type: "prod" }, {}, "source_config.deployment_type"],
    ["external_docker", { build_on_push: false }, {}, "source_config.build_on_push"],
    ["external_docker", { repo_url: repository }, {}, "source_config.repo_url"],
    ["external_docker", { install_command: "npm ci" }, {}, "source_config.install_command"],
    ["external_docker", {}, { repo_ref: "main" }, "source_revision_config.repo_ref"],
    [
      "external_docker",
      {},
      { langgraph_config_path: "x.json" },
      "source_revision_config.langgraph_config_path",
    ],
    ["internal_docker", { build_on_push: true }, {}, "source_config.build_on_push"],
    ["internal_docker", {}, { image_uri: image }, "source_revision_config.image_uri"],
    ["internal_source", {}, { source_tarball_path: "a/b" }, "source_revision_config.source_tarball_path"],
    ["internal_template", { integration_id: integration }, {}, "source_config.integration_id"],
  ])("%s does not take %j and %j", async (source, config, revisionConfig, path) => {
    const reply = await post(await start(), bodyOf(source, { ...config }, { ...revisionConfig }));
    expect(reply).toMatchObject(takesNo(path, source));
  });

  it("may be given as null", async () => {
    const nulls = { custom_url: null, resource_spec: null, listener_id: null, listener_config: null };
    await created(await start(), bodyOf("github", nulls, { image_uri: null, source_tarball_path: null }));
  });

  it("include secret references for all but external_docker", async () => {
    const secret_references = [{ name: "KEY", secret_name: "chat", secret_key: "key" }];
    const emulator = await start();
    const reply = await post(emulator, { ...bodies.github, secret_references });
    expect(reply).toMatchObject(refusal("'secret_references' is not applicable for source 'github'."));
    const { body } = await created(emulator, { ...bodies.external_docker, secret_references });
    expect(body).toMatchObject({ secret_references });
  });
});

describe("values that are refused", () => {
  it.each(["My_App", "chat-", "chat_bot", "Chat", "", "-chat"])("names: %s (7.8)", async (name) => {
    const reply = await post(await start(), { ...bodies.github, name });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "name"] }] } });
  });

  it("a push flag for a tag (7.5)", async () => {
    const emulator = await start();
    const tag = { repo_ref: "refs/tags/v1" };
    const reply = await post(emulator, bodyOf("github", { build_on_push: true }, tag));
    expect(reply.status).toBe(400);
    expect(String(reply.body["detail"])).toContain("build_on_push");
    await created(emulator, bodyOf("github", { build_on_push: false }, tag));
  });

  it.each(["POSTGRES_URI", "LANGSMITH_PROJECT", "LANGSMITH_API_KEY", "PORT"])(
    "secrets with the reserved name %s (7.15)",
    async (name) => {
      const secrets = [{ name, value: "v" }];
      const reply = await post(await start(), { ...bodies.external_docker, secrets });
      expect(reply).toMatchObject(refusal(`'${name}' is a reserved name and cannot be set.`));
    },
  );

  it("fewer names where the service is self-hosted (7.15)", async () => {
    const emulator = await start({ rules: langsmithWith({ selfHosted: true }) });
    const secrets = (name: string) => ({ ...bodies.external_docker, secrets: [{ name, value: "v" }] });
    expect((await post(emulator, secrets("POSTGRES_URI"))).status).toBe(400);
    expect((await post(emulator, secrets("LANGSMITH_API_KEY"))).status).toBe(201);
  });

  it.each([
    ["display_name", bodyOf("github", {}, {}, { display_name: "Chat" })],
    ["id", bodyOf("github", {}, {}, { id: integration })],
    ["repo_commit_sha", bodyOf("github", {}, { repo_commit_sha: "abc" })],
  ])("the key %s, which no schema of a creation has (2.1)", async (key, body) => {
    const reply = await post(await start(), body);
    expect(reply.status).toBe(422);
    const [problem] = reply.body["detail"] as { type: string; loc: string[] }[];
    expect(problem).toMatchObject({ type: "extra_forbidden" });
    expect(problem?.loc.at(-1)).toBe(key);
    const tolerant = await start({ rules: langsmithWith({ unknownKeys: "ignore" }) });
    expect((await post(tolerant, body)).status).toBe(201);
  });

  it("a repository that the integration does not list", async () => {
    const emulator = await start();
    emulator.repositories(integration, [{ owner: "acme", url: "https://github.com/acme/other" }]);
    expect(await post(emulator, bodies.github)).toMatchObject(
      refusal("LangSmith Deployment does not have permission on your repo"),
    );
  });
});

describe("a response (1.6)", () => {
  it("has explicit nulls, and what the service fills in", async () => {
    const { body } = await created(await start());
    expect(body).toMatchObject({
      status: "AWAITING_DATABASE",
      active_revision_id: null,
      secret_references: null,
      source_config: {
        deployment_type: "prod",
        build_on_push: false,
        custom_url: null,
        listener_id: null,
        resource_spec: {
          ...{ min_scale: 1, max_scale: 1, cpu: 1, cpu_limit: null, memory_mb: 2048 },
          ...{ memory_limit_mb: null, queue_cpu: null, labels: null },
        },
      },
      source_revision_config: { repo_ref: null, langgraph_config_path: null, repo_commit_sha: null },
    });
    expect(body["latest_revision_id"]).not.toBeNull();
  });

  it("has the keys of today's version, or those of an earlier one", async () => {
    const { body } = await created(await start(), bodies.github);
    expect(body).toMatchObject({
      display_name: null,
      url: null,
      source_config: { repo_branch: "main", template_id: null },
      source_revision_config: { tracked_packages: null },
    });
    const earlier = await start({ rules: langsmithWith({ laterKeys: false }) });
    expect((await created(earlier, bodies.github)).body).not.toHaveProperty("display_name");
  });

  it.each([
    ["github", /^https:\/\/chat-\w+\.us\.langgraph\.app$/, true],
    ["external_docker", /^https:\/\/langsmith\.example\.com\/lgp\/chat-\w+$/, false],
  ] as const)("has the address of a %s deployment once it runs (10.1)", async (source, address, isAtTop) => {
    const { get } = await deployed(await start({ rollout: { polls: 0 } }), bodies[source]);
    const { url, source_config } = (await get()).body as {
      url: unknown;
      source_config: { custom_url: string };
    };
    expect(source_config.custom_url).toMatch(address);
    expect(url).toBe(isAtTop ? source_config.custom_url : null);
  });

  it("shows secrets in clear, in lists as well (7.3, 7.14)", async () => {
    const emulator = await start();
    const secrets = [{ name: "KEY", value: "v" }];
    expect((await created(emulator, { ...bodies.github, secrets })).body).toMatchObject({ secrets });
    const { body } = await call(emulator, "GET", "/v2/deployments?name=chat");
    expect(body).toMatchObject({
      resources: [{ secrets, source_config: { repo_url: repository } }],
      offset: 1,
    });
  });
});
