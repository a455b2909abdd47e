/** Deploys a folder of source code with the real CLI and both providers. */
import { describe, expect, it } from "vitest";
import { textsOf } from "../support/source";
import { programOfBoth } from "./plugin-support";
import { useProduct, type Product } from "./support";

const declared = (more: object = {}, options = "") =>
  ["dynamic", "packaged"]
    .map((adapter) => {
      const args = {
        source: "internal_source",
        sourceConfig: { deploymentType: "dev_zero" },
        sourceDirectory: "./agent",
        secrets: { MODEL_API_KEY: "canary-7a31c5" },
        ...more,
      };
      return `new ${adapter}.Deployment("${adapter}", ${JSON.stringify(args)}, { ${options} });`;
    })
    .join("\n");

const files = {
  "agent/langgraph.json":
    '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" }, "env": ".env" }',
  "agent/agent.py": "graph = 1\n",
  "agent/.env": "MODEL_API_KEY=canary-7a31c5\nSEARCH_API_KEY=canary-0b6c11\n",
};
const names = ["dynamic", "packaged"];
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const emulator = { dialect: "langsmith" } as const;
const runs = ({ emulator }: Product) => names.map((name) => emulator.deployment(name)!.revisions.length);

describe("a folder", () => {
  const product = useProduct({ program: { ...programOfBoth(declared()), ...files }, env, emulator });

  it("is uploaded and rolled out without its environment files, and the output lists the names in them", async () => {
    const { output, requests } = await product.up();
    for (const name of names) {
      expect(output).toMatch(new RegExp(`${name}: sourceDirectory holds 2 files, .*; excludes \\.env`));
      expect(output).toContain(
        `${name}: sourceDirectory: \`secrets\` does not declare variables of .env, the \`env\` of the graph configuration: SEARCH_API_KEY.`,
      );
      expect(Object.keys(textsOf(product.emulator.uploaded(name)!))).toEqual(["agent.py", "langgraph.json"]);
    }
    expect(requests.filter((line) => !line.startsWith("GET")).sort()).toEqual(
      [
        "POST /v2/deployments 201",
        "POST /v2/deployments/<id>/upload-url 200",
        "PUT /_storage/<id> 200",
        "PATCH /v2/deployments/<id> 200",
      ]
        .flatMap((line) => [line, line])
        .sort(),
    );
    expect(runs(product)).toEqual([1, 1]);
    expect(output).not.toContain("canary");
    expect(product.stack.stateText()).not.toMatch(/canary|_storage/);
  });

  it("of the same content sends nothing, and a refresh finds nothing", async () => {
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
  });

  it("that moves with the same content changes nothing", async () => {
    const moved = Object.entries(files).map(([path, text]) => [path.replace("agent/", "moved/"), text]);
    const program = programOfBoth(declared({ sourceDirectory: "./moved" }));
    product.stack.write({ ...program, ...(Object.fromEntries(moved) as Record<string, string>) });
    const { output, requests } = await product.up({ args: ["--expect-no-changes"] });
    expect(requests).toEqual([]);
    expect(output).not.toContain("sourceDirectory");
    product.stack.write(programOfBoth(declared()));
  });

  it("makes no revision where the program ignores its changes", async () => {
    product.stack.write({
      ...programOfBoth(declared({}, `ignoreChanges: ["sourceDirectory", "__source"]`)),
      "agent/agent.py": "graph = 3\n",
    });
    expect((await product.up({ args: ["--expect-no-changes"] })).writes).toEqual([]);
  });
});

describe("a program in a folder below its project", () => {
  const { "Pulumi.yaml": project, "index.js": code } = programOfBoth(declared());
  const moved = Object.fromEntries(Object.entries(files).map(([name, text]) => [`program/${name}`, text]));
  const product = useProduct({
    program: { "Pulumi.yaml": `${project}main: program/index.js\n`, "program/index.js": code!, ...moved },
    env,
    emulator,
    keeps: "nothing",
  });

  it("finds the folder from there, and not from the project's", async () => {
    await product.up();
    expect(runs(product)).toEqual([1, 1]);
  });
});
