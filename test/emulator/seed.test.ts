import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Refusal, startEmulator, StateFileError, type Seed } from "../../emulator";
import { call, created, list, readOne, minimal, start } from "./support";

const integration = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
const url = "https://code.example.com/acme/chat";

const seed: Seed = {
  deployments: [
    {
      name: "chat",
      source: "external_container",
      source_revision_config: { image_uri: "r.example.com/chat:1" },
    },
    minimal("search", { secrets: [{ name: "KEY", value: "v" }] }),
  ],
  repositories: { [integration]: [{ owner: "acme", name: "chat", url }] },
  tracing_projects: ["old"],
  listeners: [{ compute_id: "cluster", namespaces: ["agents"] }],
};

describe("a seed", () => {
  it("is there from the beginning, each deployment ready", async () => {
    const emulator = await start({ seed });
    expect((await list(emulator)).map(({ name, status }) => [name, status])).toEqual([
      ["search", "READY"],
      ["chat", "READY"],
    ]);
    expect(emulator.tracingProjects()).toEqual(["old"]);
    expect(emulator.requests().map(({ path }) => path)).toEqual(["/v2/deployments"]);
  });

  it("is refused as a whole, with the place of each mistake", async () => {
    const emulator = await start();
    const wrong = (given: unknown) => call(emulator, "POST", "/_emulator/seed", given);
    const [chat] = seed.deployments!;
    const refusals: [given: unknown, ...loc: (string | number)[]][] = [
      [{ deployments: [chat, { ...chat, name: "b", source: "github" }] }, "deployments", 1, "source"],
      [{ deployments: [chat, chat] }, "deployments", 1],
      [{ deployment: [chat] }, "deployment"],
      [
        { repositories: { [integration]: [{ owner: "a", name: "b" }] } },
        "repositories",
        integration,
        0,
        "url",
      ],
      [{ deployments: [chat], listeners: [{ compute_id: "a" }] }, "listeners", 0, "namespaces"],
    ];
    for (const [given, ...loc] of refusals) {
      expect(await wrong(given)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
      expect(emulator.deployments()).toEqual([]);
    }
    await expect(start({ seed: { deployments: [{}] } })).rejects.toThrow(Refusal);
    expect((await wrong(seed)).status).toBe(204);
    expect(emulator.deployments()).toHaveLength(2);
  });
});

describe("a repository that the emulator was told of", () => {
  const said = { owner: "acme", name: "chat", url };
  const listed = { ...said, host_integration_id: integration, id: 1, default_branch: "main" };
  const path = `/v1/integrations/codehost/${integration}/repos`;

  it("is so too when it is told over HTTP, in the words that `--help` has for it", async () => {
    const emulator = await start();
    const tell = (repositories: unknown) =>
      call(emulator, "PUT", `/_emulator/repositories/${integration}`, { repositories });
    expect((await tell([said])).status).toBe(204);
    expect((await call(emulator, "GET", path)).body).toEqual([listed]);
    expect((await tell([{ ...said, defaultBranch: "main" }])).status).toBe(422);
  });
});

describe("a state file", () => {
  let folder: string;
  let state: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-"));
    state = join(folder, "state.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps what there is over restarts, rollouts that are under way included, and the seed for the first", async () => {
    const first = await startEmulator({ state, seed, rollout: { polls: 3 } });
    const { id } = await created(first, minimal("talk"));
    await readOne(first);
    await first.close();

    const second = await start({ state, seed });
    expect(second.deployments().map(({ name }) => name)).toEqual(["chat", "search", "talk"]);
    expect(second.tracingProjects()).toEqual(["old"]);
    expect(second.deployment("talk")).toMatchObject({ id, revisions: [{ state: "rolling-out", polls: 1 }] });
    await readOne(second);
    await readOne(second);
    expect(second.deployment("talk")).toMatchObject({ status: "READY" });
  });

  it("is whole after each request, also where the emulator is killed", async () => {
    const first = await start({ state });
    await created(first);
    expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ emulator: 1, dialect: "standard" });
    expect((await start({ state })).deployments()).toMatchObject([{ name: "chat" }]);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("is refused where it is something else, and stays as it is", async () => {
    writeFileSync(state, '{ "mine": true }\n');
    await expect(start({ state })).rejects.toThrow(StateFileError);
    expect(readFileSync(state, "utf8")).toBe('{ "mine": true }\n');
    writeFileSync(state, "");
    await expect(start({ state })).rejects.toThrow("is not a state file of the emulator");
    rmSync(state);
    await (await startEmulator({ state, dialect: "langsmith", seed: {} })).close();
    await expect(start({ state })).rejects.toThrow("of the dialect langsmith, not standard");
    await expect(start({ state: join(folder, "none", "state.json") })).rejects.toThrow("cannot write");
  });
});

describe("latency", () => {
  it("is there for each response, and can be changed", async () => {
    const emulator = await start({ latency: 30 });
    await list(emulator);
    emulator.configure({ latency: 0 });
    await list(emulator);
    const [slow] = emulator.requests();
    expect(slow!.ms).toBeGreaterThanOrEqual(29);
  });
});
