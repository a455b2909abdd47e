/** Who only reads a deployment is nobody's owner: the one that made it still changes, replaces and deletes it. */
import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const args = `source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" }`;
const owner = (name: string) => `const a = new Deployment("a", { name: "${name}", ${args} });`;

describe.each([
  ["the dynamic provider", program, `Deployment.get("g", a.id);`],
  ["the packaged provider", packagedProgram, `new Deployment("g", {}, { id: a.id });`],
])("a deployment that its own program also reads: %s", (_name, programOf, read) => {
  const product = useProduct({ program: programOf(owner("chat") + read) });
  const alive = () => product.emulator.deployments().map(({ name }) => name);

  it("is replaced by `up --refresh` with a new name, and deleted by `destroy`", async () => {
    await product.up();
    product.stack.write(programOf(owner("talk") + read));
    await product.up({ args: ["--refresh"] });
    expect(alive()).toEqual(["talk"]);
    await product.destroy({ args: ["--refresh", "--run-program"] });
    expect(alive()).toEqual([]);
  });
});
