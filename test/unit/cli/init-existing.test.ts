import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { langsmith, type Emulator } from "../../../emulator";
import { agentIn, Workplace } from "./init-support";
import { askLangsmith, create, ofImage, start } from "./service-commands";

const secret = "sk-in-the-file-0123456789";
const environment = `OPENAI_API_KEY=${secret}\nNEW=1\n`;

/** A service with deployments of these names, and an agent. */
async function found(names: readonly string[], more: object = {}) {
  const emulator = await start({ rules: langsmith, rollout: { polls: 0 } });
  for (const name of names)
    create(emulator, name, {
      source: "internal_source",
      source_config: { deployment_type: "prod" },
      secrets: [
        { name: "OPENAI_API_KEY", value: secret },
        { name: "DB-URL", value: "of-the-database" },
      ],
      ...more,
    });
  const place = new Workplace(agentIn("agent", environment));
  const init = (words: string) =>
    askLangsmith(emulator, ["init", ...words.split(" ")], { cwd: place.cwd, env: place.env });
  return { emulator, place, init };
}

describe("init --from, where the service has a deployment of that name,", () => {
  it.each([
    ["a program", ""],
    ["a manifest", " --yaml"],
  ])("imports it into %s: its type and the names of its secrets, values nowhere", async (_, flag) => {
    const { emulator, place, init } = await found(["agent"]);
    const { code, stdout, stderr } = await init(`infra --from agent${flag}`);
    expect(code).toBe(0);
    const { id } = emulator.deployment("agent")!;
    expect(stderr).toMatch(
      new RegExp(
        `the service at \\S+ has a deployment agent \\(id ${id}(, https?://\\S+)?\\): the stack dev takes it over. ` +
          "If it runs another agent, choose another name with --name\n",
      ),
    );
    const declared = place.read(`infra/${flag ? "deployments.yaml" : "index.ts"}`);
    expect(declared).toMatch(/deploymentType: "?dedicated/);
    expect(declared).toMatch(/deploymentTier: "?DEDICATED_S/);
    expect(declared).toContain(
      flag
        ? "    # secrets:\n    #   DB-URL: ${config.dbUrl} # pulumi config set --secret dbUrl\n"
        : '  // secrets: {\n  //   "DB-URL": new pulumi.Config().requireSecret("dbUrl"), // pulumi config set --secret dbUrl\n',
    );
    const command = "`npx pulumi-deployment-service secrets ../agent/.env --stack dev`";
    expect(declared).toContain(`${command}, or the command next to each.`);
    for (const each of ["NEW", "OPENAI_API_KEY"]) expect(declared).toMatch(new RegExp(`(#|//) {3}${each}: `));
    expect(place.read("infra/Pulumi.dev.yaml")).toContain(emulator.url);
    expect(stdout).toContain("  pulumi import --file import.json --generate-code=false --protect=false\n");
    expect(JSON.parse(place.read("infra/import.json"))).toMatchObject({ resources: [{ name: "agent", id }] });
    expect(place.all("infra") + stdout + stderr).not.toContain(secret);
  });

  it("declares secrets of any name in a way that compiles once it is no comment", async () => {
    const names = ["a b", "it's", 'quo"te', "back\\slash", "line: x", "${ref}", "2FA", "class", "ключ"];
    const { place, init } = await found(["agent"], {
      secrets: names.map((name) => ({ name, value: secret })),
    });
    await init("infra --from agent");
    const program = place.read("infra/index.ts").replace(/^( *)\/\/ /gm, "$1");
    const declared = /secrets: (\{[^]*?^ *\}),/m
      .exec(program)![1]!
      .replaceAll("new pulumi.Config()", "config");
    const config = { requireSecret: (key: string) => key };
    const evaluated = new Function("config", `return ${declared};`)(config) as object;
    expect(Object.keys(evaluated)).toEqual(expect.arrayContaining(names));
    await init("m --from agent --yaml");
    const manifest = place.read("m/deployments.yaml").replace(/^( *)# (?=secrets:| {2}\S)/gm, "$1");
    const { deployments } = parse(manifest) as { deployments: { agent: { secrets: object } } };
    expect(Object.keys(deployments.agent.secrets)).toEqual(expect.arrayContaining(names));
  });

  it("in one of two stacks, leaves the secrets of that one to the service, and gives the other one its own", async () => {
    const { place, init } = await found(["agent"]);
    const { stdout } = await init("infra --from agent --stacks dev,prod");
    expect(place.list("infra")).toContain("import.prod.json");
    expect(place.read("infra/README.md")).toContain("`prod` is protected: Pulumi refuses");
    expect(place.list("infra")).not.toContain("import.dev.json");
    expect(stdout).toContain(
      "  pulumi stack init dev\n  npx pulumi-deployment-service secrets ../agent/.env --stack dev\n  pulumi preview --stack dev\n  pulumi up --stack dev\n" +
        "  pulumi stack init prod\n" +
        "  pulumi import --file import.prod.json --generate-code=false --stack prod\n  pulumi preview --stack prod\n  pulumi up --stack prod\n",
    );
    const program = place.read("infra/index.ts");
    expect(program).toContain('const isManaged = pulumi.getStack() !== "prod";\n');
    expect(program).toMatch(/secrets: isManaged\n {6}\? \{\n {10}NEW: config.requireSecret\("new"\),/);
    const config = { name: "agent", deploymentTier: "DEDICATED_S" };
    expect(place.parsed("infra/Pulumi.prod.yaml")).toMatchObject({ config });
    await init("m --from agent --stacks dev,prod --yaml");
    const manifest = place.parsed<{ stacks: { dev: { deployments: { agent: object } } } }>(
      "m/deployments.yaml",
    );
    expect(manifest).toMatchObject({
      deployments: { agent: { secrets: { NEW: "${config.new}" } } },
      stacks: { prod: { deployments: { agent: { secrets: null } } } },
    });
    expect(manifest.stacks.dev.deployments.agent).not.toHaveProperty("secrets");
    for (const stack of ["dev", "prod"])
      expect(await place.validate("m/deployments.yaml", "--stack", stack)).toBe(0);
  });

  /** As after an upload of its folder. */
  const runsUpload = (emulator: Emulator) =>
    emulator.change("agent", ({ source_revision_config }) => {
      Object.assign(source_revision_config, { source_tarball_path: "up/1.tar.gz" });
    });

  it.each([
    ["a program", "infra --from agent"],
    ["a manifest of several stacks", "infra --from agent --yaml --stacks dev,prod"],
  ])("leaves the archive that it runs out of %s, because the folder replaces it", async (_, words) => {
    const { emulator, place, init } = await found(["agent"]);
    runsUpload(emulator);
    expect((await init(words)).code).toBe(0);
    const written = place.list("infra").filter((file) => !file.startsWith("import."));
    for (const file of written)
      expect(place.read(`infra/${file}`), file).not.toMatch(/sourceTarballPath|adopt:/);
    if (!words.includes("--yaml")) return;
    for (const stack of ["dev", "prod"])
      expect(await place.validate("infra/deployments.yaml", "--stack", stack)).toBe(0);
  });

  it("configures a stack only with what its program reads", async () => {
    const { emulator, place, init } = await found(["agent"], {
      source_config: { deployment_type: "prod", build_command: "make" },
    });
    runsUpload(emulator);
    await init("infra --from agent --stacks dev,prod");
    const { config } = place.parsed<{ config: object }>("infra/Pulumi.prod.yaml");
    const own = Object.keys(config).filter((key) => !key.includes(":"));
    expect(own.sort()).toEqual(["buildCommand", "deploymentTier", "deploymentType", "name"]);
    for (const key of own)
      expect(place.read("infra/index.ts")).toMatch(new RegExp(`config\\.\\w+\\("${key}"\\)`));
  });

  it("keeps what only one of two stacks has, such as a name for people, as text even if it is a date", async () => {
    const { emulator, place, init } = await found(["agent"]);
    const { id } = emulator.deployment("agent")!;
    await fetch(`${emulator.url}/v2/deployments/${id}`, {
      method: "PATCH",
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ display_name: "2026-11-27" }),
    });
    await init("infra --from agent --stacks dev,prod");
    expect(place.read("infra/index.ts")).toContain('displayName: config.get("displayName")');
    expect(place.read("infra/Pulumi.prod.yaml")).toContain('displayName: "2026-11-27"');
    expect(place.read("infra/Pulumi.dev.yaml")).not.toContain("displayName");
  });

  it("refuses one that runs something else than a folder, and writes nothing", async () => {
    const { emulator, place, init } = await found([]);
    const id = create(emulator, "agent", ofImage("a:1"));
    const { code, stderr } = await init("infra --from agent");
    expect(code).toBe(2);
    for (const words of [
      `has a deployment agent (id ${id}`,
      "with the source external_container, which a folder cannot replace. To manage it as it is, create a project",
      `import --ids ${id}\` there`,
      "choose another name with --name",
    ])
      expect(stderr).toContain(words);
    expect(place.list()).toEqual(["agent"]);
  });
});

describe("init --from, where the service has no deployment of that name,", () => {
  it("says so, and takes another name with --name", async () => {
    const { place, init } = await found(["agent-of-sales"]);
    const { code, stderr } = await init("infra --from agent");
    expect(code).toBe(0);
    expect(stderr).toContain(
      " has no deployment agent: `pulumi up` will create it. If it has another name there, use that with --name",
    );
    expect((await init("named --from agent --name agent-of-sales")).code).toBe(0);
    expect(place.list("named")).toContain("import.json");
  });

  it("creates the project also if the service cannot be asked, and says so", async () => {
    const place = new Workplace(agentIn("agent"));
    const { code, stderr } = await place.init("infra --from agent", {
      DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:9",
      DEPLOYMENT_SERVICE_API_KEY: "k",
    });
    expect(code).toBe(0);
    expect(stderr).toContain("cannot look for an existing deployment: ");
    expect(place.list("infra")).toContain("index.ts");
  });
});
