import { describe, expect, it } from "vitest";
import { langsmithWith } from "../../../emulator";
import { bodies, bodyOf, deployed, image, integration, needs, refusal, start, takesNo } from "./support";

const secret = (name: string) => ({ name, value: "v" });
const reference = { name: "DB", secret_name: "chat", secret_key: "db" };
const docker = {
  ...bodies.external_docker,
  source_config: { resource_spec: { cpu: 2 }, custom_url: "https://chat.example.com" },
  secrets: [secret("A"), secret("B")],
  secret_references: [reference],
};

describe("what a PATCH leaves as it is (7.1, 7.2)", () => {
  it.each([
    ["nothing", {}],
    ["nulls for whole parts", { source_config: null, source_revision_config: null, secrets: null }],
    ["null for secret_references", { secret_references: null }],
    ["null inside", { source_config: { custom_url: null, resource_spec: null, listener_id: null } }],
    ["null for an image", { source_revision_config: { image_uri: null } }],
    ["an empty list of secrets", { secrets: [] }],
  ])("%s changes nothing and makes no revision", async (_what, change) => {
    const emulator = await start();
    const { made, patch, revisions } = await deployed(emulator, docker);
    const { status, body } = await patch(change);
    expect(status).toBe(200);
    const { updated_at: _then, status: _before, ...before } = made;
    expect(body).toMatchObject(before);
    expect(await revisions()).toHaveLength(1);
  });

  it("an empty list of secrets can make a revision that changes nothing", async () => {
    const emulator = await start({ rules: langsmithWith({ emptySecretsRevise: true }) });
    const { patch, revisions } = await deployed(emulator, docker);
    expect((await patch({ secrets: [] })).body).toMatchObject({ secrets: docker.secrets });
    expect(await revisions()).toHaveLength(2);
  });
});

describe("what a PATCH replaces (7.2)", () => {
  it("all secrets, by a list that is not empty", async () => {
    const { patch } = await deployed(await start(), docker);
    expect((await patch({ secrets: [secret("B")] })).body).toMatchObject({ secrets: [secret("B")] });
  });

  it("all secret references, also by an empty list", async () => {
    const { patch, revisions } = await deployed(await start(), docker);
    expect((await patch({ secret_references: [] })).body).toMatchObject({ secret_references: [] });
    expect(await revisions()).toHaveLength(2);
  });
});

describe("what makes a revision (7.4)", () => {
  it.each([
    ["repo_ref", bodies.github, { source_revision_config: { repo_ref: "main" } }],
    ["langgraph_config_path", bodies.github, { source_revision_config: { langgraph_config_path: "x.json" } }],
    ["image_uri", docker, { source_revision_config: { image_uri: image } }],
    ["resource_spec", docker, { source_config: { resource_spec: {} } }],
    ["secrets", docker, { secrets: docker.secrets }],
    ["secret_references", docker, { secret_references: [reference] }],
    ["install_command", bodies.github, { source_config: { install_command: "npm ci" } }],
    ["build_command", bodies.github, { source_config: { build_command: "npm run build" } }],
  ])("%s does, be its value the same or not", async (_what, body, change) => {
    const { patch, revisions } = await deployed(await start(), body);
    expect((await patch(change)).status).toBe(200);
    expect(await revisions()).toHaveLength(2);
  });

  it.each([
    ["build_on_push", bodies.github, { source_config: { build_on_push: true } }],
    ["custom_url", docker, { source_config: { custom_url: "https://other.example.com" } }],
    ["display_name", docker, { display_name: "Chat" }],
    ["an empty source_revision_config", docker, { source_revision_config: {} }],
  ])("%s does not", async (_what, body, change) => {
    const { patch, revisions } = await deployed(await start(), body);
    expect((await patch(change)).status).toBe(200);
    expect(await revisions()).toHaveLength(1);
  });

  it("the two commands can be without a revision", async () => {
    const emulator = await start({ rules: langsmithWith({ commandsRevise: false }) });
    const { patch, revisions } = await deployed(emulator, bodies.github);
    const { body } = await patch({ source_config: { install_command: "npm ci" } });
    expect(body).toMatchObject({ source_config: { install_command: "npm ci" } });
    expect(await revisions()).toHaveLength(1);
  });
});

describe("what a PATCH cannot change (7.6)", () => {
  it.each([
    ["integration_id", { source_config: { integration_id: integration } }],
    ["repo_url", { source_config: { repo_url: "https://github.com/acme/other" } }],
    ["deployment_type", { source_config: { deployment_type: "prod" } }],
    ["listener_id", { source_config: { listener_id: integration } }],
    ["listener_config", { source_config: { listener_config: { k8s_namespace: "agents" } } }],
    ["template_id", { source_config: { template_id: "other" } }],
    ["name", { name: "other" }],
    ["source", { source: "external_docker" }],
  ])("%s", async (field, change) => {
    const { patch } = await deployed(await start(), bodies.github);
    const { status, body } = await patch(change);
    expect(status).toBe(422);
    const [problem] = body["detail"] as { loc: string[] }[];
    expect(problem?.loc.at(-1)).toBe(field);
  });

  it.each(["external_docker", "internal_template"])(
    "the source to %s for one revision (7.7)",
    async (source) => {
      const { patch } = await deployed(await start(), bodies.github);
      expect(await patch({ revision_source: source })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", "revision_source"], type: "enum" }] },
      });
    },
  );

  it("a display name to an empty one (4)", async () => {
    const { patch } = await deployed(await start(), bodies.github);
    expect((await patch({ display_name: "" })).status).toBe(422);
  });
});

describe("a PATCH is judged by what the deployment would be (7.5)", () => {
  const tag = { source_revision_config: { repo_ref: "refs/tags/v1" } };
  const push = { source_config: { build_on_push: true } };

  it("refuses a tag where pushes build", async () => {
    const { patch } = await deployed(await start(), bodyOf("github", { build_on_push: true }));
    expect((await patch(tag)).status).toBe(400);
    expect((await patch({ ...tag, source_config: { build_on_push: false } })).status).toBe(200);
  });

  it("refuses pushes that build where a tag is", async () => {
    const { patch, get } = await deployed(await start(), bodyOf("github", {}, { repo_ref: "refs/tags/v1" }));
    expect((await patch(push)).status).toBe(400);
    expect((await get()).body).toMatchObject({ source_config: { build_on_push: false } });
  });

  it.each([
    [bodies.github, { source_revision_config: { image_uri: image } }, "source_revision_config.image_uri"],
    [bodies.github, { source_config: { resource_spec: {} } }, "source_config.resource_spec"],
    [docker, { source_config: { build_on_push: false } }, "source_config.build_on_push"],
    [bodies.internal_docker, { source_config: { custom_url: "https://x" } }, "source_config.custom_url"],
  ])("refuses the fields of other sources", async (body, change, path) => {
    const { patch } = await deployed(await start(), body);
    expect(await patch(change)).toMatchObject(takesNo(path, body.source));
  });

  it("judges a revision by its own source", async () => {
    const { patch, get } = await deployed(await start(), bodies.internal_docker);
    const revise = (revision_source: string, source_revision_config: object) =>
      patch({ revision_source, source_revision_config });
    expect((await revise("internal_docker", { image_uri: image })).status).toBe(200);
    expect(await revise("github", { langgraph_config_path: "x.json" })).toMatchObject(
      needs("source_revision_config.repo_ref", "github"),
    );
    const both = { repo_ref: "main", langgraph_config_path: "x.json" };
    expect((await revise("github", both)).status).toBe(200);
    const { body } = await get("/revisions");
    expect(body).toMatchObject({ resources: [{ source: "github" }, { source: "internal_docker" }] });
    expect((await get()).body).toMatchObject({ source: "internal_docker" });
  });

  it("refuses a locally built image where sources are uploaded (10.12)", async () => {
    const { patch } = await deployed(await start(), bodies.internal_source);
    const change = { revision_source: "internal_docker", source_revision_config: { image_uri: image } };
    expect(await patch(change)).toMatchObject(
      refusal(
        "Source configuration error: a deployment of source 'internal_source' cannot take a revision of source 'internal_docker'",
      ),
    );
  });

  it("refuses reserved names", async () => {
    const { patch } = await deployed(await start(), docker);
    expect(await patch({ secrets: [secret("REDIS_URI")] })).toMatchObject(
      refusal("'REDIS_URI' is a reserved name and cannot be set."),
    );
  });
});

it("a display name is kept where responses have the key (2026-10)", async () => {
  const emulator = await start({ rules: langsmithWith({ laterKeys: true }) });
  const { patch, get } = await deployed(emulator, bodies.github);
  await patch({ display_name: "Chat", tracked_packages: null });
  expect((await get()).body).toMatchObject({ display_name: "Chat" });
});
