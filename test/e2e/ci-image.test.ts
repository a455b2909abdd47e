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

const services: Record<string, EmulatorOptions> = { standard: {}, langsmith: { rules: langsmith } };
const cases = [
  { dialect: "standard", adapter: "dynamic", write: program, flags: [] },
  { dialect: "langsmith", adapter: "packaged", write: packagedProgram, flags: ["--refresh"] },
];

describe.each(cases)(
  "an image that CI owns ($adapter provider, dialect $dialect)",
  ({ dialect, write, flags }) => {
    const product = useProduct({
      program: write(declare(1)),
      emulator: services[dialect]!,
      env: { DEPLOYMENT_SERVICE_DIALECT: dialect },
    });
    const runs = () => product.emulator.deployment("chat")!.source_revision_config["image_uri"];
    let tag = 1;
    /** Somebody else's revision, and a change of the program. */
    const afterCi = async (declaration: string) => {
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

    it(`stays what CI made of it, by ${["up", ...flags].join(" ")}`, async () => {
      await product.up();
      expect(await afterCi(declare(2))).toEqual([{ source_config: { resource_spec: { cpu: 2 } } }]);
      // A revision for its own sake carries what runs.
      const triggered = { triggers: [1] };
      expect(await afterCi(declare(2, triggered))).toEqual([carried()]);
      const secretReferences = { DB: { secretName: "db", secretKey: "url" } };
      expect(await afterCi(declare(2, { ...triggered, secretReferences }))).toEqual([
        {
          secret_references: [{ name: "DB", secret_name: "db", secret_key: "url" }],
          ...(dialect === "langsmith" && carried()),
        },
      ]);
      await product.preview({ args: [...flags, "--expect-no-changes"] });
    });
  },
);
