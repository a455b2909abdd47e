import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStack, type Stack, UnexpectedExit } from "../engine";
import { descendantsOf } from "../engine/descendants";

/** The least a dynamic resource can be: its code is a constant text, as the provider's is. */
const program = (text: string) => `
import * as pulumi from "@pulumi/pulumi";

const code = \`
exports.handler = () => ({
  diff: async (id, olds, news) => ({ changes: olds.text !== news.text }),
  create: async (inputs) => {
    if (inputs.text === "slow") await new Promise((resolve) => setTimeout(resolve, 60000));
    return { id: "echo-1", outs: inputs };
  },
  update: async (id, olds, news) => ({ outs: news }),
});\`;

class Echo extends pulumi.CustomResource {
  constructor(name: string, text: pulumi.Input<string>) {
    super("pulumi-nodejs:dynamic:Resource", name, { text, __provider: code });
  }
}

new Echo("echo", ${text});
`;

describe("the engine", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await createStack({
      program: { "index.ts": program(`new pulumi.Config().require("text")`) },
      config: { text: "hello", "program:password": { secret: "hunter2" } },
    });
  });
  afterAll(() => stack?.dispose());

  it("previews a creation", async () => {
    const { json } = await stack.preview({ json: true });
    expect(json?.changeSummary).toEqual({ create: 2 });
  });

  it("creates, without a warning", async () => {
    const { output } = await stack.up();
    expect(output).toContain("2 created");
    expect(output).not.toContain("warning");
    expect(stack.resource("echo")).toMatchObject({ id: "echo-1", outputs: { text: "hello" } });
  });

  it("sees no change in the same program", async () => {
    await stack.preview({ args: ["--expect-no-changes"] });
  });

  it("shows and makes an update", async () => {
    await stack.setConfig("text", "goodbye");
    const { output } = await stack.preview({ diff: true });
    expect(output).toContain(`~ text: "hello" => "goodbye"`);
    await stack.up();
    expect(stack.resource("echo").outputs?.["text"]).toBe("goodbye");
  });

  it("keeps secret configuration out of the program's files", async () => {
    const { stdout } = await stack.run(["config", "get", "password"]);
    expect(stdout.trim()).toBe("hunter2");
    expect(stack.stateText()).not.toContain("hunter2");
  });

  it("refreshes and destroys", async () => {
    await stack.refresh();
    await stack.destroy();
    expect(stack.state().resources).toEqual([]);
  });

  it("throws everything the CLI printed when a run fails", async () => {
    stack.write({ "index.ts": `throw new Error("the program is wrong");` });
    await expect(stack.up()).rejects.toThrow(/up .* failed[^]*the program is wrong/);
    const { exitCode } = await stack.up({ expectFailure: true });
    expect(exitCode).toBeGreaterThan(0);
    await expect(stack.run(["version"], { expectFailure: true })).rejects.toThrow(UnexpectedExit);
  });

  it("can be killed, and goes on after cancel", async () => {
    stack.write({ "index.ts": program(`"slow"`) });
    const command = stack.spawn(["up", "--yes", "--skip-preview"]);
    // The CLI prints "creating" a little before it writes the operation down.
    await expect
      .poll(() => stack.state().pendingOperations, { timeout: 60_000 })
      .toMatchObject([{ type: "creating" }]);
    const started = descendantsOf(command.pid);
    expect(started.length).toBeGreaterThanOrEqual(3);
    await command.kill("SIGKILL");
    await expect.poll(() => started.filter(isAlive)).toEqual([]);

    const { output } = await stack.up({ expectFailure: true });
    expect(output).toContain("the stack is currently locked");
    await stack.cancel();
    await stack.refresh({ args: ["--clear-pending-creates"] });
    expect(stack.state().pendingOperations).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // In a container without an init process the dead stay listed.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !readFileSync(stat, "utf8").includes(") Z ");
}
