/** What a terminal shows. Pulumi's table cuts the line of a resource at the edge. */
import { expect, it } from "vitest";
import { isLong } from "../support/runs";
import { scenes, screenOf } from "../tools/pictures/scenes";

/** Elsewhere, `script` takes other arguments. */
const onLinux = it.skipIf(process.platform !== "linux");
/** Scenes that differ from the others only in words. */
const inLongRuns = it.runIf(isLong && process.platform === "linux");
const lineOf = (screen: string) =>
  screen.split("\n").find((line) => line.includes(":Deployment  chat")) ?? "";

onLinux(
  "a creation in 120 columns shows the state and how long it takes, from the first second on",
  async () => {
    expect(lineOf(await screenOf(scenes.create))).toMatch(/creating \(\d+s\)\.* +building [2-9]s of 30m: /);
  },
);

inLongRuns("an update in 160 columns shows them next to what Pulumi says of the diff", async () => {
  expect(lineOf(await screenOf(scenes.update))).toMatch(/\]; deploying [2-9]s of 30m: /);
});

onLinux("a revision in the queue shows which one it is behind, as the commands take it", async () => {
  expect(lineOf(await screenOf(scenes.queue))).toMatch(/\]; queued [2-9]s /);
});

inLongRuns("a failed build ends with its log and the command that shows more", async () => {
  const screen = await screenOf(scenes.failed);
  expect(screen.replaceAll("\n", "")).toContain("run `npx pulumi-deployment-service logs chat`");
  expect(screen).toContain("      #8 2.673 ERROR: No matching distribution found for fastapi==0.999\n");
});
