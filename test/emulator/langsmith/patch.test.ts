import { describe, expect, it } from "vitest";
import { bodies, bodyOf, deployed, image, needs, nobody, refusal, start, takesNo } from "./support";

const secret = (name: string) => ({ name, value: "v" });
const reference = { name: "DB", secret_name: "chat", secret_key: "db" };
const secrets = [secret("A"), secret("B")];
const docker = bodyOf(
  "external_docker",
  { resource_spec: { cpu: 2 }, custom_url: "https://chat.example.com" },
  {},
  { secrets, secret_references: [reference] },
);
const config = (source_config: object) => ({ source_config });
const revision = (source_revision_config: object) => ({ source_revision_config });

describe("a PATCH", () => {
  it.each([
    ["nothing", {}],
    ["nulls for whole parts", { source_config: null, source_revision_config: null, secrets: null }],
    ["null for secret_references", { secret_references: null }],
    ["nulls inside", config({ custom_url: null, resource_spec: null, listener_id: null })],
    ["null for an image", revision({ image_uri: null })],
    ["an empty list of secrets", { secrets: [] }],
  ])("with %s changes nothing and creates no revision (7.1, 7.2)", async (_what, change) => {
    const { made, patch, revisions } = await deployed(await start(), docker);
    const { updated_at: _then, status: _before, ...before } = made;
    expect(await patch(change)).toMatchObject({ status: 200, body: before });
    expect(await revisions()).toHaveLength(1);
  });

  it.each([
    ["secrets", [secret("B")]],
    ["secret_references", []],
  ])("replaces all %s (7.2)", async (key, list) => {
    const { patch } = await deployed(await start(), docker);
    expect((await patch({ [key]: list })).body).toMatchObject({ [key]: list });
  });

  it.each<[what: string, body: object, change: object, revisions: 1 | 2]>([
    ["repo_ref", bodies.github, revision({ repo_ref: "main" }), 2],
    ["langgraph_config_path", bodies.github, revision({ langgraph_config_path: "x.json" }), 2],
    ["image_uri", docker, revision({ image_uri: image }), 2],
    ["resource_spec", docker, config({ resource_spec: {} }), 2],
    ["secrets", docker, { secrets }, 2],
    ["secret_references", docker, { secret_references: [reference] }, 2],
    ["no secret_references", docker, { secret_references: [] }, 2],
    ["install_command", bodies.github, config({ install_command: "npm ci" }), 2],
    ["build_command", bodies.github, config({ build_command: "npm run build" }), 2],
    ["build_on_push", bodies.github, config({ build_on_push: true }), 1],
    ["custom_url", docker, config({ custom_url: "https://other.example.com" }), 1],
    ["display_name", docker, { display_name: "Chat" }, 1],
    ["an empty source_revision_config", docker, revision({}), 1],
  ])("with %s creates a revision, or not (7.4)", async (_what, body, change, count) => {
    const { patch, revisions } = await deployed(await start(), body);
    expect((await patch(change)).status).toBe(200);
    expect(await revisions()).toHaveLength(count);
  });

  it.each([
    ["integration_id", config({ integration_id: nobody })],
    ["repo_url", config({ repo_url: "https://github.com/acme/other" })],
    ["deployment_type", config({ deployment_type: "prod" })],
    ["listener_id", config({ listener_id: nobody })],
    ["name", { name: "other" }],
    ["source", { source: "external_docker" }],
    ["revision_source", { revision_source: "external_docker" }],
    ["revision_source", { revision_source: "internal_template" }],
    ["display_name", { display_name: "" }],
  ])("cannot change %s (4, 7.6, 7.7)", async (field, change) => {
    const { patch } = await deployed(await start(), bodies.github);
    const { status, body } = await patch(change);
    expect(status).toBe(422);
    const [problem] = body["detail"] as { loc: string[] }[];
    expect(problem?.loc.at(-1)).toBe(field);
  });
});

describe("a PATCH is judged by what the deployment would be (7.5)", () => {
  it("and cannot combine build_on_push with a tag", async () => {
    const tag = { repo_ref: "refs/tags/v1" };
    const pushed = await deployed(await start(), bodyOf("github", { build_on_push: true }));
    expect((await pushed.patch(revision(tag))).status).toBe(400);
    expect((await pushed.patch({ ...revision(tag), ...config({ build_on_push: false }) })).status).toBe(200);
    const tagged = await deployed(await start(), bodyOf("github", {}, tag));
    expect((await tagged.patch(config({ build_on_push: true }))).status).toBe(400);
    expect((await tagged.get()).body).toMatchObject(config({ build_on_push: false }));
  });

  it.each([
    ["github", revision({ image_uri: image }), "source_revision_config.image_uri"],
    ["github", config({ resource_spec: {} }), "source_config.resource_spec"],
    ["external_docker", config({ build_on_push: false }), "source_config.build_on_push"],
    ["internal_docker", config({ custom_url: "https://x" }), "source_config.custom_url"],
  ] as const)("and refused for source %s: %j", async (source, change, path) => {
    const { patch } = await deployed(await start(), bodies[source]);
    expect(await patch(change)).toMatchObject(takesNo(path, source));
  });

  it("and its revision by the source of the revision", async () => {
    const { patch, get } = await deployed(await start(), bodies.internal_docker);
    const revise = (revision_source: string, given: object) => patch({ revision_source, ...revision(given) });
    expect((await revise("internal_docker", { image_uri: image })).status).toBe(200);
    expect(await revise("github", { langgraph_config_path: "x.json" })).toMatchObject(
      needs("source_revision_config.repo_ref", "github"),
    );
    expect((await revise("github", { repo_ref: "main", langgraph_config_path: "x.json" })).status).toBe(200);
    const resources = [{ source: "github" }, { source: "internal_docker" }];
    expect((await get("/revisions")).body).toMatchObject({ resources });
    expect((await get()).body).toMatchObject({ source: "internal_docker" });
  });

  it("and refused for a deployment for uploads that is to run an image", async () => {
    const { patch } = await deployed(await start(), bodies.internal_source);
    const detail =
      "Source configuration error: a deployment of source 'internal_source' cannot take a revision of source 'internal_docker'";
    const change = { revision_source: "internal_docker", ...revision({ image_uri: image }) };
    expect(await patch(change)).toMatchObject(refusal(detail));
  });
});
