/** Plays the workflows of the examples job by job, in copies of the packed examples, with the secrets that each job sees. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { isLong } from "../../support/runs";
import { copyOf, type Copied } from "./copied";
import { GitHub, playGitLabJob, playJob, type Runner } from "./jobs";

const token = "pul-0123456789";
const key = "emulator-key";
const deployments = ".github/workflows/deployments.yml";
const drift = ".github/workflows/drift.yml";
const previewSecrets = { PULUMI_ACCESS_TOKEN: token };
const allSecrets = { PULUMI_ACCESS_TOKEN: token, DEPLOYMENT_SERVICE_API_KEY: key };

const secrets = { preview: previewSecrets, prod: allSecrets, drift: allSecrets };

function runnerIn({ stack, emulator, env }: Copied, values: Record<string, string>, github?: GitHub): Runner {
  return {
    folder: stack.folder,
    machine: { ...env, ...github?.variables },
    secrets,
    values: { "github.token": "ghs_token", "github.repository": "acme/chat", ...values },
    instead: { DEPLOYMENT_SERVICE_URL: emulator.url },
  };
}

/** A copy of an example with a stack `prod` that has a key of a model, and the state of GitHub. */
function useExample(example: string): { copied: Copied; github: GitHub } {
  const at = {} as { copied: Copied; github: GitHub };
  beforeAll(async () => {
    at.copied = await copyOf(example, inject("packed").folder, { existing: "prod" });
    await at.copied.stack.setConfig("modelApiKey", "sk-prod-0123456789", { secret: true });
    at.github = new GitHub(join(at.copied.stack.folder, "store.json"));
  });
  afterAll(() => at.copied.end());
  return at;
}

const commit = "github.event.pull_request.head.sha || github.sha";

describe("the workflow of 03-ci", () => {
  const at = useExample("03-ci");
  const play = (file: string, name: string, more: Record<string, string> = {}) => {
    const values = { [commit]: "4f1c", "github.sha": "4f1c", "github.event.number": "7", ...more };
    return playJob(file, name, runnerIn(at.copied, values, at.github));
  };

  it("checks and previews without a key and without a request, and comments what is new", async () => {
    expect(await play(deployments, "validate")).toMatchObject({ isGreen: true });
    expect(await play(deployments, "preview")).toMatchObject({ isGreen: true });
    await play(deployments, "comment");
    expect(await play(deployments, "comment")).toMatchObject({ isGreen: true });
    expect(at.copied.emulator.requests()).toEqual([]);
    const [comment, ...others] = at.github.comments;
    expect(others).toEqual([]);
    expect(comment!.body.split("\n")[1]).toMatch(/^1 creation\b/);
    expect(comment!.body).toContain("assistant:4f1c");
    expect(comment!.body).not.toContain("sk-prod");
  });

  it("comments a preview that fails, and fails", async () => {
    const manifest = join(at.copied.stack.folder, "deployments.yaml");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replace("minScale: 1", "minScale: few"));
    expect(await play(deployments, "preview")).toMatchObject({ isGreen: false });
    writeFileSync(manifest, text);
    await play(deployments, "comment");
    expect(at.github.comments).toHaveLength(1);
    expect(at.github.comments[0]!.body).toContain("minScale");
  });

  it("applies what is merged, with the key, and previews the next one without it", async () => {
    expect(await play(deployments, "apply")).toMatchObject({ isGreen: true });
    expect(at.copied.emulator.deployment("assistant")).toMatchObject({ status: "READY" });
    at.copied.emulator.clearRequests();
    const { page } = await play(deployments, "preview", { [commit]: "9d2e" });
    expect(page).toContain("1 new revision");
    await play(deployments, "comment");
    expect(at.copied.emulator.requests()).toEqual([]);
    expect(at.github.comments[0]!.body).toContain("1 new revision");
  });

  it("shows what was changed by hand before someone approves that it is undone; at night nothing of it is left", async () => {
    const changeByHand = () =>
      at.copied.emulator.change("assistant", ({ source_config }) => {
        source_config["resource_spec"] = { min_scale: 1, max_scale: 7 };
      });
    changeByHand();
    at.copied.emulator.clearRequests();
    const { page, isGreen } = await play(deployments, "plan");
    expect(isGreen).toBe(true);
    expect(page).toMatch(/Changed by hand[^]*maxScale/);
    expect(new Set(at.copied.emulator.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(await play(deployments, "apply")).toMatchObject({ isGreen: true });
    expect(await play(drift, "drift")).toMatchObject({ isGreen: true });
  });

  it("finds at night what was changed by hand, shows it, and leaves it alone", async () => {
    at.copied.emulator.change("assistant", ({ source_config }) => {
      source_config["resource_spec"] = { min_scale: 1, max_scale: 9 };
    });
    at.copied.emulator.clearRequests();
    const { isGreen, page } = await play(drift, "drift");
    expect(isGreen).toBe(false);
    expect(page).toContain("maxScale");
    expect(new Set(at.copied.emulator.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});

// It runs the same commands as the workflow.
describe.runIf(isLong)("the pipeline of 03-ci for GitLab", () => {
  const at = useExample("03-ci");

  it("checks, previews, applies and looks for drift like the workflow", async () => {
    const { copied } = at;
    const play = (name: string) =>
      playGitLabJob(".gitlab-ci.yml", name, runnerIn(copied, { CI_COMMIT_SHA: "4f1c" }));
    const read = (file: string) => readFileSync(join(copied.stack.folder, file), "utf8");
    expect(await play("check")).toMatchObject({ isGreen: true });
    expect(await play("preview")).toMatchObject({ isGreen: true });
    expect(copied.emulator.requests()).toEqual([]);
    expect(read("preview.md")).toMatch(/^1 creation\b/);
    expect(await play("plan")).toMatchObject({ isGreen: true });
    expect(read("plan.md")).toMatch(/^1 creation\b/);
    expect(await play("apply")).toMatchObject({ isGreen: true });
    expect(await play("drift")).toMatchObject({ isGreen: true });
    copied.emulator.change("assistant", ({ source_config }) => {
      source_config["resource_spec"] = { min_scale: 1, max_scale: 9 };
    });
    expect(await play("drift")).toMatchObject({ isGreen: false });
    expect(read("drift.md")).toContain("maxScale");
  });
});

describe("the workflow of 08-pull-requests", () => {
  const at = useExample("08-pull-requests");
  const play = (name: string) => {
    const values = { "github.event.number": "7", "github.event.pull_request.head.sha": "4f1c" };
    const ofPullRequests = { ...allSecrets, REVIEW_MODEL_API_KEY: "sk-review-0123456789" };
    const secrets = { preview: previewSecrets, "pull-requests": ofPullRequests };
    const runner = { ...runnerIn(at.copied, values, at.github), secrets };
    return playJob(".github/workflows/pull-requests.yml", name, runner);
  };

  it("comments the preview against prod, without a request", async () => {
    expect(await play("preview")).toMatchObject({ isGreen: true });
    expect(await play("comment")).toMatchObject({ isGreen: true });
    expect(at.github.comments[0]!.body).toContain("1 creation");
    expect(at.copied.emulator.requests()).toEqual([]);
  });

  it("deploys once the image is there, and never where its build failed", async () => {
    at.github.checks = ["failure"];
    const failed = await play("image");
    expect(failed.isGreen).toBe(false);
    expect(failed.output).toContain("the check build of 4f1c ended with failure");
    at.github.checks = ["success"];
    expect(await play("image")).toMatchObject({ isGreen: true });
  });

  it("gives the address of the stack, and removes all of it when the pull request is closed", async () => {
    const { isGreen, outputs } = await play("up");
    expect(isGreen).toBe(true);
    expect(outputs["steps.up.outputs.url"]).toMatch(/^https:\/\/concierge-pr-7-/);
    expect(await play("down")).toMatchObject({ isGreen: true });
    expect(at.copied.emulator.deployments()).toEqual([]);
  });
});

describe("the workflow of 09-promote", () => {
  const image = (digit: string) => `registry.example.com/billing@sha256:${digit.repeat(64)}`;
  const at = useExample("09-promote");
  const play = (name: string, values: Record<string, string>) => {
    const secrets = { promotion: allSecrets, prod: allSecrets };
    return playJob(".github/workflows/promote.yml", name, { ...runnerIn(at.copied, values), secrets });
  };
  const runs = (name: string) => at.copied.emulator.deployment(name)?.source_revision_config["image_uri"];
  beforeAll(() => {
    const { emulator } = at.copied;
    emulator.create({
      name: "billing-staging",
      source: "external_container",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: image("1") },
      secrets: [],
    });
    emulator.finish("billing-staging");
  });

  it("gives prod what was previewed, although staging moved on before it was approved", async () => {
    const previewed = await play("preview", { "inputs.image": "" });
    expect(previewed.output).toBe("");
    expect(previewed.page).toContain(image("1").slice(0, 60));
    at.copied.emulator.change(
      "billing-staging",
      ({ source_revision_config }) => {
        source_revision_config["image_uri"] = image("2");
      },
      { revision: true },
    );
    const output = previewed.outputs["steps.preview.outputs.image"]!;
    expect(output).toBe(image("1"));
    const promoted = await play("promote", { "needs.preview.outputs.image": output });
    expect(promoted).toMatchObject({ isGreen: true });
    expect(runs("billing-prod")).toBe(image("1"));
  });

  it("rolls back to the image that the person who starts it enters", async () => {
    const previewed = await play("preview", { "inputs.image": image("3") });
    expect(previewed.outputs["steps.preview.outputs.image"]).toBe(image("3"));
  });
});
