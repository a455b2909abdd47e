import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commands } from "../../../provider/cli/commands";
import { cli } from "./support";

/** What bash offers for a line that the user has typed so far. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout: script } = await cli(["completion", "bash"]);
  const line = ["pulumi-deployment-service", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _deployment_service; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", `${script}\n${ask}`], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.split("\n").filter(Boolean);
}

describe("completion", () => {
  it("offers every command in bash", async () => {
    expect(await offered("")).toEqual([...commands.map(({ name }) => name), "--help", "--version"]);
    expect(await offered("sta")).toEqual(["status"]);
  });

  it("offers the flags of a command, and the values of a flag that has only some", async () => {
    expect(await offered("status", "--wa")).toEqual(["--wait"]);
    expect(await offered("summary", "--format", "")).toEqual(["markdown", "text", "json"]);
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it.each(["bash", "zsh", "fish"])("has a script for %s that names every command and flag", async (shell) => {
    const { stdout, code } = await cli(["completion", shell]);
    expect(code).toBe(0);
    for (const { name, flags } of commands)
      for (const word of [name, ...flags.map((flag) => flag.name)]) expect(stdout).toContain(word);
  });

  it("names the shells that it knows", async () => {
    expect(await cli(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("SHELL must be one of bash, zsh, fish") as string,
    });
  });
});
