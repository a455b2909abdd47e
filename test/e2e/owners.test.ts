/** What hangs on a deployment of the public service, and the deployments there that belong to other tools. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../provider/dialects/langsmith";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const config = { "deployment-service:dialect": "langsmith" };
const names = ["dynamic", "packaged"] as const;

describe("the tracing project of a deployment", () => {
  const declaring = (tier: string) =>
    programOfBoth(
      names
        .map((name) => {
          const args = `{ source: "internal_template", sourceConfig: { deploymentType: "dev_zero", deploymentTier: "${tier}" } }`;
          return `exports.${name} = new ${name}.Deployment("${name}", ${args}).tracerSessionId;`;
        })
        .join("\n"),
    );
  const product = useProduct({
    program: declaring("SERVERLESS_S"),
    emulator: { dialect: "langsmith" },
    config,
  });

  it("is an output, which the preview of an update knows", async () => {
    await product.up();
    const outputs = names.map((name) => product.stack.resource(name).outputs?.["tracerSessionId"]);
    expect(outputs).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(outputs[0]).not.toBe(outputs[1]);
    product.stack.write(declaring("SERVERLESS_M"));
    const { screen } = await product.preview({ diff: true });
    expect(screen).not.toContain("[unknown]");
    await product.destroy();
  });
});

describe.each(Object.entries(langsmith.owners))("a deployment with %s", (mark, { what, owns }) => {
  const template = `source: "internal_template", sourceConfig: { deploymentType: "dev_zero" }`;
  const product = useProduct({ program: programOfBoth(""), emulator: { dialect: "langsmith" }, config });
  const refusal = `is a ${what}, which ${owns}. It is never adopted, imported or deleted here`;
  const flagged = (name: string) =>
    product.emulator.change(name, (record) => Object.assign(record, { [mark]: true }));

  it("is read, but never imported, adopted or deleted", async () => {
    product.emulator.seed({ deployments: [{ name: "theirs", source: "internal_template", [mark]: true }] });
    const { id } = product.emulator.deployment("theirs")!;
    const type = "deployment-service:index:Deployment";
    const imported = await product.run(["import", type, "theirs", id, "--yes", "--generate-code=false"], {
      expectFailure: true,
    });
    expect(imported.output.replace(/\s+/g, " ")).toContain(refusal);

    const adopting = names.map(
      (name) => `new ${name}.Deployment("${name}", { name: "theirs", adopt: true, ${template} });`,
    );
    product.stack.write(programOfBoth(adopting[0]!));
    expect((await product.up({ expectFailure: true })).output).toContain(refusal);
    product.stack.write(programOfBoth(adopting[1]!));
    expect((await product.up({ expectFailure: true })).output).toContain(refusal);

    const getting = `exports.name = dynamic.Deployment.get("theirs", "${id}").name;`;
    product.stack.write(programOfBoth(getting));
    await product.up();
    expect(product.stack.stateText()).toContain('"outputs":{"name":"theirs"}');

    product.stack.write(
      programOfBoth(names.map((name) => `new ${name}.Deployment("${name}", { ${template} });`).join("\n")),
    );
    await product.up();
    for (const name of names) flagged(name);
    const { output, writes } = await product.destroy({ expectFailure: true });
    expect(output.split(refusal).length - 1).toBeGreaterThanOrEqual(2);
    expect(writes).toEqual([]);
    for (const name of names)
      product.emulator.change(name, (record) => Object.assign(record, { [mark]: false }));
    await product.destroy();
  });
});
