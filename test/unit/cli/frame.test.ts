import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ParsedArguments } from "../../../cli/command";
import { commands } from "../../../cli/commands";
import { helpOf } from "../../../cli/parse-arguments";
import { dialects } from "../../../provider/dialects";
import { ControlPlaneError } from "../../../provider/errors";
import { filterFields, RepositoryHost } from "../../../schema/filters";
import { refused } from "./outcomes";
import { cli } from "./support";

const failing = (error: unknown) => ({ schema: () => Promise.reject(error) });
/** The arguments that a command is given; `logs` and its help stand for all. */
async function argumentsOf(...words: string[]): Promise<ParsedArguments | undefined> {
  let given: ParsedArguments | undefined;
  await cli(["logs", ...words], { commands: { logs: async (args) => void (given = args) } });
  return given;
}

describe("the command line", () => {
  it("shows the commands and asks for one when there is none", async () => {
    expect(await cli([])).toMatchObject(refused("Usage: npx pulumi-deployment-service COMMAND [flags]"));
  });

  it.each([["--help"], ["-h"], ["help"]])("shows the help for %s on standard output", async (word) => {
    const { code, stdout, stderr } = await cli([word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Usage: npx pulumi-deployment-service COMMAND [flags]");
  });

  it("lists each command with the first line of its help", async () => {
    const { stdout } = await cli(["help"]);
    const list = stdout.replace(/\n {4,}/g, " ");
    for (const name of Object.keys(commands))
      expect(list).toContain(`\n  ${name.padEnd(12)}  ${helpOf(name).text.split("\n", 1)[0]}\n`);
  });

  it.each(Object.keys(commands))("shows the help of %s, whatever else is wrong in the line", async (name) => {
    const { code, stdout, stderr } = await cli([name, "too", "many", "words", "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`\nUsage: npx pulumi-deployment-service ${name} `);
    expect(stdout).toMatch(/ {6}--json +Print JSON, for other programs\n {2}-h, --help +Show this help\n/);
    expect((await cli(["help", name])).stdout).toBe(stdout);
    const [flags = ""] = /^Flags:\n(?: .*\n)*/m.exec(stdout) ?? [];
    for (const line of flags.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("offers each dialect, each filter and each source of repositories", () => {
    for (const name of ["validate", "init", "emulator"])
      expect(helpOf(name).flags.get("dialect")).toBe(Object.keys(dialects).join("|"));
    const flagOf = (filter: string) => filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const name of ["list", "import"])
      expect([...helpOf(name).flags.keys()]).toEqual(
        expect.arrayContaining(Object.keys(filterFields).map(flagOf)),
      );
    expect(helpOf("repos").flags.get("host")).toBe(RepositoryHost.options.join("|"));
  });

  it("shows the package's version", async () => {
    const text = readFileSync(join(__dirname, "../../../package.json"), "utf8");
    const packageJson = JSON.parse(text) as { version: string };
    expect(await cli(["--version"])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it("gives a command its arguments, in any order", async () => {
    expect(await argumentsOf("--revision=r1", "chat", "--follow")).toEqual({
      positionals: ["chat"],
      flags: { revision: "r1" },
      switches: new Set(["follow"]),
    });
    expect(await argumentsOf("--revision", "r1", "--", "--follow")).toMatchObject({
      positionals: ["--follow"],
      flags: { revision: "r1" },
      switches: new Set(),
    });
  });

  it.each([
    [["lgos"], `unknown command "lgos"; did you mean "logs"?`, ""],
    [["__proto__"], `unknown command "__proto__"`, ""],
    [["--follow"], `unknown flag "--follow"`, ""],
    [["logs"], "NAME is missing", " logs"],
    [["logs", "a", "b"], `unexpected argument "b"`, " logs"],
    [["logs", "a", "--folow"], `Unknown option '--folow'; did you mean "--follow"?`, " logs"],
    [["logs", "a", "--follow=yes"], "Option '--follow' does not take an argument", " logs"],
    [["logs", "a", "--revision"], "Option '--revision <value>' argument missing", " logs"],
    [["logs", "a", "--revision="], "--revision needs a value: --revision ID", " logs"],
    [
      ["validate", "--format", "jsno"],
      `--format must be one of text, json, github; did you mean "json"?`,
      " validate",
    ],
  ])("names the mistake in %j and the command that shows the help", async (words, message, command) => {
    expect(await cli(words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `deployment-service: ${message}\nrun \`npx pulumi-deployment-service${command} --help\` for usage\n`,
    });
  });

  it.each([
    [["import", "--ids", "x", "--out", "o"], "--deployment-ids[0]: expected a UUID"],
    [["list", "--deployment-ids=x"], "--deployment-ids[0]: expected a UUID"],
  ])("names the mistake in %j by its flag", async (words, message) => {
    expect(await cli(words)).toMatchObject(refused(`deployment-service: ${message}`));
  });

  it("ends with 3 when the service failed, with what to do about it and nothing a terminal would obey", async () => {
    const error = new ControlPlaneError("no\u001b[31m such\nhost", {
      kind: "unreachable",
      request: "GET /v2/deployments",
      isAmbiguous: false,
    });
    expect(await cli(["schema"], { commands: failing(error) })).toEqual({
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
      const outcome = await cli(words);
      expect(outcome).toMatchObject(refused("file"));
      expect(outcome.stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }
  });
});
