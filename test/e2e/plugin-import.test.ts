/** Imports existing deployments with the packaged provider. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../support/canary";
import { packagedProgram } from "./plugin-support";
import { useProduct } from "./support";

/** The CLI would install a folder first. */
const executable = join(__dirname, "../../plugin/pulumi-resource-deployment-service");
const canaries = { key: canary("key") };
const type = "deployment-service:index:Deployment";

// The language host of these tests is too old to generate code.
const unattended = ["--yes", "--protect=false", "--generate-code=false"];

const chat = `{
  name: "chat",
  source: "codehost",
  sourceConfig: {
    integrationId: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
    repoUrl: "https://code.example.com/acme/chat",
    buildOnPush: true,
    resourceSpec: { cpu: 0.5, labels: { "app.example.com/name": "chat" } },
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
}`;
const declaring = (opts: string, args = chat) => packagedProgram(`new Deployment("chat", ${args}, ${opts});`);

function populate({ emulator }: ReturnType<typeof useProduct>): string {
  const { id } = emulator.create({
    name: "chat",
    source: "codehost",
    source_config: {
      integration_id: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
      repo_url: "https://code.example.com/acme/chat",
      build_on_push: true,
      resource_spec: { cpu: 0.5, labels: { "app.example.com/name": "chat" } },
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
    secrets: [{ name: "MODEL_API_KEY", value: canaries.key }],
  });
  return id;
}

describe("pulumi import of a deployment by its id", () => {
  const product = useProduct({ program: packagedProgram("") });

  it("is followed by an empty preview, whether the program states what the service filled in or not", async () => {
    const id = populate(product);
    const { writes, output } = await product.run(["import", type, "chat", id, ...unattended]);
    expect(writes).toEqual([]);
    expectNoTrace(output + product.stack.stateText(), canaries);
    expect(product.stack.resource("chat")).toMatchObject({ id, type });
    product.stack.write(declaring("{}"));
    const { requests } = await product.preview({ args: ["--expect-no-changes"] });
    expect(requests).toEqual([]);
    product.stack.write(declaring("{}", chat.replace("cpu: 0.5", "memoryMb: 2048, minScale: 1, cpu: 0.5")));
    await product.preview({ args: ["--expect-no-changes"] });
  });
});

describe("`pulumi do` without a program", () => {
  const product = useProduct({ program: packagedProgram("") });
  const image = (tag: number) => `sourceRevisionConfig = { imageUri = "registry.example.com/chat:${tag}" }\n`;

  it("creates a deployment, changes it, and deletes it", async () => {
    product.stack.write({
      "chat.pp": `name = "chat"\nsource = "external_container"\n${image(1)}`,
      "change.pp": image(2),
    });
    const run = async (words: string) => {
      const command = ["do", "--package", executable, type, ...words.split(" "), "--stateless", "--yes"];
      return (await product.run(command)).writes;
    };
    expect(await run("create --input pcl --input-file chat.pp")).toMatchObject([{ method: "POST" }]);
    const { id } = product.emulator.deployments()[0] as { id: string };
    expect(await run(`patch ${id} --input pcl --input-file change.pp`)).toEqual([
      { method: "PATCH", body: { source_revision_config: { image_uri: "registry.example.com/chat:2" } } },
    ]);
    expect(await run(`delete ${id}`)).toMatchObject([{ method: "DELETE" }]);
    expect(product.emulator.deployments()).toEqual([]);
  });
});

describe("the resource option `import`", () => {
  const product = useProduct({ program: packagedProgram("") });

  it("takes the deployment over where the program declares what is there, and can be left out then", async () => {
    const id = populate(product);
    product.stack.write(declaring(`{ import: "${id}" }`));
    expect((await product.preview()).screen).toContain("= 1 to import");
    const { writes } = await product.up();
    expect(writes).toEqual([]);
    expect(product.stack.resource("chat")).toMatchObject({ id });
    product.stack.write(declaring("{}"));
    await product.preview({ args: ["--expect-no-changes"] });
  });

  it("keeps it in the run in which its former resource leaves the program", async () => {
    const { id } = product.stack.resource("chat");
    const renamed = Object.entries(declaring(`{ import: "${id}" }`)).map(([file, text]) => [
      file,
      text.replace(/new Deployment\("chat", /, 'new Deployment("talk", '),
    ]);
    product.stack.write(Object.fromEntries(renamed) as Record<string, string>);
    const { writes, screen } = await product.up();
    expect(writes).toEqual([]);
    expect(screen).toContain('it now belongs to the resource "talk"');
    expect(product.emulator.deployment("chat")).toMatchObject({ id });
    product.stack.write(declaring("{ aliases: [{ name: 'talk' }] }"));
    expect((await product.up()).writes).toEqual([]);
  });
});
