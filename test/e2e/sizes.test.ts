/** The size of a deployment with the real CLI, by both providers: no creation takes it. */
import { expect, it } from "vitest";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const names = ["dynamic", "packaged"];
const args = {
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless", deploymentTier: "SERVERLESS_M" },
  sourceDirectory: "./agent",
  displayName: "Chat",
};
const product = useProduct({
  program: {
    ...programOfBoth(
      names.map((name) => `new ${name}.Deployment("${name}", ${JSON.stringify(args)});`).join("\n"),
    ),
    "agent/langgraph.json": '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }',
    "agent/agent.py": "graph = 1\n",
  },
  env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  emulator: { dialect: "langsmith" },
});

it("a size and a display name follow a creation once it has rolled out, in the same `up` (11.2, 11.4)", async () => {
  const { output, writes } = await product.up();
  const posts = writes.filter(({ method, body }) => method === "POST" && "name" in (body as object));
  expect(JSON.stringify(posts)).not.toMatch(/tier|display/);
  const last = { deployment_tier: "SERVERLESS_M", display_name: "Chat" };
  expect(writes.filter(({ body }) => JSON.stringify(body) === JSON.stringify(last))).toHaveLength(2);
  for (const name of names) {
    expect(product.emulator.deployment(name)).toMatchObject({
      tiers: { compute_tier: "SERVERLESS_M" },
      revisions: [{}, {}],
    });
    expect(output).toContain(
      `${name}: sends sourceConfig.deploymentTier and displayName, which the service does not accept on creation`,
    );
    expect(product.stack.resource(name).outputs).toMatchObject({
      generation: 1,
      deploymentTier: "SERVERLESS_M",
      databaseTier: "SERVERLESS_M",
    });
  }
  expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
});
