/** A stuck revision delays the one that `up` made. The screen says so, and names the command that interrupts it. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { Command } from "../engine";
import { declaring, main, useProduct } from "./support";

describe("a rollout behind one that is stuck", () => {
  const product = useProduct({
    program: declaring({}),
    emulator: { rules: langsmith },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });
  const declare = (tag: string) =>
    product.stack.write(
      declaring({
        chat: {
          source: "external_container",
          sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
        },
      }),
    );
  /** Runs in the project's folder. Address and key come from the stack's configuration. */
  const command = (...words: string[]) => {
    const own = Object.entries(product.stack.environment).filter(([name]) => !name.startsWith("DEPLOYMENT_"));
    const env = Object.fromEntries(own);
    return new Command(process.execPath, [main, ...words], { cwd: product.stack.folder, env }).result;
  };

  it("is shown on the screen and by the commands, and ends once they have interrupted the stuck revision", async () => {
    const { emulator, stack } = product;
    await stack.setConfig("deployment-service:baseUrl", emulator.url);
    await stack.setConfig("deployment-service:apiKey", emulator.apiKey, { secret: true });
    await stack.setConfig("deployment-service:dialect", "langsmith");
    declare("1");
    await product.up();
    emulator.configure({ rollout: "stuck" });
    emulator.change("chat", () => undefined, { revision: true });
    emulator.configure({ rollout: { polls: 1 } });
    const stuck = emulator.deployment("chat")!.latest_revision_id!;

    declare("2");
    const running = stack.spawn(["up", "--yes", "--skip-preview"]);
    await running.waitFor(/queued \w+/);
    const history = await command("status", "chat", "--revisions");
    expect(history).toMatchObject({ exitCode: 0, stderr: "" });
    expect(history.stdout.split("\n").slice(1, 4)).toEqual([
      expect.stringMatching(/ QUEUED .* registry\.example\.com\/chat:2 +-$/),
      expect.stringContaining(stuck),
      expect.stringMatching(/ DEPLOYED \(active\) .* registry\.example\.com\/chat:1 +1\.0\.0$/),
    ]);
    const refused = await command("interrupt", "chat");
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("add --yes") as string });
    const interrupted = await command("interrupt", "chat", "--yes", "--stack", stack.name);
    expect(interrupted.stdout).toContain(`interrupted revision ${stuck} of chat`);
    expect((await running.result).exitCode).toBe(0);
    const after = await command("status", "chat", "--json");
    expect(JSON.parse(after.stdout)).toMatchObject([
      { state: "ready", runs: "registry.example.com/chat:2", deploys: null },
    ]);
    expect([history, interrupted, after].map(({ output }) => output).join()).not.toContain(emulator.apiKey);
  });
});
