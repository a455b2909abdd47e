import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { langsmith } from "../../../emulator";
import { holding, refused } from "./outcomes";
import { askLangsmith, create, revise, start } from "./service-commands";
import { scratch } from "../../support/folders";
import { cli } from "./support";

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

/** Starts the emulator and tells it to end at once. A later `--port` wins. */
const emulator = (...words: string[]) =>
  cli(["emulator", "--port", "0", ...words], { cwd, cancellation: () => AbortSignal.abort() });

/** Starts the emulator; `lines` is what it has printed. */
async function running(...words: string[]) {
  const shown = { lines: "" };
  const user = new AbortController();
  const work = cli(["emulator", "--port", "0", ...words], {
    cancellation: () => user.signal,
    onOutput: (text) => (shown.lines += text),
  });
  await expect.poll(() => shown.lines).toContain("Requests:");
  return { shown, end: () => (user.abort(), work) };
}

describe("deployment-service emulator", () => {
  it("prints the variables to set, ready to paste, and ends at Ctrl-C", async () => {
    const { code, stdout, stderr } = await emulator("--dialect", "langsmith", "--api-key", "it's a key");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^export DEPLOYMENT_SERVICE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(stdout).toContain("export DEPLOYMENT_SERVICE_API_KEY='it'\\''s a key'\n");
    expect(stdout).toContain("export DEPLOYMENT_SERVICE_DIALECT=langsmith\n");
    expect(stdout).not.toContain("ALLOW_HTTP");
  });

  it.each([
    ["the key", [], { api_key: "emulator-key" }],
    ["a token", ["--access-token", "t-1"], { oauth: { access_token: "t-1" } }],
  ])(
    "prints a file of a login with %s, which commands then take instead of address and key",
    async (_, more, credential) => {
      const { shown, end } = await running("--dialect", "langsmith", ...more);
      // Both parts, as by someone who pastes everything.
      const pasted = shown.lines.split("\n").filter((line) => /^(echo|export|unset) /.test(line));
      const shell = ["-c", [...pasted, "env"].join("\n")];
      const shellEnv = { PATH: process.env["PATH"], TMPDIR: cwd };
      const { stdout } = await promisify(execFile)("sh", shell, { cwd: "/", env: shellEnv });
      const env = Object.fromEntries(
        [...stdout.matchAll(/^((?:DEPLOY|LANG)\w+)=(.*)$/gm)].map(([, ...each]) => each),
      );
      const file = env.LANGSMITH_CONFIG_FILE as string;
      expect(Object.keys(env).sort()).toEqual(["DEPLOYMENT_SERVICE_DIALECT", "LANGSMITH_CONFIG_FILE"]);
      const { profiles } = JSON.parse(readFileSync(file, "utf8")) as { profiles: object };
      expect(profiles).toMatchObject({ default: credential });
      const outcome = await cli(["list"], { env, cwd });
      await end();
      expect(outcome).toMatchObject({ code: 0, stderr: holding("no deployments") });
    },
  );

  it("says when it listens for more than this machine", async () => {
    const { stdout } = await emulator("--host", "0.0.0.0");
    expect(stdout).toContain("anyone who can connect");
    expect((await emulator()).stdout).not.toContain("anyone");
  });

  it("prints a readable line for each request", async () => {
    const { shown, end } = await running();
    const url = /DEPLOYMENT_SERVICE_URL=(\S+)/.exec(shown.lines)![1]!;
    const headers = { "x-api-key": "emulator-key" };
    expect((await fetch(`${url}/v2/deployments?limit=5`, { headers })).status).toBe(200);
    expect((await end()).code).toBe(0);
    expect(shown.lines).toMatch(/^GET {4}\/v2\/deployments\?limit=5 200 \d+ms$/m);
  });

  it("prints JSON for other programs", async () => {
    const { stdout } = await emulator("--json");
    expect(JSON.parse(stdout)).toMatchObject({ variables: { DEPLOYMENT_SERVICE_API_KEY: "emulator-key" } });
  });

  it("shows the controls in its help, and a line that lets builds fail, with a log that says that it is made up", async () => {
    const { stdout } = await cli(["emulator", "--help"]);
    const service = await start({ rules: langsmith });
    const headers = { "x-api-key": service.apiKey };
    const response = await fetch(`${service.url}/_emulator/none`, { headers });
    const { detail } = (await response.json()) as { detail: string };
    const routes = [...stdout.matchAll(/^ {2}([A-Z]+) +(\/_emulator\/(?:\{[^}]*\}|\S)+)/gm)];
    expect(detail).toContain(`Available: ${routes.map(([, ...route]) => route.join(" ")).join(", ")}`);
    const line = /^ +(curl .*)http:\/\/127\.0\.0\.1:8787(\/.*)$/m.exec(stdout)!;
    await promisify(execFile)("sh", ["-c", `${line[1]} ${service.url}${line[2]}`]);
    const log = async (...words: string[]) => (await askLangsmith(service, ["logs", ...words])).stdout;
    create(service, "chat", { source_config: { deployment_type: "dev" } });
    revise(service, "chat");
    expect((await askLangsmith(service, ["status", "--wait"])).stdout).toContain("last build failed");
    expect(await log("chat")).toMatch(/^emulator: .* made up\n#5/);
    service.configure({ rollout: { polls: 0, fails: true } });
    create(service, "search", { source_config: { deployment_type: "dev" } });
    for (const flags of [[], ["--build"]])
      expect(await log("search", ...flags)).toMatch(/^emulator: .* made up\n/);
  });

  it("says that its addresses answer nothing, unless they do", async () => {
    const nothing = "Nothing answers at the addresses of its deployments: see --apps.";
    expect((await emulator()).stdout).toContain(nothing);
    expect((await emulator("--apps")).stdout).not.toContain(nothing);
  });

  it.each([
    [["--port", "x"], "--port must be a whole number"],
    [["--port", "70000"], "--port must be at most 65535"],
    [["--latency", "20"], "--latency must be a time"],
    [["--dialect", "other"], "--dialect must be one of standard, langsmith"],
    [["--seed", "none.yaml"], "cannot read none.yaml: it does not exist"],
    [["--state", "."], "is not a regular file"],
    [["--host", "203.0.113.7"], "--host 203.0.113.7 is not an address of this machine"],
  ])("refuses %j in a sentence", async (words, sentence) => {
    expect(await emulator(...words)).toMatchObject(refused(sentence));
  });

  it("says that a port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    expect(await emulator("--port", String(port))).toMatchObject(
      refused(`port ${port} is in use: choose another one with --port`),
    );
    other.close();
  });

  it.each([
    ["deployments: [", ["seed.yaml: "]],
    [
      "deployments:\n  - name: chat\n    source: github\n  - source: github\n",
      ["seed.yaml: deployments[0].source (chat): ", "seed.yaml: deployments[1].name: "],
    ],
    ["- chat\n", ["seed.yaml: Input should be a valid object"]],
    [
      "deployments:\n  - source: external_container\n    colour: red\n",
      ["seed.yaml: deployments[0].name: Field required", "seed.yaml: deployments[0].colour: "],
    ],
    [
      Buffer.from("\ufeffdeployments:\n  - name: chat\n    source: svn\n", "utf16le"),
      ["seed.yaml: deployments[0].source (chat): "],
    ],
    [Buffer.from("deployments: []\n# caf\u00e9", "latin1"), ["seed.yaml is not UTF-8"]],
  ])(
    "names every mistake in a seed on its own line, with its path and the deployment's name: %j",
    async (text, expected) => {
      writeFileSync(join(cwd, "seed.yaml"), text);
      const { code, stdout, stderr } = await emulator("--seed", "seed.yaml");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const lines = stderr.replace(/^deployment-service: /gm, "").split("\n");
      for (const start of expected) expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
    },
  );
});
