/** What somebody does who has an agent folder: a project for it in one command, and the real CLI with the emulator. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { langsmith, startEmulator, type Emulator } from "../../emulator";
import { Command, createStack, type Stack } from "../engine";
import { npmInstall } from "../support/npm-install";

const main = resolve("dist/provider/cli/main.js");
const secret = "sk-of-the-agent-0123456789";

describe("a project for an agent folder", () => {
  let folder: string;
  let emulator: Emulator;
  let stack: Stack;
  const agent = (file: string) => join(folder, "agent", file);
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "from-")));
    cpSync("examples/11-folder/agent", join(folder, "agent"), { recursive: true });
    const config = JSON.parse(readFileSync(agent("langgraph.json"), "utf8")) as object;
    writeFileSync(agent("langgraph.json"), JSON.stringify({ ...config, env: ".env" }));
    writeFileSync(agent(".env"), `export MODEL_API_KEY="${secret}"\nMODEL=small\n`);
    execFileSync(process.execPath, [main, "init", "infra", "--from", "agent"], { cwd: folder });
    npmInstall(join(folder, "infra"), inject("packed").folder);
    emulator = await startEmulator({ rules: langsmith, rollout: { polls: 1 } });
    stack = await createStack({
      program: join(folder, "infra"),
      inPlace: true,
      keeps: "everything",
      env: { DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey },
    });
    await stack.setConfig("deployment-service:baseUrl", emulator.url);
  });
  afterAll(async () => {
    await stack?.dispose();
    await emulator?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("takes the secrets from the file of the agent into the stack, and into no other place", async () => {
    const options = { cwd: stack.folder, env: stack.environment };
    const { output, exitCode } = await new Command("sh", ["set-secrets.sh"], options).result;
    expect({ output, exitCode }).toEqual({ output: "", exitCode: 0 });
    const files = readdirSync(join(folder, "infra")).filter((file) => file !== "node_modules");
    for (const file of files) expect(readFileSync(join(folder, "infra", file), "utf8")).not.toContain(secret);
    const shown = await stack.run(["config", "get", "modelApiKey"]);
    expect(shown.stdout.trim()).toBe(secret);
  });

  it("without a key, is told of nothing else, for its dialect stands", async () => {
    const env = { DEPLOYMENT_SERVICE_API_KEY: "", DEPLOYMENT_SERVICE_URL: "https://elsewhere.example.com" };
    const { output } = await stack.preview({ env, expectFailure: true });
    const problems = output.match(/(?<=has a problem: ).*/g) ?? [];
    expect([...new Set(problems)]).toEqual([expect.stringContaining("deployment-service:apiKey is not set")]);
  });

  it("warns of an address in the environment that the stack's own overrides", async () => {
    const env = { DEPLOYMENT_SERVICE_URL: "https://elsewhere.example.com" };
    const warning = `DEPLOYMENT_SERVICE_URL has no effect: deployment-service:baseUrl is set to ${emulator.url}`;
    expect((await stack.preview({ env })).output).toContain(warning);
  });

  it("previews and deploys the folder, and a changed agent is a new revision, there and back", async () => {
    expect((await stack.preview()).output).toMatch(/agent: sourceDirectory .*\b3 files\b/);
    await stack.up();
    expect(emulator.deployment("agent")).toMatchObject({ source: "internal_source", status: "READY" });
    expect((await stack.preview({ args: ["--expect-no-changes"] })).output).toContain("unchanged");
    const code = readFileSync(agent("agent.py"), "utf8");
    writeFileSync(agent("agent.py"), `${code}# changed\n`);
    expect((await stack.preview()).output).toContain(
      "creates a new revision (sourceDirectory: 1 file changed)",
    );
    await stack.up();
    writeFileSync(agent("agent.py"), code);
    expect((await stack.preview()).output).toContain(
      "creates a new revision (sourceDirectory: 1 file changed)",
    );
  });
});

describe("a project for an agent that is deployed already", () => {
  let folder: string;
  let emulator: Emulator;
  let stack: Stack;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "taken-")));
    cpSync("examples/11-folder/agent", join(folder, "agent"), { recursive: true });
    emulator = await startEmulator({ rules: langsmith, rollout: { polls: 1 } });
    emulator.create({
      name: "agent",
      source: "internal_source",
      source_config: { deployment_type: "dev_zero" },
      source_revision_config: { langgraph_config_path: "langgraph.json" },
      secrets: [{ name: "MODEL_API_KEY", value: secret }],
    });
    const env = { DEPLOYMENT_SERVICE_URL: emulator.url, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey };
    const words = [main, "init", "infra", "--from", "agent"];
    await promisify(execFile)(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } });
    npmInstall(join(folder, "infra"), inject("packed").folder);
    stack = await createStack({
      program: join(folder, "infra"),
      inPlace: true,
      keeps: "everything",
      env: { DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey },
    });
  });
  afterAll(async () => {
    await stack?.dispose();
    await emulator?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("takes it over: the next preview shows one revision of the folder, and `up` keeps its secrets", async () => {
    await stack.run("import --file import.json --generate-code=false --protect=false --yes".split(" "));
    const { output } = await stack.preview();
    expect(output).toMatch(/agent: creates a new revision \(sourceDirectory: uploads \d files\)\n/);
    expect(output).toMatch(/~ 1 to update/);
    await stack.up();
    expect(emulator.deployments()).toHaveLength(1);
    expect(emulator.deployment("agent")!.secrets).toEqual([{ name: "MODEL_API_KEY", value: secret }]);
    await stack.preview({ args: ["--expect-no-changes"] });
  });
});
