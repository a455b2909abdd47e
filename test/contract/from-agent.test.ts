/** Creates a project for an agent folder in one command, and deploys it to the emulator with the real CLI. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { langsmith, startEmulator, type Emulator } from "../../emulator";
import { Command, createStack, type Stack } from "../engine";
import { npmInstall } from "../support/npm-install";
import { builtCommand } from "../support/product";

const secret = "sk-of-the-agent-0123456789";
const run = promisify(execFile);

/** An agent's folder with a project in it, and a service. */
class Workplace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "from-")));
  readonly infra = join(this.folder, "infra");
  readonly stacks = new Map<string, Stack>();

  constructor(readonly emulator: Emulator) {
    cpSync("examples/11-folder/agent", this.folder, { recursive: true });
    this.change("langgraph.json", (text) => JSON.stringify({ ...(JSON.parse(text) as object), env: ".env" }));
    writeFileSync(join(this.folder, ".env"), `export MODEL_API_KEY="${secret}"\r\nMODEL=small\r\n`);
  }

  change(file: string, edit: (text: string) => string): void {
    writeFileSync(join(this.folder, file), edit(readFileSync(join(this.folder, file), "utf8")));
  }

  /** Returns what `init` printed. */
  async init(flags: readonly string[], stacks: readonly string[]): Promise<string> {
    const { url, apiKey } = this.emulator;
    const env = { ...process.env, DEPLOYMENT_SERVICE_URL: url, DEPLOYMENT_SERVICE_API_KEY: apiKey };
    const words = [builtCommand, "init", "--from", ".", "--name", "bot", ...flags];
    const { stdout, stderr } = await run(process.execPath, words, { cwd: this.folder, env });
    npmInstall(this.infra, inject("packed").folder);
    for (const stack of stacks)
      this.stacks.set(
        stack,
        await createStack({
          program: this.infra,
          inPlace: true,
          keeps: "everything",
          stack,
          env: { DEPLOYMENT_SERVICE_API_KEY: apiKey, DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms" },
        }),
      );
    return stdout + stderr;
  }

  async setSecrets(stack: string): Promise<string> {
    const { environment } = this.stacks.get(stack)!;
    const words = [builtCommand, "secrets", "../.env", "--stack", stack];
    const { output, exitCode } = await new Command(process.execPath, words, {
      cwd: this.infra,
      env: environment,
    }).result;
    expect(exitCode, output).toBe(0);
    return output;
  }

  /** The text of all files of the project, without its packages. */
  written(): string {
    const files = readdirSync(this.infra).filter((file) => statSync(join(this.infra, file)).isFile());
    return files.map((file) => readFileSync(join(this.infra, file), "utf8")).join("\n");
  }

  async dispose(): Promise<void> {
    for (const stack of this.stacks.values()) await stack.dispose();
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Compiles the program of the project. */
const compile = (place: Workplace) =>
  run(process.execPath, ["node_modules/typescript/bin/tsc", "--skipLibCheck"], { cwd: place.infra });

describe("a project with a program for an agent folder, with two stacks,", () => {
  const deployments = { dev: "bot-dev", prod: "bot" };
  let place: Workplace;
  let shown = "";
  beforeAll(async () => {
    place = new Workplace(await startEmulator({ rules: langsmith, rollout: { polls: 1 } }));
    shown = await place.init(["--stacks", "dev,prod"], Object.keys(deployments));
  });
  afterAll(() => place?.dispose());

  it("compiles, and takes the secrets of the agent into each stack, and into no other place", async () => {
    await compile(place);
    for (const [name, stack] of place.stacks) {
      shown += await place.setSecrets(name);
      expect((await stack.run(["config", "get", "modelApiKey"])).stdout.trim()).toBe(secret);
    }
    expect(place.written() + shown).not.toContain(secret);
  });

  it("previews and deploys each stack as a separate deployment, without the project itself", async () => {
    for (const [name, stack] of place.stacks) {
      const preview = await stack.preview();
      expect(preview.output).toMatch(/sourceDirectory .*\b3 files\b.*infra\/ \(the running Pulumi project\)/);
      const up = await stack.up();
      expect(preview.output + up.output).not.toContain(secret);
      expect(place.emulator.deployment(deployments[name as "dev"])).toMatchObject({
        source: "internal_source",
        status: "READY",
        source_config: { deployment_type: name === "prod" ? "prod" : "dev_zero" },
        secrets: expect.arrayContaining([{ name: "MODEL_API_KEY", value: secret }]) as unknown,
      });
      const [own] = stack.state().resources.filter(({ type }) => type.includes(":Deployment"));
      expect(own!.protect ?? false).toBe(name === "prod");
    }
    expect(place.emulator.deployments()).toHaveLength(place.stacks.size);
  });

  it("shows a changed agent as a new revision, and a changed project as none", async () => {
    const stack = place.stacks.get("dev")!;
    writeFileSync(join(place.infra, "preview.json"), "{}");
    await stack.preview({ args: ["--expect-no-changes"] });
    place.change("agent.py", (text) => `${text}# changed\n`);
    expect((await stack.preview()).output).toContain("creates a new revision (sourceDirectory: ~agent.py)");
  });
});

describe("a project with a manifest for an agent that is deployed already", () => {
  let place: Workplace;
  let shown = "";
  beforeAll(async () => {
    place = new Workplace(await startEmulator({ rules: langsmith, rollout: { polls: 1 } }));
    place.emulator.create({
      name: "bot",
      source: "internal_source",
      source_config: { deployment_type: "dev_zero" },
      source_revision_config: { langgraph_config_path: "langgraph.json" },
      secrets: [{ name: "MODEL_API_KEY", value: secret }],
    });
    shown = await place.init(["--yaml"], ["dev"]);
  });
  afterAll(() => place?.dispose());

  it("has no value of a secret", () => {
    expect(shown).toContain("pulumi import --file import.json");
    expect(place.written() + shown).not.toContain(secret);
  });

  it("takes it over: the next preview shows one revision of the folder, and `up` keeps its secrets", async () => {
    const stack = place.stacks.get("dev")!;
    await stack.import("import.json", { args: ["--protect=false"] });
    const { output } = await stack.preview();
    expect(output).toMatch(/creates a new revision \(sourceDirectory: uploads \d files\)/);
    expect(output).toMatch(/~ 1 to update/);
    await stack.up();
    expect(place.emulator.deployments()).toHaveLength(1);
    expect(place.emulator.deployment("bot")!.secrets).toEqual([{ name: "MODEL_API_KEY", value: secret }]);
  });
});
