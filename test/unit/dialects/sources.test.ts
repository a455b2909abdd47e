/** A deployment of each source at the public service, from creation to deletion. */
import { expect, it } from "vitest";
import type { Rollout } from "../../../emulator";
import type { Values } from "../../../schema/tree";
import { startOne } from "../../support/one-deployment";

const integrationId = "11111111-1111-4111-8111-111111111111";
const repository = { integrationId, repoUrl: "https://github.com/acme/chat" };
const onWire = { integration_id: integrationId, repo_url: repository.repoUrl };
const main = { repoRef: "main", graphConfigPath: "langgraph.json" };
const image = (tag: number) => ({ imageUri: `registry.example.com/chat:${tag}` });
const customUrl = "https://sized.example.com";
/** There is nothing to run yet, so there is no rollout to wait for. */
const nothingToRun: Rollout = { polls: 0 };

interface Life {
  readonly first: Values;
  /** `source_config` of the creation. */
  readonly created: Values;
  readonly url?: RegExp;
  readonly rollout?: Rollout;
  /** What others set in `resource_spec`. */
  readonly others?: { queue_cpu: number };
  readonly change: Values;
  /** What the preview says of it. */
  readonly says: string;
  readonly patch: Values;
}

const lives: Readonly<Record<string, Life>> = {
  "a branch": {
    first: {
      source: "codehost",
      sourceConfig: { ...repository, installCommand: "npm ci" },
      sourceRevisionConfig: main,
    },
    created: { ...onWire, deployment_type: "prod", build_on_push: false, install_command: "npm ci" },
    url: /^https:\/\/chat-\w+\.us\.langgraph\.app$/,
    change: { sourceRevisionConfig: { ...main, repoRef: "refs/tags/v1" } },
    says: "creates a new revision (sourceRevisionConfig.repoRef)",
    patch: { source_revision_config: { repo_ref: "refs/tags/v1" } },
  },
  "a repository that is built on each push": {
    first: {
      source: "codehost",
      sourceConfig: { ...repository, buildOnPush: true, deploymentType: "dev" },
      sourceRevisionConfig: main,
    },
    created: { ...onWire, deployment_type: "dev", build_on_push: true },
    change: { sourceConfig: { ...repository, buildOnPush: false, deploymentType: "dev" } },
    says: "updates settings, no new revision (sourceConfig.buildOnPush)",
    patch: { source_config: { build_on_push: false } },
  },
  "a template": {
    first: { source: "internal_template" },
    created: { deployment_type: "prod" },
    change: { secrets: { A: "a-1" } },
    says: "creates a new revision (secrets: +A)",
    patch: { secrets: [{ name: "A", value: "a-1" }] },
  },
  "an image with a size": {
    first: {
      source: "external_container",
      sourceConfig: { customUrl, resourceSpec: { cpu: 0.5, maxScale: 3 } },
      sourceRevisionConfig: image(1),
      secretReferences: { DB: { secretName: "db", secretKey: "url" } },
    },
    created: { custom_url: customUrl, resource_spec: { cpu: 0.5, max_scale: 3 } },
    others: { queue_cpu: 2 },
    change: { sourceConfig: { customUrl, resourceSpec: { cpu: 0.5, maxScale: 5 } } },
    says: "creates a new revision (sourceConfig.resourceSpec.maxScale)",
    patch: {
      source_config: {
        resource_spec: expect.objectContaining({ cpu: 0.5, max_scale: 5, queue_cpu: 2 }) as unknown,
      },
    },
  },
  "a bare image": {
    first: { source: "external_container", sourceRevisionConfig: image(1) },
    created: { resource_spec: {} },
    // In the user's own cluster, it has its address only in `custom_url`, and only after the rollout.
    url: /^https:\/\/langsmith\.example\.com\/lgp\/chat-\w+$/,
    change: { sourceConfig: { customUrl } },
    says: "updates settings, no new revision (sourceConfig.customUrl)",
    patch: { source_config: { custom_url: customUrl } },
  },
  "an image that is pushed": {
    first: { source: "internal_container", sourceConfig: { deploymentType: "dev" } },
    created: { deployment_type: "dev" },
    rollout: nothingToRun,
    change: { sourceRevisionConfig: image(7), revisionSource: "internal_container" },
    says: "creates a new revision (sourceRevisionConfig.imageUri)",
    patch: {
      revision_source: "internal_docker",
      source_revision_config: { image_uri: "registry.example.com/chat:7" },
    },
  },
  "an archive": {
    first: {
      source: "internal_source",
      sourceConfig: { deploymentType: "dev" },
      sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
      secrets: { B: "b-1", A: "a-1" },
    },
    created: { deployment_type: "dev" },
    rollout: nothingToRun,
    change: {
      sourceConfig: { deploymentType: "dev", buildCommand: "make" },
      secrets: { A: "a-2", B: "b-1", C: "c-1" },
    },
    says: "creates a new revision (sourceConfig.buildCommand, secrets: +C, ~A)",
    patch: {
      source_config: { build_command: "make" },
      secrets: [
        { name: "A", value: "a-2" },
        { name: "B", value: "b-1" },
        { name: "C", value: "c-1" },
      ],
    },
  },
};

it.each(Object.entries(lives))(
  "%s is created with what its source needs and nothing else, is as declared then, and changes by one PATCH, as the preview says (A10 to A14, A18, A19, C01 to C07, G03)",
  async (_, { first, created, url, rollout, others, change, says, patch }) => {
    const args = { name: "chat", ...first };
    const one = await startOne({ dialect: "langsmith", ...(rollout && { rollout }) }, "langsmith");
    // The service itself refuses missing fields, and those that a source does not accept.
    expect(await one.up(args)).toMatchObject([{ method: "POST" }]);
    expect(one.writes[0]!.body).toHaveProperty("source_config", created);
    if (url !== undefined) expect(one.kept!.outputs["url"]).toMatch(url);
    expect(one.preview(args).kind).toBe("nothing");
    expect(await one.refresh()).toBe(false);

    one.emulator.change("chat", ({ source_config: config }) => {
      if (others) config["resource_spec"] = { ...(config["resource_spec"] as object), ...others };
    });
    const changed = { ...args, ...change };
    expect(one.preview(changed).explanation).toBe(says);
    expect(await one.up(changed)).toEqual([{ method: "PATCH", body: patch }]);
    expect(one.kept!.outputs["generation"]).toBe(says.startsWith("creates a new revision") ? 2 : 1);
    expect(one.preview(changed).kind).toBe("nothing");
  },
);

it("a deletion is waited for to its last step, and keeps the tracing project unless the program says otherwise (I01, I09, I10)", async () => {
  for (const deleteTracingProject of [undefined, true]) {
    const one = await startOne({ dialect: "langsmith" }, "langsmith");
    const sourceConfig = { deploymentType: "dev" };
    const args = { name: "chat", source: "internal_template", sourceConfig };
    await one.up(args);
    if (deleteTracingProject) expect(await one.up({ ...args, deleteTracingProject })).toEqual([]);
    await one.destroy();
    // AWAITING_DELETE, AWAITING_FINAL_DELETE, and then it is missing from the list.
    expect(one.reads).toBeGreaterThanOrEqual(3);
    expect(one.emulator.deployments()).toEqual([]);
    expect([...one.emulator.tracingProjects]).toEqual(deleteTracingProject ? [] : ["chat"]);
  }
});
