import { expect, it } from "vitest";
import { program, useProduct } from "./support";

const declaring = (command: string) =>
  program(`
const args = { source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/app:1" } };
for (let each = 1; each <= 20; each++)
  new Deployment("app-" + each, { ...args, sourceConfig: { buildCommand: "${command}" } });
`);

const product = useProduct({ program: declaring("make"), emulator: { rollout: { polls: 0 } } });

it("twenty updates, eight at a time, read with one request, or with two if the first is apart from the others", async () => {
  await product.up();
  product.stack.write(declaring("make all"));
  const { requests } = await product.up({ args: ["--parallel", "8"] });
  const count = (method: string) => requests.filter((request) => request.startsWith(method)).length;
  expect(count("PATCH")).toBe(20);
  expect(count("GET")).toBeLessThanOrEqual(2);
});
