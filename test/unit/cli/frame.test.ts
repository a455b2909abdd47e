import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ParsedArguments, Command } from "../../../cli/command";
import { ControlPlaneError } from "../../../provider/errors";
import { cli } from "./support";

let seen: ParsedArguments | undefined;
const greet: Command = {
  name: "greet",
  summary: "Greet someone",
  positionals: ["WHO"],
  flags: [
    { name: "loud", doc: "Shout" },
    { name: "tone", value: "TONE", doc: "How", choices: ["warm", "cool"], alias: "manner" },
  ],
  examples: {
    "deployment-service greet world": "say hello",
    "deployment-service greet world --loud": "say it louder",
  },
  async run(args) {
    seen = args;
    return 0;
  },
};
const failing = (error: unknown): Command => ({ ...greet, run: () => Promise.reject(error) });
const greeting = (...words: string[]) => cli(["greet", ...words], { commands: [greet] });

describe("the command line", () => {
  it("shows the commands and asks for one when there is none", async () => {
    const { code, stdout, stderr } = await cli([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: npx pulumi-deployment-service COMMAND [flags]");
  });

  it.each([["--help"], ["-h"], ["help"]])("shows the help for %s on standard output", async (word) => {
    const { code, stdout, stderr } = await cli([word], { commands: [greet] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`Usage: npx pulumi-deployment-service COMMAND [flags]

Commands:
  greet  Greet someone

Flags:
  -h, --help     Show this help; after a command, that of the command
  -V, --version  Show the version

Exit codes:
  0  done
  1  problems were found: in a file, a connection (doctor) or a preview
     (summary)
  2  wrong usage: an unknown command or flag, a file that does not exist, no
     address or key
  3  the service failed, or something you named does not exist there
`);
  });

  it("shows a command's help, whatever else is wrong in the line", async () => {
    const { code, stdout } = await greeting("--help");
    expect(code).toBe(0);
    expect(stdout).toBe(`Greet someone

Usage: npx pulumi-deployment-service greet WHO [flags]

Flags:
      --loud       Shout
      --tone TONE  How: warm, cool (also --manner)
      --json       Print JSON, for other programs
  -h, --help       Show this help

Examples:
  # say hello
  deployment-service greet world

  # say it louder
  deployment-service greet world --loud
`);
    expect((await cli(["help", "greet"], { commands: [greet] })).stdout).toBe(stdout);
  });

  it("says in one line what to install, without a stack trace", async () => {
    const error = new Error("Cannot find module 'undici'\nRequire stack:\n- /home/me/index.js");
    const missing = Object.assign(error, { code: "MODULE_NOT_FOUND" });
    const { code, stderr } = await cli(["greet", "you"], { commands: [failing(missing)] });
    expect([code, stderr]).toEqual([
      3,
      "deployment-service: Cannot find module 'undici': install the dependencies (`npm install`)\n",
    ]);
  });

  it("shows the package's version", async () => {
    const text = readFileSync(join(__dirname, "../../../package.json"), "utf8");
    const packageJson = JSON.parse(text) as { version: string };
    expect(await cli(["--version"])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it("gives a command its arguments, in any order", async () => {
    await greeting("--tone=warm", "world", "--loud");
    expect(seen).toEqual({
      positionals: ["world"],
      flags: { tone: "warm" },
      switches: new Set(["loud"]),
    });
    await greeting("--manner", "cool", "--", "--loud");
    expect(seen).toMatchObject({ positionals: ["--loud"], flags: { tone: "cool" }, switches: new Set() });
  });

  it.each([
    [["gret"], `unknown command "gret"; did you mean "greet"?`, ""],
    [["--loud"], `unknown flag "--loud"`, ""],
    [["greet"], "WHO is missing", " greet"],
    [["greet", "a", "b"], `unexpected argument "b"`, " greet"],
    [["greet", "a", "--lod"], "Unknown option '--lod'.", " greet"],
    [["greet", "a", "--loud=yes"], "Option '--loud' does not take an argument", " greet"],
    [["greet", "a", "--tone"], "Option '--tone <value>' argument missing", " greet"],
    [["greet", "a", "--tone="], "--tone needs a value: --tone TONE", " greet"],
    [["greet", "a", "--tone", "wram"], `--tone must be one of warm, cool; did you mean "warm"?`, " greet"],
  ])("names the mistake in %j and the command that shows the help", async (words, message, command) => {
    expect(await cli(words, { commands: [greet] })).toEqual({
      code: 2,
      stdout: "",
      stderr: `deployment-service: ${message}\nrun \`npx pulumi-deployment-service${command} --help\` for usage\n`,
    });
  });

  it.each([
    [["import", "--ids", "x", "--out", "o"], "--deployment-ids[0]: expected a UUID"],
    [["list", "--deployment-ids=x"], "--deployment-ids[0]: expected a UUID"],
  ])("names the mistake in %j by its flag", async (words, message) => {
    const { code, stdout, stderr } = await cli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`deployment-service: ${message}`);
  });

  it("ends with 3 when the service failed, with what to do about it and nothing a terminal would obey", async () => {
    const error = new ControlPlaneError("no\u001b[31m such\nhost", {
      kind: "unreachable",
      request: "GET /v2/deployments",
      isAmbiguous: false,
    });
    expect(await cli(["greet", "world"], { commands: [failing(error)] })).toEqual({
      code: 3,
      stdout: "",
      stderr:
        "deployment-service: no such host. Check the network, the proxy settings, and `deployment-service:baseUrl` (DEPLOYMENT_SERVICE_URL). " +
        "`npx pulumi-deployment-service doctor` checks the connection.\n",
    });
  });

  it("repeats nothing of its arguments that a terminal would obey", async () => {
    const wicked = "no\u001b[31m\u0007\u202efile";
    for (const words of [
      ["validate", wicked],
      ["schema", wicked],
      [wicked],
      ["list", `--${wicked}`],
      ["list", wicked],
    ]) {
      const { code, stdout, stderr } = await cli(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("file");
      expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }
  });
});
