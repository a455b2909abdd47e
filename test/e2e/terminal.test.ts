/** What a terminal shows. Pulumi's table cuts the line of a resource at the edge. */
import { expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { declaring, useProduct } from "./support";

/** Elsewhere, `script` takes other arguments. */
const onLinux = it.skipIf(process.platform !== "linux");
const chat = (tag: string) =>
  declaring({
    chat: {
      source: "external_container",
      sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
    },
  });
const product = useProduct({
  program: chat("1.4.2"),
  emulator: { rules: langsmith },
  env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith", DEPLOYMENT_SERVICE_POLL_INTERVAL: "200ms" },
});
const up = (columns: number) => product.stack.terminal(["up", "--yes", "--skip-preview"], columns);
const lineOf = (screen: string) =>
  screen.split("\n").find((line) => line.includes(":Deployment  chat")) ?? "";

onLinux(
  "a creation in 120 columns shows the state and how long it takes, from the first second on",
  async () => {
    product.emulator.configure({ rollout: { revision: Array<string>(60).fill("BUILDING") } });
    const terminal = await up(120);
    const screen = await terminal.waitFor(/building [2-9]s of 30m/);
    expect(lineOf(screen)).toMatch(/creating \(\d+s\)\.* +building [2-9]s of 30m: /);
    product.emulator.finish("chat");
    await terminal.ended;
  },
);

onLinux("an update in 160 columns shows that its revision is queued, and behind which one", async () => {
  product.emulator.configure({ rollout: "stuck" });
  product.emulator.change("chat", () => undefined, { revision: true });
  product.stack.write(chat("1.5.0"));
  const terminal = await up(160);
  expect(lineOf(await terminal.waitFor(/queued [2-9]s/))).toMatch(/\]; queued [2-9]s /);
});
