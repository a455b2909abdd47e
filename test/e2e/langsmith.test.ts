/** Deployments at the public service, from creation to deletion, with the real CLI. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { declaring, useProduct, type Run } from "./support";

const integrationId = "11111111-1111-4111-8111-111111111111";
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const repository = { integrationId, repoUrl: "https://github.com/acme/chat" };
const onWire = { integration_id: integrationId, repo_url: repository.repoUrl };
const main = { repoRef: "main", graphConfigPath: "langgraph.json" };
const image = (tag: number) => ({ imageUri: `registry.example.com/chat:${tag}` });

type Declarations = Record<string, Record<string, unknown>>;

/** At least one deployment of each source. */
const first: Declarations = {
  branch: { source: "codehost", sourceConfig: repository, sourceRevisionConfig: main },
  built: {
    source: "codehost",
    sourceConfig: { ...repository, buildOnPush: true, installCommand: "npm ci", deploymentType: "dev" },
    sourceRevisionConfig: main,
    secrets: { B: "b-1", A: "a-1" },
  },
  sized: {
    source: "external_container",
    sourceConfig: { customUrl: "https://sized.example.com", resourceSpec: { cpu: 0.5, maxScale: 3 } },
    sourceRevisionConfig: image(1),
    secretReferences: { DB: { secretName: "db", secretKey: "url" } },
  },
  bare: { source: "external_container", sourceRevisionConfig: image(1) },
  pushed: { source: "internal_container", sourceConfig: { deploymentType: "dev" } },
  archive: {
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
    secrets: { A: "a-1" },
  },
  template: { source: "internal_template" },
};

describe("deployments of every source at the public service", () => {
  let declared = first;
  // There is nothing to run yet, so there is no rollout to wait for.
  const nothing = { polls: 0 };
  const rollout = { byName: { pushed: nothing, archive: nothing } };
  const product = useProduct({ program: declaring(first), emulator: { rules: langsmith, rollout }, env });
  /** Changes each named deployment; `undefined` takes an argument away. */
  const declare = (changes: Declarations) => {
    const changed = Object.entries(declared).map(([name, args]) => [name, { ...args, ...changes[name] }]);
    declared = Object.fromEntries(changed) as Declarations;
    product.stack.write(declaring(declared));
  };
  /** The body of the PATCH for each deployment, by its name. */
  const changesByName = () => {
    const nameOf = (path: string) => product.emulator.deployment(path.split("/").at(-1)!)?.name;
    const changes = product.emulator.requests().filter(({ method }) => method === "PATCH");
    return Object.fromEntries(changes.map(({ path, body }) => [nameOf(path), body]));
  };
  const outputsOf = (name: string) => product.stack.resource(name).outputs ?? {};
  const generations = () =>
    Object.fromEntries(Object.keys(declared).map((name) => [name, outputsOf(name)["generation"]]));
  const said = ({ screen }: Run) =>
    screen
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => /^(warning: )?\w+: (creates|updates|replaces|after) |no longer declared/.test(line))
      .sort();

  it("are created with what each source needs, and nothing that it does not take (A10 to A14)", async () => {
    const { writes } = await product.up();
    const bodies = writes.map(({ body }) => body as { name: string; source_config: object });
    // The service itself refuses missing fields, and those that a source does not accept.
    expect(Object.fromEntries(bodies.map(({ name, source_config }) => [name, source_config]))).toEqual({
      archive: { deployment_type: "dev" },
      bare: { resource_spec: {} },
      branch: { ...onWire, deployment_type: "prod", build_on_push: false },
      built: { ...onWire, deployment_type: "dev", build_on_push: true, install_command: "npm ci" },
      pushed: { deployment_type: "dev" },
      sized: { custom_url: "https://sized.example.com", resource_spec: { cpu: 0.5, max_scale: 3 } },
      template: { deployment_type: "prod" },
    });
    expect(bodies.find(({ name }) => name === "built")).toMatchObject({
      source: "github",
      source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
      secrets: [
        { name: "A", value: "a-1" },
        { name: "B", value: "b-1" },
      ],
    });
    const { latestRevisionId } = outputsOf("branch");
    expect(outputsOf("branch")).toMatchObject({
      status: "READY",
      latestRevisionStatus: "DEPLOYED",
      activeRevisionId: latestRevisionId,
      url: expect.stringMatching(/^https:\/\/branch-\w+\.us\.langgraph\.app$/) as unknown,
    });
    // A deployment in the user's own cluster has its address only in `custom_url`, and only after the rollout.
    expect(outputsOf("bare")["url"]).toMatch(/^https:\/\/langsmith\.example\.com\/lgp\/bare-\w+$/);
  });

  it("show no change afterwards, not after a refresh either, which shares its requests (A18, A19)", async () => {
    const { requests } = await product.preview({ args: ["--expect-no-changes"] });
    expect(requests).toEqual([]);
    const refreshed = await product.refresh({ args: ["--expect-no-changes"] });
    expect(refreshed.requests.length).toBeLessThanOrEqual(2);
    expect(new Set(refreshed.requests)).toEqual(new Set(["GET /v2/deployments 200"]));
  });

  it("change by one PATCH each, of what changed, and the preview says which makes a revision (C01 to C07, G03)", async () => {
    product.emulator.change("sized", ({ source_config }) => {
      source_config["resource_spec"] = { ...(source_config["resource_spec"] as object), queue_cpu: 2 };
    });
    declare({
      branch: { sourceRevisionConfig: { ...main, repoRef: "refs/tags/v1" } },
      built: { sourceConfig: { ...first["built"]!["sourceConfig"]!, buildOnPush: false } },
      sized: {
        sourceConfig: { customUrl: "https://sized.example.com", resourceSpec: { cpu: 0.5, maxScale: 5 } },
      },
      bare: { sourceConfig: { customUrl: "https://bare.example.com" } },
      pushed: { sourceRevisionConfig: image(7), revisionSource: "internal_container" },
      archive: {
        sourceConfig: { deploymentType: "dev", buildCommand: "make" },
        secrets: { A: "a-2", B: "b-1" },
      },
    });
    const preview = await product.preview();
    expect(preview.requests).toEqual([]);
    const lines = [
      "archive: creates a new revision (sourceConfig.buildCommand, secrets: +B, ~A)",
      "bare: updates settings, no new revision (sourceConfig.customUrl)",
      "branch: creates a new revision (sourceRevisionConfig.repoRef)",
      "built: updates settings, no new revision (sourceConfig.buildOnPush)",
      "pushed: creates a new revision (sourceRevisionConfig.imageUri)",
      "sized: creates a new revision (sourceConfig.resourceSpec.maxScale)",
    ];
    expect(said(preview)).toEqual(lines);

    const run = await product.up();
    expect(said(run)).toEqual(lines);
    expect(changesByName()).toEqual({
      archive: {
        source_config: { build_command: "make" },
        secrets: [
          { name: "A", value: "a-2" },
          { name: "B", value: "b-1" },
        ],
      },
      bare: { source_config: { custom_url: "https://bare.example.com" } },
      branch: { source_revision_config: { repo_ref: "refs/tags/v1" } },
      built: { source_config: { build_on_push: false } },
      pushed: {
        revision_source: "internal_docker",
        source_revision_config: { image_uri: "registry.example.com/chat:7" },
      },
      sized: {
        source_config: {
          resource_spec: expect.objectContaining({ cpu: 0.5, max_scale: 5, queue_cpu: 2 }) as unknown,
        },
      },
    });
    const made = { branch: 2, built: 1, sized: 2, bare: 1, pushed: 2, archive: 2, template: 1 };
    expect(generations()).toEqual(made);
    const revisions = product.emulator.deployments().map((each) => [each.name, each.revisions.length]);
    // Without an image or an archive there is no first revision.
    const unfilled = { pushed: 1, archive: 0 };
    expect(Object.fromEntries(revisions)).toEqual({ ...made, ...unfilled });
  });

  it("is replaced under its own name once its deletion frees that (D02, D03)", async () => {
    declare({ template: { deleteTracingProject: true } });
    expect((await product.up()).writes).toEqual([]);
    declare({ template: { sourceConfig: { deploymentType: "dev" } } });
    const { writes, screen } = await product.up();
    expect(writes.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    expect(screen).not.toContain("warning");
    expect(product.emulator.deployment("template")).toMatchObject({
      source_config: { deployment_type: "dev" },
    });
  });

  it("are deleted and waited for until they are gone; their tracing projects stay (I01, I09, I10)", async () => {
    const { requests } = await product.destroy();
    const deletions = product.emulator.requests().filter(({ method }) => method === "DELETE");
    expect(deletions).toHaveLength(7);
    const queries = deletions.map(({ query }) => query);
    expect(queries.filter(({ delete_tracing_project: wanted }) => wanted === "true")).toHaveLength(1);
    // AWAITING_DELETE, AWAITING_FINAL_DELETE, and then they are missing from the list. None is read by its id.
    expect(requests.filter((line) => line === "GET /v2/deployments 200").length).toBeGreaterThanOrEqual(3);
    expect(requests).not.toContain("GET /v2/deployments/<id> 404");
    expect(product.emulator.deployments()).toEqual([]);
    expect([...product.emulator.tracingProjects].sort()).toEqual(
      Object.keys(first)
        .filter((name) => name !== "template")
        .sort(),
    );
  });
});
