/** The size of a deployment with the real CLI, by both providers: no creation takes it. */
import { describe, expect, it } from "vitest";
import { programOfBoth } from "./plugin-support";
import { useProduct, type Product } from "./support";

const names = ["dynamic", "packaged"];
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const emulator = { dialect: "langsmith" } as const;

const declared = (sourceConfig: object, more: object = {}) =>
  programOfBoth(
    names
      .map((adapter) => {
        const args = {
          source: "internal_source",
          sourceConfig: { deploymentType: "serverless", ...sourceConfig },
          sourceDirectory: "./agent",
          ...more,
        };
        return `new ${adapter}.Deployment("${adapter}", ${JSON.stringify(args)});`;
      })
      .join("\n"),
  );
const folder = {
  "agent/langgraph.json": '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }',
  "agent/agent.py": "graph = 1\n",
};
const tier = (deploymentTier: string) => ({ deploymentTier });
const records = (product: Product) => names.map((name) => product.emulator.deployment(name)!);
const sizes = (product: Product) => records(product).map(({ tiers }) => tiers?.compute_tier);
const revisions = (product: Product) => records(product).map(({ revisions }) => revisions.length);
const patches = ({ writes }: { writes: readonly { method: string; body?: unknown }[] }) =>
  writes.filter(({ method }) => method === "PATCH").map(({ body }) => body);
const twice = <T>(value: T): T[] => [value, value];

describe("a size", () => {
  const product = useProduct({
    program: { ...declared(tier("SERVERLESS_M"), { displayName: "Chat" }), ...folder },
    env,
    emulator,
  });

  it("and a display name follow a creation once it has rolled out, in the same `up` (11.2, 11.4)", async () => {
    const { output, writes } = await product.up();
    const posts = writes.filter(({ method, body }) => method === "POST" && "name" in (body as object));
    expect(JSON.stringify(posts)).not.toMatch(/tier|display/);
    const last = { deployment_tier: "SERVERLESS_M", display_name: "Chat" };
    expect(patches({ writes })).toEqual(expect.arrayContaining(twice(last)));
    expect(sizes(product)).toEqual(twice("SERVERLESS_M"));
    expect(revisions(product)).toEqual([2, 2]);
    for (const name of names) {
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

  it("is changed by a revision, and the preview mentions both sizes", async () => {
    product.stack.write(declared(tier("SERVERLESS_L"), { displayName: "Chat" }));
    const { output } = await product.preview();
    for (const name of names)
      expect(output).toContain(
        `${name}: creates a new revision (sourceConfig.deploymentTier: SERVERLESS_M => SERVERLESS_L)`,
      );
    expect(patches(await product.up())).toEqual(twice({ deployment_tier: "SERVERLESS_L" }));
    expect(revisions(product)).toEqual([3, 3]);
    expect(names.map((name) => product.stack.resource(name).outputs?.["generation"])).toEqual([2, 2]);
  });

  it("of another family fails the preview (11.1)", async () => {
    product.stack.write(declared(tier("DEDICATED_S")));
    const { output } = await product.preview({ expectFailure: true });
    expect(output).toContain(
      "must be one of SERVERLESS_S, SERVERLESS_M, SERVERLESS_L with sourceConfig.deploymentType serverless (dev_zero), dev_free_zero, dev",
    );
  });
});
