/** The script of examples/08-pull-requests. A job may be killed anywhere, and the next one succeeds. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Emulator } from "../../../emulator";
import { Workspace } from "./pull-requests";

let at: Workspace;
let emulator: Emulator;
beforeAll(async () => {
  at = await Workspace.start(inject("packed").folder);
  ({ emulator } = at.copied);
});
afterAll(() => at?.copied.end());

const review = { IMAGE_TAG: "4f1c", REVIEW_MODEL_API_KEY: "sk-review" };
const names = () => emulator.deployments().map(({ name }) => name);
const posts = () => emulator.requests().filter(({ method }) => method === "POST");
const deploymentNamed = (name: string) => ({
  name,
  source: "external_docker",
  source_config: { resource_spec: {} },
  source_revision_config: { image_uri: "registry.example.com/concierge:1" },
  secrets: [],
});
/** Resolves when a write has succeeded, whose response never comes. */
const unheard = (method: string) =>
  emulator.fail({ when: { method }, how: { hang: true, work: true } }).firstHit;

describe("a stack of a pull request", () => {
  it("is created by the next run, wherever one was killed: one deployment, with separate secrets", async () => {
    expect(await at.killAfter("stack select", "up 7", review)).toMatchObject({ exitCode: null });
    await at.kill("up 7", unheard("POST"), review);
    expect(names()).toEqual(["concierge-pr-7"]);
    const { exitCode, stdout, output } = await at.run("up 7", review);
    expect(output).not.toContain("pending operations");
    expect(exitCode).toBe(0);
    // The service names the address only once the deployment runs.
    expect(stdout).toMatch(/^https:\/\/langsmith\.example\.com\/lgp\/concierge-pr-7-\w+\n$/);
    expect(posts()).toHaveLength(1);
    expect(emulator.deployment("concierge-pr-7")).toMatchObject({
      status: "READY",
      source_revision_config: { image_uri: "registry.example.com/concierge:4f1c" },
      secrets: [{ name: "MODEL_API_KEY", value: "sk-review" }],
    });
    expect(at.stacks).toEqual(["pr-7", "prod"]);
  });

  it("is deleted as a whole by the next run, wherever one was killed", async () => {
    await at.kill("down 7", unheard("DELETE"));
    await at.killAfter("destroy", "down 7");
    expect(at.stacks).toContain("pr-7");
    const { exitCode, output } = await at.killAfter("stack rm", "down 7");
    expect({ exitCode, output }).toMatchObject({ exitCode: null });
    expect(at.stacks).toEqual(["prod"]);
    expect(await at.run("down 7")).toMatchObject({ exitCode: 0 });
    expect(at.stacks).toEqual(["prod"]);
    expect(names()).toEqual([]);
    // A tracing project would keep the name.
    expect([...emulator.tracingProjects]).toEqual([]);
  });

  it("fails if another tracing project has the name, with the name and the ways out", async () => {
    emulator.tracingProjects.add("concierge-pr-6");
    const { exitCode, output } = await at.run("up 6", review);
    expect(exitCode).not.toBe(0);
    expect(output).toContain("There already exists a project in LangSmith named: concierge-pr-6");
    expect(output).toContain(
      "Delete the project in LangSmith (this deletes its traces too), or choose another name.",
    );
    emulator.tracingProjects.delete("concierge-pr-6");
    expect(await at.run("down 6")).toMatchObject({ exitCode: 0 });
  });

  it("is removed by a sweep with what a killed run never recorded; a sweep keeps open ones, and those whose pull request it cannot read", async () => {
    await at.kill("up 8", unheard("POST"), review);
    emulator.create(deploymentNamed("concierge-pr-80"));
    expect(await at.killAfter("import", "down 8")).toMatchObject({ exitCode: null });
    expect(names()).toHaveLength(2);
    await at.copied.stack.run(["stack", "init", "pr-9"]);
    await at.copied.stack.run(["stack", "init", "pr-10"]);
    at.github.pulls = { 8: "closed", 9: "open" };
    expect((await at.run("sweep", { SWEEP_MOST: "0" })).stdout).toContain(
      "pr-8: stays until the next sweep\n",
    );
    const { exitCode, stdout } = await at.run("sweep");
    expect(stdout.trimEnd().split("\n").sort()).toEqual([
      "pr-10: stays, for its pull request could not be read",
      "pr-8: removed, its pull request is closed",
      "pr-9: stays, its pull request is open",
    ]);
    expect(exitCode).toBe(1);
    expect(at.stacks).toEqual(["pr-10", "pr-9", "prod"]);
    expect(names()).toEqual(["concierge-pr-80"]);
    expect([...emulator.tracingProjects]).toEqual(["concierge-pr-80"]);
  });
});

describe("wrong use", () => {
  it.each(["up", "up 7;x", "down -1", "stop 7"])("is refused, and nothing is done: %s", async (words) => {
    const { exitCode, stderr } = await at.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("pull-request.sh up NUMBER ");
  });
});
