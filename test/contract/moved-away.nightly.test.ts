/** The package disappears during a rollout, as in a switch of branches or an `npm ci`, with the real CLI. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { packagedProgram } from "../e2e/plugin-support";
import { Product, program } from "../e2e/support";
import { makeProject, packageJsonIn, packageName } from "../support/provider-process";

const declaring = `
new Deployment("chat", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:" + process.env.TAG },
  secrets: { KEY: "sesame-opens-the-door" },
}, { customTimeouts: { create: "2s", update: "2s" } });`;

describe.each([
  ["the dynamic provider", program(declaring)],
  ["the packaged provider", packagedProgram(declaring, `./node_modules/${packageName}/plugin`)],
])("%s, where its package is moved away as soon as the service makes something", (_, files) => {
  let product: Product;
  let folder: string;
  const own = packageJsonIn(inject("packed").folder);
  const dependencies = Object.keys(own.dependencies);
  const move = (from: string, to: string) => {
    for (const name of [`${packageName}/dist`, ...dependencies]) {
      const path = join(folder, "node_modules", name);
      renameSync(path + from, path + to);
    }
  };

  beforeAll(async () => {
    const project = makeProject("@pulumi/pulumi");
    ({ folder } = project);
    project.write({ "Pulumi.yaml": "name: program\nruntime: nodejs\n", ...files });
    const rollout = () => {
      move("", ".away");
      return "never" as const;
    };
    product = await Product.start({
      program: folder,
      inPlace: true,
      keeps: "nothing",
      emulator: { rollout },
    });
  });
  afterAll(() => product?.end());

  const failed = async (TAG: string) => {
    const { output, writes } = await product.up({ env: { TAG }, expectFailure: true });
    expect(output).toContain("the rollout did not finish within 2s");
    expect(output).not.toMatch(/Cannot find module|Require stack/);
    move(".away", "");
    product.emulator.finish("chat");
    return writes.map(({ method }) => method);
  };
  const resumed = async (TAG: string) => {
    const { writes } = await product.up({ env: { TAG } });
    expect(writes).toEqual([]);
  };

  it("keeps what it created, and the next run resumes the rollout", async () => {
    expect(await failed("1")).toEqual(["POST"]);
    expect(product.stack.resource("chat").id).toBe(product.emulator.deployment("chat")?.id);
    await resumed("1");
  });

  it("keeps the revision that an update made", async () => {
    expect(await failed("2")).toEqual(["PATCH"]);
    await resumed("2");
    expect(product.stack.resource("chat").outputs).toMatchObject({ status: "READY", generation: 2 });
  });
});
