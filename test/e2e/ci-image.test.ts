/** CI pushes revisions, the program declares the rest: `ignoreChanges` on the image. Nothing rolls back what CI rolled out. */
import { describe, expect, it } from "vitest";
import { langsmith, type EmulatorOptions } from "../../emulator";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const image = (tag: number) => `registry.example.com/chat:${tag}`;
const declare = (cpu: number, more: object = {}) => {
  const args = {
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu } },
    sourceRevisionConfig: { imageUri: image(1) },
    ...more,
  };
  return `new Deployment("chat", ${JSON.stringify(args)}, { ignoreChanges: ["sourceRevisionConfig.imageUri"] });`;
};
const references = (secretKey: string) => ({ secretReferences: { DB: { secretName: "db", secretKey } } });

const services: Record<string, EmulatorOptions> = { standard: {}, langsmith: { rules: langsmith } };
const cases = [
  { dialect: "standard", adapter: "dynamic", write: program },
  { dialect: "langsmith", adapter: "packaged", write: packagedProgram },
];

describe.each(cases)("an image that CI owns ($adapter provider, dialect $dialect)", ({ dialect, write }) => {
  const product = useProduct({
    program: write(declare(1)),
    emulator: services[dialect]!,
    env: { DEPLOYMENT_SERVICE_DIALECT: dialect },
  });
  const runs = () => product.emulator.deployment("chat")!.source_revision_config["image_uri"];
  let tag = 1;
  /** Somebody else's revision, and a change of the program. */
  const afterCi = async (declaration: string, flags: string[]) => {
    tag += 1;
    const change = { image_uri: image(tag) };
    product.emulator.change("chat", (record) => Object.assign(record.source_revision_config, change), {
      revision: true,
    });
    product.emulator.finish("chat");
    product.stack.write(write(declaration));
    const { writes } = await product.up({ args: flags });
    expect(runs()).toBe(image(tag));
    return writes.map(({ body }) => body);
  };
  const carried = () => ({ source_revision_config: { image_uri: image(tag) } });

  let declared: object = {};
  it.each([
    { when: "without a refresh", flags: [], round: 1 },
    { when: "with --refresh", flags: ["--refresh"], round: 2 },
  ])("stays what CI made of it, $when", async ({ flags, round }) => {
    if (round === 1) await product.up();
    const cpu = round + 1;
    const change = (more: object) => afterCi(declare(cpu, (declared = { ...declared, ...more })), flags);
    expect(await change({})).toEqual([{ source_config: { resource_spec: { cpu } } }]);
    // A revision for its own sake carries what runs.
    expect(await change({ triggers: [round] })).toEqual([carried()]);
    expect(await change(references(`url-${round}`))).toEqual([
      {
        secret_references: [{ name: "DB", secret_name: "db", secret_key: `url-${round}` }],
        ...(dialect === "langsmith" && carried()),
      },
    ]);
    await product.preview({ args: [...flags, "--expect-no-changes"] });
  });
});
