/** A resource that only reads a deployment does not own it. The resource that created it can still replace and delete it. */
import { expect, it } from "vitest";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const args = (name: string) =>
  `{ name: "${name}", source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } }`;
const declaring = (suffix: string) =>
  programOfBoth(`
const a = new dynamic.Deployment("a", ${args(`dynamic${suffix}`)});
dynamic.Deployment.get("reads-a", a.id);
const b = new packaged.Deployment("b", ${args(`packaged${suffix}`)});
new packaged.Deployment("reads-b", {}, { id: b.id });`);

const product = useProduct({ program: declaring("") });
const alive = () =>
  product.emulator
    .deployments()
    .map(({ name }) => name)
    .sort();

it("a deployment that its own program also reads is replaced by `up --refresh` with a new name, and deleted by `destroy`", async () => {
  await product.up();
  product.stack.write(declaring("-new"));
  await product.up({ args: ["--refresh"] });
  expect(alive()).toEqual(["dynamic-new", "packaged-new"]);
  await product.destroy({ args: ["--refresh", "--run-program"] });
  expect(alive()).toEqual([]);
});
