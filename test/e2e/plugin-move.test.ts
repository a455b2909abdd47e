/** A stack moves from the dynamic provider to the packaged one, and back. Nothing is sent and nothing is replaced. */
import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const count = 2;

const deployments = (opening = "") => `
${opening}
const provider = process.env.EU ? new Provider("eu", { baseUrl: process.env.EU, apiKey: pulumi.secret("emulator-key") }) : undefined;
for (let index = 0; index < ${count}; index++) {
  const kind = index % 2;
  new Deployment("app-" + index, {
    source: kind ? "external_container" : "codehost",
    sourceConfig: kind
      ? { customUrl: pulumi.secret("https://app-" + index + ".example.com"), resourceSpec: { cpu: 1, labels: { "a.b": "c" } } }
      : { integrationId: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11", repoUrl: "https://code.example.com/acme/app-" + index },
    sourceRevisionConfig: kind ? { imageUri: "registry.example.com/app:1" } : { repoRef: "main", graphConfigPath: "graph.json" },
    secrets: { KEY: "sesame-opens-" + index },
    triggers: [index],
  }, { provider, customTimeouts: { update: "1h" } });
}
new Deployment("late", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/late:1" },
}, { provider, customTimeouts: { create: "1s" } });`;

const dynamic = program(deployments());
// Generated SDKs include the alias. The way back has to name it.
const back = program(
  deployments(`
pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
  props,
  opts: { ...opts, aliases: [{ type: "deployment-service:index:Deployment" }] },
}));`),
);
const packaged = packagedProgram(deployments());

describe("a stack that moves between the two providers", () => {
  const product = useProduct({
    program: dynamic,
    emulator: { rollout: ({ name }) => (name === "late" ? "never" : { polls: 1 }) },
  });
  const versions = () => product.stack.resource("app-1").outputs?.["generation"];

  it("sends nothing that writes and replaces nothing, and resumes the wait for what has not ended", async () => {
    const { output } = await product.up({ args: ["--continue-on-error"], expectFailure: true });
    expect(output).toContain("late: create failed: the rollout did not finish within 1s");
    product.stack.write(packaged);
    const { json, requests } = await product.preview({ json: true });
    expect(requests).toEqual([]);
    expect(json?.changeSummary).toEqual({ same: count + 1, update: 1 });
    product.emulator.finish("late");
    expect((await product.up()).writes).toEqual([]);
    expect(product.stack.resource("app-1").type).toBe("deployment-service:index:Deployment");
    await product.refresh({ args: ["--expect-no-changes"] });
  });

  it("sends nothing that writes when it moves back", async () => {
    product.stack.write({ ...back, "Pulumi.yaml": "name: program\nruntime: nodejs\n" });
    expect((await product.up()).writes).toEqual([]);
    expect(product.stack.resource("app-1").type).toBe("pulumi-nodejs:dynamic/deployment-service:Deployment");
    product.stack.write(dynamic);
    await product.preview({ args: ["--expect-no-changes"] });
    expect(versions()).toBe(1);
    expect(product.emulator.deployments()).toHaveLength(count + 1);
  });

  it("sends only the change that follows a move, also through a provider that the program creates", async () => {
    product.stack.write(packagedProgram(deployments().replaceAll("app:1", "app:2")));
    const { writes } = await product.up({ env: { EU: product.emulator.url } });
    expect(writes.map(({ method }) => method)).toEqual(
      Array.from({ length: Math.floor(count / 2) }, () => "PATCH"),
    );
    expect(product.stack.resource("app-1").outputs).toMatchObject({ generation: 2 });
    expect(Object.keys(product.stack.resource("app-1").outputs!)).not.toContain("__provider");
    await product.destroy({ env: { EU: product.emulator.url } });
    expect(product.emulator.deployments()).toEqual([]);
  });
});
