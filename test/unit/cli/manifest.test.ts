import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { scratch } from "../../support/folders";
import { refused } from "./outcomes";
import { cli } from "./support";

let cwd = "";
const good = `version: 1
deployments:
  chat: { source: internal_template, secrets: { REGION: "\${env.REGION}" } }
stacks:
  prod: { deployments: { chat: { secrets: { ZONE: "\${env.ZONE}" } } } }
`;
const bad = "version: 1\ndeployments:\n  chat: { source: git, secrets: { TOKEN: t0ken } }\n";
const own = "console.log(1);\n";
const env = { REGION: "eu", ZONE: "a" };

beforeEach(() => {
  cwd = scratch({ "good.yaml": good, "bad.yaml": bad, "own.ts": own });
  symlinkSync("own.ts", join(cwd, "link.ts"));
  symlinkSync("cycle.ts", join(cwd, "cycle.ts"));
});

const sources = "codehost, external_container, internal_container, internal_source, internal_template";

describe("validate", () => {
  it("warns of a stack that neither the manifest nor the project has", async () => {
    const folder = scratch({
      "deployments.yaml": "version: 1\ndeployments: {}\nstacks: { pr-*: { deployments: {} } }\n",
      "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
    });
    const validate = (stack: string) => cli(["validate", "--stack", stack], { cwd: folder });
    expect(await validate("prdo")).toMatchObject({ code: 0, stderr: "" });
    for (const stack of ["dev", "prod"]) writeFileSync(join(folder, `Pulumi.${stack}.yaml`), "config: {}\n");
    const warning = "warning: neither the manifest nor the project has a stack";
    for (const [stack, stderr] of [
      ["dev", ""],
      ["pr-7", ""],
      ["prdo", `${warning} prdo; did you mean "prod"?\n`],
      ["staging", `${warning} staging; they have dev, prod\n`],
    ] as const)
      expect(await validate(stack)).toMatchObject({ code: 0, stderr });
  });

  it("says that a sound file has no problems", async () => {
    expect(await cli(["validate", "good.yaml"], { cwd, env })).toEqual({
      code: 0,
      stdout: "good.yaml: no problems\n",
      stderr: "",
    });
  });

  it("checks deployments.yaml if no file is named", async () => {
    expect((await cli(["validate"], { cwd })).stderr).toContain("cannot read deployments.yaml");
    writeFileSync(join(cwd, "deployments.yaml"), good);
    expect((await cli(["validate"], { cwd, env })).stdout).toBe("deployments.yaml: no problems\n");
    expect((await cli(["generate"], { cwd })).code).toBe(0);
  });

  it("shows each problem with its line and a caret", async () => {
    expect(await cli(["validate", "bad.yaml"], { cwd })).toEqual({
      code: 1,
      stdout: `bad.yaml:3:19: source: expected one of ${sources}; did you mean "codehost"? [enum]
  chat: { source: git, secrets: { TOKEN: *** } }
                  ^~~
bad.yaml:3:42: warning: TOKEN looks like a credential in plain text; keep it in the configuration and write \${config.KEY} [credential]
  chat: { source: git, secrets: { TOKEN: *** } }
                                         ^~~
1 problem, 1 warning
`,
      stderr: "",
    });
  });

  it.each([["--json"], ["--format=json"]])("prints nothing but JSON with %s", async (flag) => {
    const { code, stdout, stderr } = await cli(["validate", "bad.yaml", flag], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const message = `source: expected one of ${sources}; did you mean "codehost"?`;
    expect(JSON.parse(stdout)).toEqual({
      problems: [
        { file: "bad.yaml", line: 3, column: 19, severity: "error", rule: "enum", message },
        expect.objectContaining({ line: 3, column: 42, severity: "warning", rule: "credential" }),
      ],
    });
    expect((await cli(["validate", "good.yaml", flag], { cwd, env })).stdout).toBe(
      '{\n  "problems": []\n}\n',
    );
  });

  it("speaks to the checks of a code host", async () => {
    const stdin =
      'version: 1\ndeployments:\n  a: { source: codehost, options: { dependsOn: ["50%,\\r\\nmore"] } }\n';
    const { stdout } = await cli(["validate", "-", "--format", "github"], { stdin });
    expect(stdout).toBe(
      '::error file=<stdin>,line=3,col=49,title=reference::there is no deployment "50%25,%0D%0Amore"\n',
    );
  });

  it("asks for the variables of all stacks, or of the one that is selected (G21)", async () => {
    const columns = async (...flags: string[]) => {
      const { stdout } = await cli(["validate", "good.yaml", "--json", ...flags], { cwd });
      return (JSON.parse(stdout) as { problems: { message: string }[] }).problems.map(
        ({ message }) => /variable (\w+)/.exec(message)?.[1],
      );
    };
    expect(await columns()).toEqual(["REGION", "ZONE"]);
    expect(await columns("--stack", "prod")).toEqual(["REGION", "ZONE"]);
    expect(await columns("--stack", "dev")).toEqual(["REGION"]);
  });

  it.each([
    ["none.yaml", "it does not exist"],
    [".", "it is not a regular file"],
  ])("cannot read %s", async (file, reason) => {
    expect(await cli(["validate", file], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `deployment-service: cannot read ${file}: ${reason}\nrun \`npx pulumi-deployment-service validate --help\` for usage\n`,
    });
  });
});

describe("generate", () => {
  const first =
    "// Generated by deployment-service generate from good.yaml; remove this line to keep your edits: `generate` then refuses to overwrite the file";
  const program = `${first}

import { Deployment, fromEnv } from "pulumi-deployment-service";

const chat = new Deployment("chat", {
  source: "internal_template",
  secrets: { REGION: fromEnv("REGION") },
});

export const urls = { chat: chat.url };
`;

  it("prints the program, whatever the environment is", async () => {
    expect(await cli(["generate", "good.yaml"], { cwd })).toEqual({ code: 0, stdout: program, stderr: "" });
  });

  it("writes over a program of its own as long as its first line says that it is one", async () => {
    const out = join(cwd, "index.ts");
    const write = (...words: string[]) =>
      cli(["generate", "good.yaml", "--out", "index.ts", ...words], { cwd });
    expect(await write("--stack", "prod")).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(out, "utf8")).toContain(
      'secrets: { REGION: fromEnv("REGION"), ZONE: fromEnv("ZONE") },',
    );
    expect(await write()).toMatchObject({ code: 0 });
    const written = readFileSync(out, "utf8");
    expect(written).toBe(program);
    const handMade = written.slice(written.indexOf("import"));
    writeFileSync(out, handMade);
    expect(await write()).toMatchObject({ code: 2 });
    expect(readFileSync(out, "utf8")).toBe(handMade);
    writeFileSync(out, "");
    expect(await write()).toMatchObject({ code: 0 });
  });

  it.each([
    [["--out", "good.yaml"], "good.yaml exists and was not written by this command"],
    [["--out", "own.ts"], "own.ts exists and was not written by this command"],
    [["--out", "cycle.ts"], "cannot write cycle.ts: ELOOP: too many symbolic links encountered"],
    [["--out", "link.ts"], "link.ts exists and was not written by this command"],
    [["--out", "."], "cannot write .: it is a folder"],
    [["--out", "no/such.ts"], "cannot write no/such.ts: its folder does not exist"],
    [["--out", "--json"], "Option '--out' argument is ambiguous"],
    [["--out"], "Option '--out <value>' argument missing"],
  ])("writes nowhere, and says why: %j", async (words, message) => {
    const files = readdirSync(cwd);
    const outcome = await cli(["generate", "good.yaml", ...words], { cwd });
    expect(outcome).toMatchObject(refused(message));
    expect(outcome.stderr.trimEnd().split("\n")).toHaveLength(2);
    for (const [file, text] of Object.entries({ "good.yaml": good, "own.ts": own }))
      expect(readFileSync(join(cwd, file), "utf8")).toBe(text);
    expect(readdirSync(cwd)).toEqual(files);
  });

  it("writes nothing for a file with problems", async () => {
    const outcome = await cli(["generate", "bad.yaml", "--out", "bad.ts"], { cwd });
    expect(outcome).toMatchObject(refused("bad.yaml:3:19: source: expected one of", 1));
    expect(readdirSync(cwd)).not.toContain("bad.ts");
  });

  it("prints program and problems as JSON", async () => {
    const { stdout } = await cli(["generate", "good.yaml", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({ problems: [], program });
    const { code, stdout: problems } = await cli(["generate", "bad.yaml", "--json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(problems)).toMatchObject({
      problems: [{ rule: "enum" }, { rule: "credential" }],
      program: null,
    });
  });
});

it("schema prints the schema that the package holds", async () => {
  const text = readFileSync(join(__dirname, "../../../schema/manifest.schema.json"), "utf8");
  expect(await cli(["schema"])).toEqual({ code: 0, stdout: text, stderr: "" });
});
