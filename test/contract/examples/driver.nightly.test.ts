/** The driver of many stacks. After a kill or Ctrl-C it repeats no finished stack, and creates nothing twice. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, it, vi } from "vitest";
import { Command } from "../../engine";
import { connectionTo } from "../../support/product";
import { copyOf, type Copied } from "./copied";

let copied: Copied | undefined;
afterEach(() => copied?.end());

const stacks = ["one", "two", "three"];

it.each(["SIGKILL", "SIGINT"] as const)(
  "after %s, the driver of many stacks continues with those that were not finished",
  async (signal) => {
    const { stack, emulator, ...shell } = (copied = await copyOf("12-driver", inject("packed").folder));
    const env = { ...shell.env, ...connectionTo(emulator) };
    const list = stacks.map((name) => `- { team: a, stack: ${name} }`).join("\n");
    writeFileSync(join(stack.folder, "stacks.yaml"), list);
    // The `tsx` command would start a second process.
    const words = ["--import", "tsx", "driver.ts", "up", "--parallel", "1", "--unlock"];
    const start = () => new Command(process.execPath, words, { cwd: stack.folder, env });
    const first = start();
    await first.waitFor(/1 of 3: one: \d+ create/, 120_000);
    await vi.waitUntil(() => emulator.deployments().length === 2, { timeout: 120_000, interval: 20 });
    // Ctrl-C also reaches the commands that it runs. After a kill they end at their next line of output, and leave the lock.
    process.kill(signal === "SIGINT" ? -first.pid : first.pid, signal);
    await first.result;
    const { exitCode, output } = await start().result;
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain("one: finished by an earlier run");
    expect(output).not.toContain("three: finished");
    const names = emulator.deployments().map(({ name }) => name);
    expect(names.sort()).toEqual(stacks.map((name) => `${name}-advisor`).sort());
    expect(readFileSync(join(stack.folder, "report.md"), "utf8")).not.toContain("failed");
  },
);

it("skips a stack only if its line was the last that was applied, and refuses a stack that is listed twice", async () => {
  const { stack, emulator, ...shell } = (copied = await copyOf("12-driver", inject("packed").folder));
  const env = { ...shell.env, ...connectionTo(emulator) };
  const up = (...lines: string[]) => {
    writeFileSync(
      join(stack.folder, "stacks.yaml"),
      lines.map((line) => `- { team: a, ${line} }\n`).join(""),
    );
    const words = ["--import", "tsx", "driver.ts", "up"];
    return new Command(process.execPath, words, { cwd: stack.folder, env }).result;
  };
  const scaled = (maxScale: number) => `stack: one, overlay: { maxScale: ${maxScale} }`;
  // Without it, the journal would be removed.
  const failing = 'stack: two, overlay: { imageUri: "no image" }';
  for (const maxScale of [2, 3, 2]) {
    expect((await up(scaled(maxScale), failing)).output).not.toContain("one: finished");
    const { resource_spec: spec } = emulator.deployment("one-advisor")!.source_config;
    expect(spec).toMatchObject({ max_scale: maxScale });
  }
  expect((await up(scaled(2), failing)).output).toContain("one: finished by an earlier run");
  const twice = await up(scaled(2), scaled(3));
  expect(twice).toMatchObject({ exitCode: 1 });
  expect(twice.output).toContain("lists the stack one twice");
});
