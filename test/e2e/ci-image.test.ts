/** CI pushes images, and the program ignores changes of the image. No update rolls back what CI rolled out. */
import { describe, expect, it } from "vitest";
import type { DeploymentRecord } from "../../emulator";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const names = ["dynamic", "packaged"];
const image = (tag: number) => `registry.example.com/chat:${tag}`;
const forms = [
  '["sourceRevisionConfig"].imageUri',
  'sourceConfig.resourceSpec["maxScale"]',
  'sourceConfig["resourceSpec"].labels["team"]',
  "sourceConfig.resourceSpec.sidecars[*].image",
  'secrets["ROTATED"]',
];
/** What others make of what they own. */
const theirs = {
  max_scale: 9,
  labels: { team: "green", tier: "web" },
  sidecars: [{ name: "proxy", image: "proxy:9" }],
};

describe("what `ignoreChanges` names in any form of a property path", () => {
  const declare = (cpu: number, own: string) => {
    const labels = { team: "blue", tier: "web" };
    const sidecars = [{ name: "proxy", image: "proxy:1" }];
    const args = {
      source: "external_container",
      sourceRevisionConfig: { imageUri: image(1) },
      sourceConfig: { resourceSpec: { cpu, maxScale: 3, labels, sidecars } },
      secrets: { ROTATED: "first-value-1", OWN: own },
    };
    const given = `${JSON.stringify(args)}, { ignoreChanges: ${JSON.stringify(forms)} }`;
    return programOfBoth(names.map((name) => `new ${name}.Deployment("${name}", ${given});`).join("\n"));
  };
  const product = useProduct({ program: declare(1, "one"), emulator: { secrets: "clear" } });

  it("is never sent with an old value, whatever else changes", async () => {
    await product.up();
    for (const name of names) {
      const change = (record: DeploymentRecord) => {
        record.source_revision_config["image_uri"] = image(9);
        Object.assign(record.source_config["resource_spec"]!, theirs);
        record.secrets.find((each) => each.name === "ROTATED")!.value = "second-value-2";
      };
      product.emulator.change(name, change, { revision: true });
      product.emulator.finish(name);
    }
    product.stack.write(declare(2, "two"));
    const { writes } = await product.up();
    const body = {
      source_config: { resource_spec: { cpu: 2, ...theirs } },
      secrets: [
        { name: "OWN", value: "two" },
        { name: "ROTATED", value: "second-value-2" },
      ],
    };
    expect(writes.map((write) => write.body)).toEqual([body, body]);
    // The state knows this revision, so a refresh must not mistake it for that of a killed run.
    await product.preview({ args: ["--refresh", "--expect-no-changes"] });
  });
});
