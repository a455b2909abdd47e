import { describe, expect, it } from "vitest";
import { bodies, bodyOf, created, image, needs, nobody, post, refusal } from "./support";
import { start, takesNo, type Source } from "./support";

describe("a source (2.1)", () => {
  it("github reports missing fields one at a time, in the order that was seen", async () => {
    const emulator = await start();
    const { source_config, source_revision_config } = bodies.github;
    const given = { source_config: {}, source_revision_config: {} } as Record<string, object>;
    const steps = [
      ["source_revision_config", "repo_ref", source_revision_config.repo_ref],
      ["source_revision_config", "langgraph_config_path", source_revision_config.langgraph_config_path],
      ["source_config", "integration_id", source_config.integration_id],
      ["source_config", "repo_url", source_config.repo_url],
      ["source_config", "deployment_type", source_config.deployment_type],
      ["source_config", "build_on_push", source_config.build_on_push],
    ] as const;
    for (const [part, key, value] of steps) {
      expect(await post(emulator, { ...bodies.github, ...given })).toMatchObject(
        needs(`${part}.${key}`, "github"),
      );
      given[part] = { ...given[part], [key]: value };
    }
    expect((await post(emulator, { ...bodies.github, ...given })).status).toBe(201);
  });

  it.each<[Source, object, object, string]>([
    ["external_docker", {}, { image_uri: null }, "source_revision_config.image_uri"],
    ["external_docker", { resource_spec: null }, {}, "source_config.resource_spec"],
    ["external_docker", { resource_spec: undefined }, {}, "source_config.resource_spec"],
  ])("%s is refused with %j and %j", async (source, config, revisionConfig, path) => {
    expect(await post(await start(), bodyOf(source, config, revisionConfig))).toMatchObject(
      needs(path, source),
    );
  });

  it("for uploads with and without langgraph_config_path", async () => {
    const emulator = await start();
    await created(emulator, bodyOf("internal_source"));
    const without = { langgraph_config_path: undefined };
    await created(emulator, bodyOf("internal_source", {}, without, { name: "new" }));
  });
});

describe("a field of another source (2.1)", () => {
  it.each<[Source, string, unknown]>([
    ["github", "source_revision_config.image_uri", image],
    ["github", "source_config.resource_spec", {}],
    ["external_docker", "source_config.deployment_type", "prod"],
    ["external_docker", "source_config.build_on_push", false],
    ["external_docker", "source_revision_config.repo_ref", "main"],
    ["internal_docker", "source_config.build_on_push", true],
    ["internal_docker", "source_revision_config.image_uri", image],
    ["internal_source", "source_revision_config.source_tarball_path", "a/b"],
    ["internal_template", "source_config.integration_id", nobody],
  ])("is refused: %s does not take %s", async (source, path, value) => {
    const [part, key = ""] = path.split(".");
    const given = { [key]: value };
    const body = part === "source_config" ? bodyOf(source, given) : bodyOf(source, {}, given);
    expect(await post(await start(), body)).toMatchObject(takesNo(path, source));
  });

  it("a field of another source can be null", async () => {
    const nulls = { custom_url: null, resource_spec: null, listener_id: null, listener_config: null };
    await created(await start(), bodyOf("github", nulls, { image_uri: null, source_tarball_path: null }));
  });

  it("is refused: only external_docker takes secret references", async () => {
    const secret_references = [{ name: "KEY", secret_name: "chat", secret_key: "key" }];
    const emulator = await start();
    const detail = "'secret_references' is not applicable for source 'github'.";
    expect(await post(emulator, { ...bodies.github, secret_references })).toMatchObject(refusal(detail));
    const response = await created(emulator, { ...bodies.external_docker, secret_references });
    expect(response).toMatchObject({ secret_references });
  });
});

describe("a value is refused", () => {
  it.each(["chat-", "chat_bot", "Chat", ""])("name: %s (7.8)", async (name) => {
    const reply = await post(await start(), { ...bodies.github, name });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "name"] }] } });
  });

  it.each(["serverless", "dedicated"])("deployment_type: %s, which only users say", async (type) => {
    const reply = await post(await start(), bodyOf("github", { deployment_type: type }));
    expect(reply.status).toBe(422);
  });

  it("build_on_push for a tag (7.5)", async () => {
    const emulator = await start();
    const tag = { repo_ref: "refs/tags/v1" };
    const reply = await post(emulator, bodyOf("github", { build_on_push: true }, tag));
    expect(reply.status).toBe(400);
    expect(String(reply.body["detail"])).toContain("build_on_push");
    await created(emulator, bodyOf("github", { build_on_push: false }, tag));
  });

  it.each([
    ["POSTGRES_URI", [false, true]],
    ["LANGSMITH_API_KEY", [true]],
    ["PORT", [true]],
  ])("a secret named %s, as in a cloud: %j (7.15)", async (name, refusing) => {
    const body = { ...bodies.external_docker, secrets: [{ name, value: "v" }] };
    for (const cloud of [false, true]) {
      const reply = await post(await start({ cloud }), body);
      const refused = refusal(`'${name}' is a reserved name and cannot be set.`);
      expect(reply).toMatchObject(refusing.includes(cloud) ? refused : { status: 201 });
    }
  });

  it.each([
    ["display_name", bodyOf("github", {}, {}, { display_name: "Chat" })],
    ["id", bodyOf("github", {}, {}, { id: nobody })],
    ["repo_commit_sha", bodyOf("github", {}, { repo_commit_sha: "abc" })],
  ])("the key %s, which is not in the schema (2.1)", async (key, body) => {
    const loc = expect.arrayContaining([key]) as string[];
    const detail = [{ type: "extra_forbidden", loc }];
    expect(await post(await start(), body)).toMatchObject({ status: 422, body: { detail } });
  });

  it("a repository that the integration does not list", async () => {
    const emulator = await start();
    emulator.repositories(nobody, [{ owner: "acme", url: "https://github.com/acme/other" }]);
    expect(await post(emulator, bodies.github)).toMatchObject(
      refusal("LangSmith Deployment does not have permission on your repo"),
    );
  });
});

describe("a response (1.6)", () => {
  it("contains explicit nulls, and what the service fills in", async () => {
    expect(await created(await start(), bodies.external_docker)).toMatchObject({
      ...{ status: "AWAITING_DATABASE", active_revision_id: null, secret_references: null },
      ...{ shareable: false, route_through_gateway: false, is_preview: false, is_managed_deep_agent: false },
      ...{ display_name: null, url: null, latest_revision_id: expect.any(String) as string },
      source_config: {
        ...{ deployment_type: "prod", build_on_push: false, custom_url: null, listener_id: null },
        resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, cpu_limit: null, memory_mb: 2048 },
      },
      source_revision_config: { repo_ref: null, langgraph_config_path: null, repo_commit_sha: null },
    });
    expect(await created(await start(), bodies.github)).toMatchObject({
      source_config: { repo_branch: "main", template_id: null },
      source_revision_config: { tracked_packages: null },
    });
  });
});
