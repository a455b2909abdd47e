import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentIn, Workplace } from "./init-support";
import { refused } from "./outcomes";
import { cli } from "./support";

const secret = "sk-in-the-file-0123456789";

/** The name of the only deployment that a program declares. */
const declaredIn = (program: string) => /new Deployment\(\s*"([^"]+)"/.exec(program)?.[1];
const namedIn = (program: string) => /^ +name: "([^"]+)"/m.exec(program)?.[1] ?? declaredIn(program);

describe("init --from", () => {
  it("declares the folder and the names of its variables as secrets, and leaves their values in its file", async () => {
    const place = new Workplace(
      agentIn("My Agent", `OPENAI_API_KEY=${secret}\nexport MODEL='small'\nLANGSMITH_PROJECT=mine\nEMPTY=\n`),
    );
    const { code, stdout, stderr } = await cli(["init", "infra", "--from", "My Agent", "--yaml"], place);
    expect(code).toBe(0);
    expect(stderr.split("\n")).toEqual([
      "EMPTY in My Agent/.env: not declared, because there is no value",
      "LANGSMITH_PROJECT in My Agent/.env: not declared, because the service sets it",
      "the deployment's name is my-agent (from the agent's folder)",
      "the service is at https://api.host.langchain.com",
      expect.stringContaining("this did not look for an existing deployment my-agent: "),
      "",
    ]);
    expect(place.parsed("infra/deployments.yaml")).toEqual({
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
    expect(await place.validate("infra/deployments.yaml")).toBe(0);
    expect(place.all("infra") + stdout + stderr).not.toContain(secret);
    expect(stdout).toContain(
      "  npm install\n  export LANGSMITH_API_KEY=…\n  pulumi stack init dev\n" +
        "  npx pulumi-deployment-service secrets '../My Agent/.env' --stack dev\n  pulumi preview\n",
    );
  });

  it("has the instructions of the example for coding agents, and says what to do without a Pulumi CLI", async () => {
    const place = new Workplace(agentIn("agent", "A=1\n"));
    await place.init("infra --from agent --stacks dev,prod");
    expect(place.read("infra/AGENTS.md")).toBe(readFileSync("examples/11-folder/AGENTS.md", "utf8"));
    for (const file of ["infra/AGENTS.md", "infra/README.md"])
      expect(place.read(file)).toContain("If the Pulumi CLI is not installed, write `npx pulumi`");
  });

  it("lists files, and what to type next, as JSON", async () => {
    const place = new Workplace(agentIn("agent"));
    const { stdout } = await place.init("infra --from agent --json");
    expect(JSON.parse(stdout)).toMatchObject({
      folder: join(place.cwd, "infra"),
      files: expect.arrayContaining(["index.ts", "AGENTS.md"]) as unknown,
      next: expect.arrayContaining(["cd infra", "npm install", "pulumi preview"]) as unknown,
    });
  });

  describe("chooses the name of the deployment", () => {
    const file = "LANGSMITH_DEPLOYMENT_NAME='of-the-file'\nA=1\n";
    const env = { LANGSMITH_DEPLOYMENT_NAME: "of-the-environment" };

    it.each([
      ["--name of-the-flag", file, env, "of-the-flag", "--name"],
      ["", file, env, "of-the-file", "LANGSMITH_DEPLOYMENT_NAME in agent/.env"],
      ["", "A=1\n", env, "of-the-environment", "LANGSMITH_DEPLOYMENT_NAME of the environment"],
      ["", "A=1\n", {}, "agent", "the agent's folder"],
    ])(
      "in the order of the service's own command line, and says so: %j",
      async (flag, text, env, name, from) => {
        const place = new Workplace(agentIn("agent", text));
        const { code, stderr } = await place.init(`infra --from agent ${flag}`, env);
        expect({ code, name: declaredIn(place.read("infra/index.ts")) }).toEqual({ code: 0, name });
        expect(stderr).toContain(`the deployment's name is ${name} (from ${from})\n`);
        expect(stderr).not.toContain("LANGSMITH_DEPLOYMENT_NAME in agent/.env: not declared");
      },
    );

    it("from an object of variables too", async () => {
      const env = { LANGSMITH_DEPLOYMENT_NAME: "of-the-object", A: "1" };
      const { stderr } = await new Workplace(agentIn("agent", "", { env })).init("infra --from agent");
      expect(stderr).toContain(
        "is of-the-object (from LANGSMITH_DEPLOYMENT_NAME in `env` of agent/langgraph.json)\n",
      );
    });

    it.each([
      ["My_Agent", "my-agent"],
      ["2024-agent", "2024-agent"],
      ["my--agent", "my--agent"],
      ["__", "app"],
      ["Customer-Support-Agent-With-A-Long-Name-2025-Q1", "customer-support-agent-with-a-long-name-2025-q1"],
    ])("as the service's own command line, from the folder %s", async (folder, name) => {
      const place = new Workplace(agentIn(folder));
      expect((await place.init(`p --from ${folder}`)).code).toBe(0);
      expect(namedIn(place.read("p/index.ts"))).toBe(name);
    });

    it.each(["Chat X", "a.b", "chat-", "__proto__", "x".repeat(64)])(
      "refuses the name %s, which the service would refuse, from a flag and from a variable",
      async (name) => {
        const variable = agentIn("other", `LANGSMITH_DEPLOYMENT_NAME='${name}'\n`);
        const place = new Workplace({ ...agentIn("agent"), ...variable });
        const flag = await cli(["init", "infra", "--from", "agent", "--name", name], place);
        expect(flag).toMatchObject(refused("must have at most 63 lowercase letters, digits and dashes"));
        const outcome = await place.init("infra --from other");
        expect(outcome).toMatchObject(
          refused(`${JSON.stringify(name)} (LANGSMITH_DEPLOYMENT_NAME in other/.env)`),
        );
        expect(outcome.stderr).toContain("choose another with --name");
        expect(place.list()).toEqual(["agent", "other"]);
      },
    );
  });

  describe("declares the variables", () => {
    const text = `MODEL_NAME=${secret}\nMAX_STEPS=25\nON=True\n`;
    it.each([
      ["of an object", agentIn("agent", undefined, { env: { MODEL_NAME: secret, MAX_STEPS: 25, ON: true } })],
      ["of a .env that nothing mentions", agentIn("agent", text, {})],
      ["of a .env beside an empty object", agentIn("agent", text, { env: {} })],
    ])("%s as those of a file", async (_, files) => {
      const place = new Workplace(files);
      const { code, stdout, stderr } = await place.init("infra --from agent");
      expect(code).toBe(0);
      expect(place.read("infra/index.ts")).toContain(
        'MAX_STEPS: config.requireSecret("maxSteps"),\n    MODEL_NAME: config.requireSecret("modelName"),',
      );
      expect(place.all("infra") + stdout + stderr).not.toContain(secret);
      const [, file] = /secrets (\S+) --stack dev/.exec(stdout)!;
      const { code: status, calls } = await place.secrets("infra", [file!]);
      expect(status).toBe(0);
      expect(calls.sort()).toEqual([
        "config set --secret maxSteps --stack dev=25\n",
        `config set --secret modelName --stack dev=${secret}\n`,
        "config set --secret on --stack dev=True\n",
      ]);
    });

    it("of an object alone, where there is a .env too", async () => {
      const place = new Workplace(agentIn("agent", "OTHER=1\n", { env: { A: "1" } }));
      await place.init("infra --from agent");
      expect(place.read("infra/index.ts")).not.toContain("OTHER");
    });

    it("reports lines that set nothing by their names", async () => {
      const place = new Workplace(agentIn("agent", 'GOOD=1\nORG-ID=2\nJOINED="a""b"\nno value\n'));
      const { stderr } = await place.init("infra --from agent");
      expect(stderr).toContain("JOINED, line 4 in agent/.env: ignored, because this is not an assignment\n");
      expect(place.read("infra/index.ts")).toContain('"ORG-ID": config.requireSecret("orgId")');
    });

    it("warns of a credential in the configuration itself, without its value", async () => {
      const place = new Workplace(agentIn("agent", undefined, { env: { API_KEY: secret, MODEL: "small" } }));
      const { stderr } = await place.init("infra --from agent");
      expect(stderr).toContain("agent/langgraph.json contains API_KEY in plain text");
      expect(stderr).not.toContain(secret);
    });

    it("of none, where there is none, and reports what is mentioned and is no file", async () => {
      const place = new Workplace({ ...agentIn("a", undefined, {}), ...agentIn("b"), ...agentIn("c") });
      expect((await place.init("one --from a")).stderr).not.toContain("secrets");
      expect(place.read("one/index.ts")).not.toContain("secrets");
      execFileSync("mkfifo", [join(place.cwd, "c/.env")]);
      for (const [from, what] of [
        ["b", "does not exist"],
        ["c", "is not a regular file"],
      ])
        expect((await place.init(`of-${from} --from ${from}`)).stderr).toContain(
          `${from}/.env, which ${from}/langgraph.json mentions, ${what}: no secrets are declared\n`,
        );
    });

    it.each([
      ["a file", "./.env", "EMPTY in", "agent/.env", ".env", "../.env"],
      ["a file elsewhere", "../prod.env", "EMPTY in", "prod.env", "../prod.env", "../../prod.env"],
      [
        "the graph configuration",
        { MODEL: "small", LANGSMITH_PROJECT: "p" },
        "LANGSMITH_PROJECT in",
        "`env` of agent/langgraph.json",
        "`env` of langgraph.json",
        "../langgraph.json",
      ],
    ])(
      "of %s, whose path is that from the current folder, and in files of the project from its folder",
      async (_, env, report, outside, inside, inProject) => {
        const place = new Workplace({
          ...agentIn("agent", "A=1\nEMPTY=\n", { env }),
          "prod.env": "A=1\nEMPTY=\n",
        });
        const fromOutside = await place.init("agent/one --from agent");
        expect(fromOutside.stderr).toContain(`${report} ${outside}: not declared, because`);
        const cwd = join(place.cwd, "agent");
        const fromInside = await cli(["init", "two", "--from", "."], { cwd, env: place.env });
        expect(fromInside.stderr).toContain(`${report} ${inside}: not declared, because`);
        for (const { stdout } of [fromOutside, fromInside])
          expect(stdout).toContain(`npx pulumi-deployment-service secrets ${inProject} --stack dev\n`);
      },
    );

    it("leaves out names that the service at that address reserves", async () => {
      const place = new Workplace(agentIn("agent", "LANGSMITH_API_KEY=a\nPORT=1\nMODEL=b\n"));
      const { stderr } = await place.init("infra --from agent");
      expect(stderr).toContain(
        "LANGSMITH_API_KEY, PORT in agent/.env: not declared, because the service sets it\n",
      );
      expect(place.read("infra/index.ts").match(/requireSecret\(.*\)/g)).toEqual(['requireSecret("model")']);
    });
  });

  describe("with --stacks", () => {
    it.each([
      ["dev,prod", { dev: "bot-dev", prod: "bot" }],
      ["prod,dev", { prod: "bot-prod", dev: "bot" }],
      ["dev,staging,prod", { dev: "bot-dev", staging: "bot-staging", prod: "bot" }],
      ["dev,My_Stage", { dev: "bot-dev", My_Stage: "bot" }],
      ["My_Stage,dev", { My_Stage: "bot-my-stage", dev: "bot" }],
    ])("%s, each has its own name, type and size, and prod is protected", async (stacks, names) => {
      const place = new Workplace(agentIn("agent", "A=1\n"));
      const words = `--from agent --name bot --stacks ${stacks}`;
      expect((await place.init(`p ${words}`)).code).toBe(0);
      expect((await place.init(`m ${words} --yaml`)).code).toBe(0);
      const { stacks: overlays } = place.parsed<{ stacks: Record<string, object> }>("m/deployments.yaml");
      for (const [stack, name] of Object.entries(names)) {
        const isProduction = stack === "prod";
        const deploymentType = isProduction ? "dedicated" : "serverless";
        const deploymentTier = isProduction ? "DEDICATED_S" : "SERVERLESS_S";
        const sourceConfig = { deploymentType, deploymentTier };
        expect(place.parsed(`p/Pulumi.${stack}.yaml`)).toMatchObject({ config: { name, ...sourceConfig } });
        expect(overlays[stack]).toEqual({
          deployments: {
            bot: { name, sourceConfig, ...(isProduction && { options: { protect: true } }) },
          },
        });
        expect(await place.validate("m/deployments.yaml", "--stack", stack)).toBe(0);
      }
      const program = place.read("p/index.ts");
      expect(program.includes('{ protect: pulumi.getStack() === "prod" }')).toBe("prod" in names);
      expect(program).toContain('name: config.require("name")');
    });

    it("names its one stack, and keeps a secret apart from a setting of the same name", async () => {
      const place = new Workplace(agentIn("agent", "NAME=1\nDEPLOYMENT_TYPE=2\n"));
      expect((await place.init("one --from agent --stacks live")).code).toBe(0);
      expect(place.list("one")).toContain("Pulumi.live.yaml");
      expect(place.read("one/index.ts")).toContain('deploymentType: "serverless"');
      await place.init("two --from agent --stacks dev,prod");
      for (const [name, key] of Object.entries({ NAME: "name-2", DEPLOYMENT_TYPE: "deploymentType-2" }))
        expect(place.read("two/index.ts")).toContain(`${name}: config.requireSecret("${key}")`);
    });

    it.each([
      ["dev,dev", "dev and dev would have deployments with the same name"],
      ["Dev,prod,dev", "Dev and dev would have deployments with the same name"],
      ["my_dev,my-dev", "my_dev and my-dev would have deployments with the same name"],
      ["dev,", '"" cannot be the name of a stack'],
      ["acme/dev,prod", '"acme/dev" cannot be the name of a stack'],
      ["dev,-y", '"-y" cannot be the name of a stack'],
      ["...,prod", '"..." cannot be the name of a stack'],
      [`${"a".repeat(60)},prod`, "must have at most 63"],
    ])("refuses %s, and writes nothing", async (stacks, message) => {
      const place = new Workplace(agentIn("agent"));
      expect(await place.init(`infra --from agent --stacks ${stacks}`)).toMatchObject(refused(message));
      expect(place.list()).toEqual(["agent"]);
    });
  });

  describe("puts the project", () => {
    it("into a new folder of the agent's, if it runs there", async () => {
      const place = new Workplace(agentIn("."));
      const { code, stdout, stderr } = await place.init("--from . --name bot");
      expect(code).toBe(0);
      expect(stdout).toContain("Created infra with ");
      expect(stderr).not.toContain("repository");
      expect(place.read("infra/index.ts")).toContain('sourceDirectory: ".."');
    });

    it("into this folder, if it is empty", async () => {
      const place = new Workplace(agentIn("agent"));
      place.write({ "new/x": "" });
      rmSync(join(place.cwd, "new/x"));
      const { code } = await cli(["init", "--from", "../agent"], { cwd: join(place.cwd, "new") });
      expect(code).toBe(0);
      expect(place.list("new")).toContain("Pulumi.yaml");
    });

    it.each([[". --from ."], ["docs --from agent"]])("into no folder that has files: %s", async (words) => {
      const place = new Workplace({ ...agentIn("agent"), ...agentIn("."), "docs/x": "" });
      const before = place.list();
      expect(await place.init(words)).toMatchObject(refused("choose a new or empty folder"));
      expect(place.list()).toEqual(before);
    });
  });

  it.each([
    ["../agent", /agent is not an agent project: there is no \/\S+\/agent\/langgraph.json$/m],
    ["agent/langgraph.json", /langgraph.json is not an agent project: there is no \/\S+\/langgraph.json$/m],
    ["docs", /docs is not an agent project: there is no \/\S+\/docs\/langgraph.json$/m],
  ])("refuses the path %s, which leads to no agent project", async (from, message) => {
    const place = new Workplace({ ...agentIn("agent"), "docs/index.md": "" });
    expect(await place.init(`infra --from ${from}`)).toMatchObject(refused(message));
  });

  it("quotes a path with quotes and a reference", async () => {
    const folder = `it's "\${x}" a`;
    const place = new Workplace(agentIn(folder));
    for (const words of [["p"], ["m", "--yaml"]])
      expect((await cli(["init", ...words, "--from", folder], place)).code).toBe(0);
    expect(place.read("p/index.ts")).toContain(`sourceDirectory: "../it's \\"\${x}\\" a"`);
    const { deployments } = place.parsed<{ deployments: object }>("m/deployments.yaml");
    expect(Object.values(deployments)).toMatchObject([{ sourceDirectory: `../it's "$\${x}" a` }]);
    expect(place.read("p/Pulumi.yaml")).toContain("name: it-s-x-a-p\n");
  });

  it("refuses a broken configuration, and writes nothing", async () => {
    const place = new Workplace({ ...agentIn("agent"), "agent/langgraph.json": '{\n  "graphs": { "a" }\n}' });
    const outcome = await place.init("infra --from agent");
    expect(outcome).toMatchObject(refused("is not valid JSON at line 2, column 19"));
    expect(place.list()).toEqual(["agent"]);
  });

  it("reports an agent in another repository, and proposes a folder in it", async () => {
    const place = new Workplace(agentIn("agent"));
    place.git("agent", "init", "-q");
    const { code, stderr } = await place.init("infra --from agent --ci github");
    expect(code).toBe(0);
    expect(stderr).toContain("agent is in another repository");
    expect(stderr).toContain("`init agent/infra --from agent`");
    expect((await place.init("agent/infra --from agent")).stderr).not.toContain("repository");
  });
});
