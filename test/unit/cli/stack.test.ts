/** `--stack`: commands that take address and key from the configuration of a stack. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { langsmith, type Emulator } from "../../../emulator";
import { expectNoTrace } from "../../support/canary";
import { programs, scratch } from "../../support/folders";
import { create, start } from "./service-commands";
import { refused } from "./outcomes";
import { cli } from "./support";

let [root, cwd, asked] = ["", "", ""];
/** In the folder of a project, unless one is said. */
const run = (words: string[], env: Record<string, string>, folder = cwd) => cli(words, { cwd: folder, env });
const key = "k9-Qw7xLs2-hushhush";

beforeEach(() => {
  root = scratch({ "project/Pulumi.yaml": "name: chat\nruntime: nodejs\n" });
  cwd = join(root, "project/sub");
  asked = join(root, "asked");
  mkdirSync(cwd, { recursive: true });
});

type Given = Record<string, unknown>;

function writeState(resources: readonly object[]): void {
  writeFileSync(join(root, "state.json"), JSON.stringify({ version: 3, deployment: { resources } }));
}

/** A Pulumi CLI that knows one stack, and answers as the real one does; `env` has it on the PATH. */
function withStack(stack: string, given: Given, selected = "") {
  const entries = Object.entries(given).map(([name, value]) => [
    `deployment-service:${name}`,
    typeof value === "object" ? { value: "{}", objectValue: value, secret: false } : { value, secret: false },
  ]);
  writeState([]);
  writeFileSync(join(root, "configuration.json"), JSON.stringify(Object.fromEntries(entries)));
  const script = `
    PATH=/usr/bin:/bin
    echo "$@" >> ${asked}
    case "$*" in
      "stack --show-name"*) test -n "${selected}" || { echo "error: no stack selected" >&2; exit 1; }; echo "${selected}";;
      "stack export"*) cat ${root}/state.json;;
      *"--stack ${stack} "*) cat ${root}/configuration.json;;
      *"--stack "*) echo "error: no stack named '$5' found" >&2; exit 6;;
      *) test -n "${selected}" || exit 1; cat ${root}/configuration.json;;
    esac`;
  return { PATH: programs({ pulumi: script }) };
}

const timesAsked = () => {
  try {
    return readFileSync(asked, "utf8").trim().split("\n").length;
  } catch {
    return 0;
  }
};
const configOf = (emulator: Emulator): Given => ({ baseUrl: emulator.url, apiKey: emulator.apiKey });

describe("--stack NAME", () => {
  it.each([
    ["list", []],
    ["status", []],
    ["import", ["--out", "import.json"]],
    ["logs", ["chat"]],
    ["repos", ["6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11"]],
  ])("takes address, key and dialect from the stack's configuration: %s", async (name, words) => {
    const emulator = await start({ rules: langsmith, apiKey: key });
    create(emulator, "chat", { source_config: { deployment_type: "dev" } });
    emulator.repositories("6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11", []);
    const env = withStack("prod", { ...configOf(emulator), dialect: "langsmith" });
    const { code, stdout, stderr } = await run([name, ...words, "--stack", "prod"], env);
    expect(code).toBe(0);
    expect(stderr).not.toContain("connecting");
    expectNoTrace(stdout + stderr, { key });
  });

  it("is the selected stack if none is named and the environment is incomplete", async () => {
    const emulator = await start();
    create(emulator, "chat");
    const env = withStack("dev", configOf(emulator), "dev");
    const { code, stdout, stderr } = await run(["list", "--json"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject([{ name: "chat" }]);
  });

  it("is not read if the environment has address and key, unless it is named", async () => {
    const emulator = await start();
    create(emulator, "chat");
    const complete = { DEPLOYMENT_SERVICE_URL: emulator.url, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey };
    const env = { ...withStack("dev", { baseUrl: "http://127.0.0.1:9", apiKey: "k" }, "dev"), ...complete };
    expect(await run(["list"], env)).toMatchObject({ code: 0, stderr: "" });
    expect(timesAsked()).toBe(0);
    expect(await run(["list", "--stack", "dev"], env)).toMatchObject({
      code: 0,
      stderr: `connecting to ${emulator.url} (DEPLOYMENT_SERVICE_URL) with the key of DEPLOYMENT_SERVICE_API_KEY, instead of http://127.0.0.1:9 of stack dev\n`,
    });
    expect(timesAsked()).toBe(1);
    const { stdout } = await run(["doctor", "--stack", "dev"], env);
    expect(stdout).toContain(
      "DEPLOYMENT_SERVICE_URL overrides the address of stack dev in commands, but not in programs, which use http://127.0.0.1:9 -> Unset",
    );
    // A variable wins by itself: the rest still comes from the stack.
    const wrong = { ...withStack("dev", configOf(emulator)), DEPLOYMENT_SERVICE_API_KEY: "wrong-key" };
    expect(await run(["list", "--stack", "dev"], wrong)).toMatchObject(
      refused("Check DEPLOYMENT_SERVICE_API_KEY.", 3),
    );
  });

  it.each([
    ["no project", "there is no Pulumi.yaml in"],
    ["no Pulumi CLI", "stack prod: there is no `pulumi` on the PATH. Install the Pulumi CLI"],
    [
      "no such stack",
      "cannot read the configuration of stack prod: no stack named 'prod' found. `pulumi stack ls`",
    ],
  ])("is a usage error with %s, which is not mentioned if no stack is named", async (missing, message) => {
    const env = missing === "no Pulumi CLI" ? { PATH: scratch() } : withStack("dev", {});
    const folder = missing === "no project" ? root : cwd;
    expect(await run(["list", "--stack", "prod"], env, folder)).toMatchObject(refused(message));
    const unset =
      "deployment-service: DEPLOYMENT_SERVICE_URL is not set; DEPLOYMENT_SERVICE_API_KEY is not set. In a project's folder, " +
      "--stack NAME reads them from the stack's configuration\nrun `npx pulumi-deployment-service list --help` for usage\n";
    expect(await run(["list"], env, folder)).toEqual({ code: 2, stdout: "", stderr: unset });
  });

  const baseUrl = "https://x.example.com";
  it.each<[Given, string]>([
    [
      { baseUrl },
      "stack dev has no deployment-service:apiKey: set DEPLOYMENT_SERVICE_API_KEY, or run `pulumi config set --stack dev --secret deployment-service:apiKey`",
    ],
    [
      { baseUrl: "http://x.example.com", apiKey: key },
      "deployment-service:baseUrl of stack dev must be https, because http",
    ],
    [{ baseUrl: { a: 1 }, apiKey: key }, "deployment-service:baseUrl of stack dev must be a string"],
    [
      { baseUrl, apiKey: key, dialect: "klingon" },
      "deployment-service:dialect of stack dev must be one of standard, langsmith",
    ],
  ])("names the mistake in the stack's configuration, and its place: %j", async (given, message) => {
    const env = withStack("dev", given);
    const outcome = await run(["list", "--stack", "dev"], env);
    expect(outcome).toMatchObject(refused(message));
    expectNoTrace(outcome.stderr, { key });
  });

  it("is a problem to doctor if the key in it is not a secret, and the command that encrypts it names the stack", async () => {
    const { url } = await start();
    const findings = async (env = withStack("dev", { baseUrl: url, apiKey: key })) => {
      const { stdout } = await run(["doctor", "--json", "--stack", "dev"], env);
      return (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === "configuration");
    };
    expect(await findings()).toEqual([
      {
        check: "configuration",
        ok: false,
        text: "deployment-service:apiKey is in plain text in the configuration of stack dev",
        todo:
          "Run `pulumi config set --secret deployment-service:apiKey --stack dev` with the key on standard input, and " +
          "rotate the key.",
      },
    ]);
    // The key of the emulator protects nothing.
    expect(await findings(withStack("dev", { baseUrl: url, apiKey: "emulator-key" }))).toEqual([]);
    const env = withStack("dev", { baseUrl: url, apiKey: key });
    const file = join(root, "configuration.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"secret":false', '"secret":true'));
    expect(await findings(env)).toEqual([]);
  });

  it.each([
    [
      `echo '{"deployment-service:apiKey": "${key}"}'`,
      ["list", "--stack", "dev"],
      "`pulumi config --json` did not print a configuration",
    ],
    [
      `case "$1" in stack) echo dev;; *) echo "error: incorrect passphrase" >&2; exit 1;; esac`,
      ["list"],
      "cannot read the configuration of stack dev: incorrect passphrase.",
    ],
  ])(
    "is an error if it cannot be read or understood, and nothing of it is shown: %s",
    async (pulumi, words, message) => {
      const outcome = await run(words, { PATH: programs({ pulumi }) });
      expect(outcome).toMatchObject(refused(message));
      expectNoTrace(outcome.stderr, { key });
    },
  );
});

it("import names the deployments that the stack already has, leaves them out, and writes nothing if nothing is left", async () => {
  const emulator = await start();
  const [dynamic, packaged] = ["agent", "search"].map((name) => create(emulator, name));
  const urn = (type: string, name: string) => `urn:pulumi:dev::chat::${type}::${name}`;
  const ours = "pulumi-nodejs:dynamic/deployment-service:Deployment";
  const env = withStack("dev", configOf(emulator), "dev");
  writeState([
    { urn: urn("pulumi:pulumi:Stack", "chat-dev") },
    { urn: urn(ours, "agent"), id: dynamic },
    { urn: urn("deployment-service:index:Deployment", "find"), id: packaged },
    { urn: urn(ours, "read"), id: create(emulator, "elsewhere"), external: true },
  ]);
  const said = "skipped: 2 already in the stack: agent, search\n";
  const nothing = { code: 0, stdout: "there is nothing to import: nothing was written\n", stderr: said };
  expect(await run(["import", "--ids", `${dynamic},${packaged}`], env)).toEqual(nothing);
  expect(readdirSync(cwd)).toEqual([]);
  const { stdout, stderr } = await run(["import"], env);
  expect(stderr).toContain(said);
  expect(stdout).toMatch(/^1 deployment: /);
  expect(stdout).toContain("1. Make the program read the manifest");
  expect(readFileSync(join(cwd, "import.json"), "utf8")).not.toContain(dynamic);
  writeFileSync(join(root, "state.json"), "error");
  const unread = await run(["import", "--out", "all.json", "--manifest", "all.yaml"], env);
  expect(unread).toMatchObject(refused("cannot read the state of stack dev"));
});

it("a key of the vendor's own tools is named before anything is asked with it", async () => {
  const env = {
    ...{ DEPLOYMENT_SERVICE_URL: "eu", DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
    ...{ LANGSMITH_API_KEY: "vendors-key", HTTPS_PROXY: "http://127.0.0.1:9" },
  };
  const { stderr } = await cli(["list"], { env });
  expect(stderr).toMatch(
    /^connecting to https:\/\/eu\.api\.host\.langchain\.com \(DEPLOYMENT_SERVICE_URL\) with the key of LANGSMITH_API_KEY\n/,
  );
  expect(stderr).not.toContain("vendors-key");
});
