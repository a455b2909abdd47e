import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { scratch } from "../../support/folders";
import { cli } from "./support";

let cwd = "";
beforeEach(() => {
  cwd = scratch();
  writeFileSync(join(cwd, "Pulumi.yaml"), "name: chat\nruntime: nodejs\n");
  writeFileSync(join(cwd, "Pulumi.dev.yaml"), "{}");
  writeFileSync(join(cwd, "package.json"), "{}");
  writeFileSync(
    join(cwd, "chat.yaml"),
    "version: 1\ndeployments: { chat: { source: external_container, sourceRevisionConfig: { imageUri: chat:1 } } }\n",
  );
  execFileSync("mkfifo", [join(cwd, "pipe")]);
});

const readers = [
  ["validate", "FILE"],
  ["secrets", "FILE"],
  ["emulator", "--port", "0", "--seed", "FILE"],
];

const withFile = (words: readonly string[], file: string) =>
  cli(
    words.map((word) => word.replace("FILE", file)),
    { cwd, cancellation: () => AbortSignal.abort() },
  );

it.each(readers)("a named pipe given to %s is refused, because nobody may write to it", async (...words) => {
  expect(await withFile(words, "pipe")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot read pipe: it is not a regular file. `-` reads standard input"),
  });
});

it.each(readers)("a device given to %s is refused, because it may have no end", async (...words) => {
  const { code, stderr } = await withFile(words, "/dev/zero");
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("not a regular file") });
});

it.each(readers)("a folder given to %s is told as that", async (...words) => {
  mkdirSync(join(cwd, "folder"));
  const { code, stderr } = await withFile(words, "folder");
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot read folder: it is not a regular file"),
  });
});

it.each(["pipe", "."])(
  "a state file of the emulator that is no regular file is refused: %s",
  async (file) => {
    const { code, stderr } = await withFile(["emulator", "--port", "0", "--state", "FILE"], join(cwd, file));
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not a regular file"),
    });
  },
);

it.each([
  ["generate", "chat.yaml", "--out", "FILE"],
  ["import", "--out", "FILE"],
])("%s does not write to a named pipe", async (...words) => {
  expect(await withFile(words, "pipe")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot write pipe: it is a named pipe"),
  });
});

it("a full disk is no mistake of the command line", async () => {
  expect(await withFile(["generate", "chat.yaml", "--out", "FILE"], "/dev/full")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("cannot write /dev/full: ENOSPC: no space left on device"),
  });
});

it("what is no regular file is no manifest for which workflows are written", async () => {
  execFileSync("mkfifo", [join(cwd, "pipe.yaml")]);
  mkdirSync(join(cwd, "folder.yaml"));
  expect((await cli(["init", ".", "--ci", "github"], { cwd })).code).toBe(0);
});

it.each([
  ['"${@:2}" validate <(cat "$1")', "no problems"],
  ['cat "$1" | "${@:2}" validate /dev/stdin', "no problems"],
  ['"${@:2}" generate "$1" --out >(cat)', "new Deployment"],
])("what the shell hands over is read and written: %s", (script, shown) => {
  const program = [process.execPath, "--import", "tsx", "cli/main.ts"];
  const words = ["-c", script, "bash", join(cwd, "chat.yaml"), ...program];
  expect(spawnSync("bash", words, { encoding: "utf8" })).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(shown),
  });
});
