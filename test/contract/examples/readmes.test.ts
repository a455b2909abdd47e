/** Runs the commands of each example's README in a copy of the packed example. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { EmulatorOptions } from "../../../emulator";
import { fencesIn } from "../../docs/markdown";
import { Command } from "../../engine";
import { copyOf, inTurn, type Copied } from "./copied";
import { told } from "./told";

/** Examples whose READMEs show commands without their output. */
const scripted: readonly { readonly example: string; readonly service?: EmulatorOptions }[] = [
  { example: "03-ci" },
  { example: "08-pull-requests" },
  { example: "10-test-your-program" },
  { example: "12-alert", service: { dialect: "langsmith" } },
];

it("every example is played; the tests of languages run the one that is for them", () => {
  const folders = readdirSync("examples", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const played = [...told, ...scripted].map(({ example }) => example);
  expect([...played, "07-every-language"].sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe.each(inTurn(scripted))("the README of $example", ({ example, service }) => {
  let copied: Copied;
  beforeAll(async () => {
    copied = await copyOf(example, inject("packed").folder, service);
  });
  afterAll(() => copied?.end());

  it("has commands that work as they stand there", async () => {
    const fences = fencesIn(readFileSync(join(copied.stack.folder, "README.md"), "utf8"));
    const script = fences
      .filter(({ language }) => language === "sh")
      .map(({ text }) => text)
      .join("\n");
    const usual = "http://127.0.0.1:8787";
    const { exitCode, output } = await new Command(
      "bash",
      ["-ec", script.replaceAll(usual, copied.emulator.url)],
      { cwd: copied.stack.folder, env: copied.env },
    ).result;
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(copied.emulator.deployments()).toEqual([]);
  });
});
