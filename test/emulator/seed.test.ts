import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Refusal, startEmulator, StateFileError, type Seed } from "../../emulator";
import { scratch } from "../support/folders";
import { call, created, list, minimal, readOne, start } from "./support";

const integration = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
const repository = { owner: "acme", name: "chat", url: "https://code.example.com/acme/chat" };
const chat = {
  name: "chat",
  source: "external_container",
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
};

const seed: Seed = {
  deployments: [chat, minimal("search", { secrets: [{ name: "KEY", value: "v" }] })],
  repositories: { [integration]: [repository] },
  tracing_projects: ["old"],
};

describe("a seed", () => {
  it("is there from the start, with each deployment ready", async () => {
    const emulator = await start({ seed });
    expect((await list(emulator)).map(({ name, status }) => [name, status])).toEqual([
      ["search", "READY"],
      ["chat", "READY"],
    ]);
    expect([...emulator.tracingProjects]).toEqual(["old"]);
    expect(emulator.requestLines()).toEqual(["GET /v2/deployments 200"]);
    const listed = { ...repository, host_integration_id: integration, id: 1, default_branch: "main" };
    const { body } = await call(emulator, "GET", `/v1/integrations/codehost/${integration}/repos`);
    expect(body).toEqual([listed]);
  });

  it.each<[wrong: string, given: unknown, ...loc: (string | number)[]]>([
    ["source", { deployments: [chat, { ...chat, source: "github" }] }, "deployments", 1, "source"],
    ["second name", { deployments: [chat, chat] }, "deployments", 1],
    ["key", { deployment: [chat] }, "deployment"],
    ["listener", { deployments: [chat], listeners: { a: [1] } }, "listeners", "a", 0],
    [
      "repository",
      { repositories: { [integration]: [{ owner: "a", name: "b" }] } },
      ...["repositories", integration, 0, "url"],
    ],
  ])("with a wrong %s is refused as a whole, with the place", async (_wrong, given, ...loc) => {
    const emulator = await start();
    const reply = await call(emulator, "POST", "/_emulator/seed", given);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
    expect(emulator.deployments()).toEqual([]);
    await expect(start({ seed: given as Seed })).rejects.toThrow(Refusal);
  });

  it("a seed can be added later", async () => {
    const emulator = await start();
    expect((await call(emulator, "POST", "/_emulator/seed", seed)).status).toBe(204);
    expect(emulator.deployments()).toHaveLength(2);
  });
});

describe("a state file", () => {
  let folder: string;
  let state: string;
  beforeEach(() => {
    folder = scratch();
    state = join(folder, "state.json");
  });

  it("keeps everything between runs, including unfinished rollouts; the seed counts only once", async () => {
    const first = await startEmulator({ state, seed, rollout: { polls: 3 } });
    const { id } = await created(first, minimal("talk"));
    await readOne(first);
    await first.close();

    const second = await start({ state, seed });
    expect(second.deployments().map(({ name }) => name)).toEqual(["chat", "search", "talk"]);
    expect([...second.tracingProjects]).toEqual(["old"]);
    expect((await call(second, "GET", `/v1/integrations/codehost/${integration}/repos`)).status).toBe(200);
    expect(second.deployment("talk")).toMatchObject({ id, revisions: [{ state: "rolling-out", polls: 1 }] });
    await readOne(second);
    await readOne(second);
    expect(second.deployment("talk")).toMatchObject({ status: "READY" });
  });

  it("is complete after each request, even if the emulator is killed", async () => {
    await created(await start({ state }));
    expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ emulator: 1, dialect: "standard" });
    expect((await start({ state })).deployments()).toMatchObject([{ name: "chat" }]);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("is refused and left alone if it is something else", async () => {
    for (const text of ['{ "mine": true }\n', ""]) {
      writeFileSync(state, text);
      await expect(start({ state })).rejects.toThrow("is not a state file of the emulator");
      expect(readFileSync(state, "utf8")).toBe(text);
    }
    rmSync(state);
    await (await startEmulator({ state, dialect: "langsmith", seed: {} })).close();
    await expect(start({ state })).rejects.toThrow("was written for dialect langsmith, not standard");
    const missing = join(folder, "none", "state.json");
    await expect(start({ state: missing })).rejects.toThrow(StateFileError);
  });
});
