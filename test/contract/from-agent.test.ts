/** What somebody does who has an agent folder: a project for it in one command, and the real CLI with the emulator. */
import { execFileSync } from "node:child_process";
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
