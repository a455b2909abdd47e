/** CI pushes images, and the program ignores changes of the image. No update rolls back what CI rolled out. */
import { describe, expect, it } from "vitest";
import { packagedProgram, programOfBoth } from "./plugin-support";
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

describe("an image that CI owns", () => {
  const product = useProduct({ program: program(declare(1)) });
  const runs = () => product.emulator.deployment("chat")!.source_revision_config["image_uri"];
  let tag = 1;
  /** CI makes a revision, and then the program changes. */
  const afterCi = async (declaration: string) => {
    tag += 1;
    const change = { image_uri: image(tag) };
    product.emulator.change("chat", (record) => Object.assign(record.source_revision_config, change), {
      revision: true,
    });
    product.emulator.finish("chat");
    product.stack.write(program(declaration));
    const { writes } = await product.up();
    expect(runs()).toBe(image(tag));
    return writes.map(({ body }) => body);
  };

  it("stays what CI made of it", async () => {
    await product.up();
    expect(await afterCi(declare(2))).toEqual([{ source_config: { resource_spec: { cpu: 2 } } }]);
    // The state knows this revision, so a refresh must not mistake it for that of a killed run.
    await product.preview({ args: ["--refresh", "--expect-no-changes"] });
  });
});

const forms = [
  '["sourceRevisionConfig"].imageUri',
  'sourceConfig.resourceSpec["maxScale"]',
  'sourceConfig["resourceSpec"].labels["team"]',
  "sourceConfig.resourceSpec.sidecars[*].image",
  'secrets["ROTATED"]',
];
const shared = (image: number, maxScale: number, team: string, sidecar: string, cpu: number) => ({
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${image}` },
  sourceConfig: {
    resourceSpec: {
      cpu,
      maxScale,
      labels: { team, tier: "web" },
      sidecars: [{ name: "proxy", image: sidecar }],
    },
  },
});

describe("what `ignoreChanges` names in any form of a property path", () => {
  const declare = (cpu: number, own: string) => {
    const args = {
      source: "external_container",
      ...shared(1, 3, "blue", "proxy:1", cpu),
      secrets: { ROTATED: "first-value-1", OWN: own },
    };
    return packagedProgram(
      `new Deployment("chat", ${JSON.stringify(args)}, { ignoreChanges: ${JSON.stringify(forms)} });`,
    );
  };
  const product = useProduct({ program: declare(1, "one"), emulator: { secrets: "clear" } });

  it("is never sent with an old value, whatever else changes", async () => {
    await product.up();
    product.emulator.change("chat", (record) => {
      record.source_revision_config["image_uri"] = "registry.example.com/chat:9";
      Object.assign(record.source_config["resource_spec"]!, {
        max_scale: 9,
        labels: { team: "green", tier: "web" },
        sidecars: [{ name: "proxy", image: "proxy:9" }],
      });
      record.secrets.find(({ name }) => name === "ROTATED")!.value = "second-value-2";
    });
    product.stack.write(declare(2, "two"));
    const { writes } = await product.up();
    expect(writes.map(({ body }) => body)).toEqual([
      {
        source_config: {
          resource_spec: {
            cpu: 2,
            max_scale: 9,
            labels: { team: "green", tier: "web" },
            sidecars: [{ name: "proxy", image: "proxy:9" }],
          },
        },
        secrets: [
          { name: "OWN", value: "two" },
          { name: "ROTATED", value: "second-value-2" },
        ],
      },
    ]);
    await product.preview({ args: ["--expect-no-changes"] });
  });
});

describe("with `replaceOnChanges` in any form of a property path", () => {
  const paths: Record<string, string> = {
    starred: "sourceRevisionConfig.*",
    bracketed: '["sourceRevisionConfig"]["imageUri"]',
    everything: "*",
    secret: 'secrets["KEY"]',
    dotted: "secrets.KEY",
    "any-member": "sourceConfig.resourceSpec.sidecars[*].image",
    "first-member": "sourceConfig.resourceSpec.sidecars[0].image",
    elsewhere: 'sourceConfig["imageUri"]',
    "other-member": "sourceConfig.resourceSpec.sidecars[1].image",
  };
  const kept = ["elsewhere", "other-member"];
  const declare = (step: number) => {
    const sidecars = [
      { name: "proxy", image: image(step) },
      { name: "other", image: image(1) },
    ];
    const args = {
      source: "external_container",
      sourceConfig: { resourceSpec: { sidecars } },
      sourceRevisionConfig: { imageUri: image(step) },
      secrets: { KEY: `value-of-step-${step}` },
    };
    return programOfBoth(`
for (const [name, path] of Object.entries(${JSON.stringify(paths)})) {
  new dynamic.Deployment(name, ${JSON.stringify(args)}, { replaceOnChanges: [path] });
  new packaged.Deployment("packaged-" + name, ${JSON.stringify(args)}, { replaceOnChanges: [path] });
}`);
  };
  const product = useProduct({ program: declare(1) });

  it("the line next to a resource says what the engine does, with both providers", async () => {
    await product.up();
    product.stack.write(declare(2));
    const { json } = await product.preview({ json: true });
    const texts = json!.diagnostics!.map(({ message }) => message).join("\n");
    const said = Object.keys(paths).map((name) => [name, texts.includes(`${name}: replaces the deployment`)]);
    const expected = Object.fromEntries(Object.keys(paths).map((name) => [name, !kept.includes(name)]));
    expect(Object.fromEntries(said)).toEqual(expected);
    const replaced = json!.steps
      .filter(({ op }) => op === "replace")
      .map(({ urn }) => urn.split("::").at(-1)!)
      .sort();
    const names = Object.keys(expected).filter((name) => expected[name]);
    // The engine does not pass this option to the packaged provider.
    expect(replaced).toEqual([...names, ...names.map((name) => `packaged-${name}`)].sort());
  });
});
