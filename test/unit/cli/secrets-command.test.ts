import { describe, expect, it } from "vitest";
import { agentIn, Workplace } from "./init-support";

const secret = "sk-in-the-file-0123456789";

/** A project for an agent with these variables. */
async function project(environment: string, words = ""): Promise<Workplace> {
  const place = new Workplace(agentIn("agent", environment));
  expect((await place.init(`infra --from agent ${words}`)).code).toBe(0);
  return place;
}

const file = "../agent/.env";

describe("secrets", () => {
  it("sets each value under the key that the program reads, on standard input, and shows none", async () => {
    const place = await project(`API_KEY_1=first\nAPI_KEY1=${secret}\nMANY="of\nthem"\n`);
    const { code, stdout, stderr, calls } = await place.secrets("infra", [file, "--stack", "dev"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(calls).toEqual([
      "config set --secret apiKey1-2 --stack dev=first\n",
      `config set --secret apiKey1 --stack dev=${secret}\n`,
      "config set --secret many --stack dev=of\nthem\n",
    ]);
    expect(stdout).toBe("set apiKey1-2 (API_KEY_1)\nset apiKey1 (API_KEY1)\nset many (MANY)\n");
    for (const key of ["apiKey1", "apiKey1-2"])
      expect(place.read("infra/index.ts")).toContain(`requireSecret("${key}")`);
  });

  it.each([
    ["a program", "index.ts", 'const s = {\n  // A: new pulumi.Config("agents").requireSecret("of-a"),\n};'],
    ["Python", "__main__.py", 'secrets={"A": pulumi.Config("agents").require_secret("of-a")}'],
    ["a manifest", "deployments.yaml", "# secrets:\n#   A: ${config.agents:of-a} # pulumi config set"],
    [
      "a module",
      "src/secrets.ts",
      'export const secrets = { "A":\n  pulumi.Config("agents").getSecret("of-a") }',
    ],
  ])("finds the key in %s, also in a comment", async (_, source, text) => {
    const place = new Workplace({ "Pulumi.yaml": "name: p\n", ".env": "A=1\nNEW=2\n", [source]: text });
    const { code, stdout, calls } = await place.secrets(".", [".env"]);
    expect(calls).toEqual([
      "config set --secret agents:of-a --stack dev=1\n",
      "config set --secret new --stack dev=2\n",
    ]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "set agents:of-a (A)\nset new (NEW), which the program does not read yet: add it to `secrets`\n",
    });
  });

  it.each([
    ["secrets.A = config.requireSecret('later');", "later"],
    ['secrets["A"] = this.config.requireSecret("later");', "later"],
    ['const c = new pulumi.Config("agents");\nconst s = { A: c.requireSecret("of-a") };', "agents:of-a"],
    [
      'const o: pulumi.Config = new pulumi.Config("x");\nconst p = new pulumi.Config();\ns.A = p.getSecret("a");',
      "a",
    ],
    ['other := config.New(ctx, "agents")\n"A": other.RequireSecret(ctx, "of-a"),', "agents:of-a"],
    ['var other = new Pulumi.Config("agents");\n{ "A", other.RequireSecret("of-a") },', "agents:of-a"],
  ])("finds the key in %j", async (text, key) => {
    const place = new Workplace({ "Pulumi.yaml": "name: p\n", ".env": "A=1\n", "index.ts": text });
    expect((await place.secrets(".", [".env"])).calls).toEqual([
      `config set --secret ${key} --stack dev=1\n`,
    ]);
  });

  it("sets no variable whose key the program reads for another name", async () => {
    const text = 'const key = config.requireSecret("laterKey");\nconst s = { LATER_KEY: key };';
    const place = new Workplace({ "Pulumi.yaml": "name: p\n", ".env": "LATER_KEY=1\n", "index.ts": text });
    const { code, stderr, calls } = await place.secrets(".", [".env"]);
    expect(code).toBe(1);
    expect(calls.filter((call) => call.startsWith("config set"))).toEqual([]);
    expect(stderr).toContain("the program reads laterKey for another name: set each with");
  });

  it("leaves out what is the same, empty, no assignment, or set by the service, and says so", async () => {
    const place = await project(`SAME=${secret}\nPLAIN=3\n`);
    place.write({ "agent/.env": `SAME=${secret}\nPLAIN=3\nEMPTY=\nJOINED="a""b"\nPORT=1\n` });
    const there = {
      "agent-infra:same": { value: secret, secret: true },
      "agent-infra:plain": { value: "3", secret: false },
      "deployment-service:dialect": { value: "langsmith", secret: false },
      "deployment-service:baseUrl": { value: "us", secret: false },
    };
    const { code, stdout, stderr, calls } = await place.secrets("infra", [file], there);
    expect({ code, calls }).toEqual({ code: 0, calls: ["config set --secret plain --stack dev=3\n"] });
    expect(stdout).toBe("same is set already (SAME)\nset plain (PLAIN)\n");
    expect(stderr).toBe(
      "skipped PORT: the service sets it itself\nskipped EMPTY: it has no value\n" +
        "skipped JOINED: it is not an assignment\n",
    );
  });

  it("fails after the others if the program declares a name that the file lacks", async () => {
    const place = await project("A=1\nB=2\n");
    place.write({ "agent/.env": "B=2\nA=\n" });
    const { code, stderr, calls } = await place.secrets("infra", [file]);
    expect({ code, calls }).toEqual({ code: 1, calls: ["config set --secret b --stack dev=2\n"] });
    expect(stderr).toContain("the program declares A, but ../agent/.env has no value for it\n");
    const json = await place.secrets("infra", [file, "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({
      set: [{ name: "B", key: "b" }],
      unchanged: [],
      skipped: [{ name: "A", reason: "it has no value" }],
      unread: [],
      missing: ["A"],
    });
  });

  it("sets no variable that the program reads under several keys", async () => {
    const manifest = "a: { secrets: { K: '${config.aK}' } }\nb: { secrets: { K: '${config.bK}' } }\n";
    const place = new Workplace({ "Pulumi.yaml": "name: p\n", ".env": "K=1\n", "m.yaml": manifest });
    const { code, stderr, calls } = await place.secrets(".", [".env"]);
    expect(code).toBe(1);
    expect(calls.filter((call) => call.startsWith("config set"))).toEqual([]);
    expect(stderr).toContain("skipped K: the program reads it as aK and as bK: set each with");
  });

  it("sets nothing of more than the engine can pass to a program", async () => {
    const place = await project(`SMALL=1\nLONG=${"<".repeat(22_000)}\n`);
    const { code, stderr, calls } = await place.secrets("infra", [file]);
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(stderr).toMatch(/nothing was set: .* 129 KiB.* The largest variable is LONG/);
    place.write({ "agent/.env": `SMALL=1\nLONG=${"<".repeat(21_000)}\n` });
    expect(await place.secrets("infra", [file])).toMatchObject({ code: 0 });
  });

  it("stops where the CLI fails, and needs a project and a file", async () => {
    const place = await project("A=1\nB=2\n");
    const failed = await place.secrets("infra", [file], {}, 1);
    expect(failed).toMatchObject({ code: 3, stdout: "", calls: ["config set --secret a --stack dev=1\n"] });
    expect(await place.secrets("infra", ["nowhere"])).toMatchObject({ code: 2, calls: [] });
    expect(await place.secrets("agent", [".env"])).toMatchObject({ code: 2, calls: [] });
  });

  it("shows nothing of a file that it cannot read", async () => {
    const place = await project("A=1\n");
    place.write({ "agent/langgraph.json": `{ "env": { "A": ${secret} } }` });
    const { code, stderr } = await place.secrets("infra", ["../agent/langgraph.json"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain(secret.slice(0, 8));
  });
});

describe("init --from --stacks", () => {
  it("prints the command with a stack's own file, where there is one", async () => {
    const place = new Workplace({ ...agentIn("agent", "A=1\n"), "agent/.env.prod": "A=2\n" });
    const { stdout, stderr } = await place.init("infra --from agent --stacks dev,prod");
    for (const words of ["../agent/.env --stack dev", "../agent/.env.prod --stack prod"])
      expect(stdout).toContain(`npx pulumi-deployment-service secrets ${words}\n`);
    expect(stderr).not.toContain("get the same values");
  });

  it("says that stacks get the same values, where they share a file", async () => {
    const place = new Workplace(agentIn("agent", "A=1\n"));
    const { stderr } = await place.init("infra --from agent --stacks dev,prod");
    expect(stderr).toContain("dev and prod get the same secrets, from agent/.env");
    expect(stderr).toContain(".env.prod");
  });
});
