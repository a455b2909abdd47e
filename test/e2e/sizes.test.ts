/** The size of a deployment with the real CLI, by both providers: no creation takes it. */
import { describe, expect, it } from "vitest";
import { isLong } from "../support/runs";
import { programOfBoth } from "./plugin-support";
import { useProduct, type Product } from "./support";

const names = ["dynamic", "packaged"];
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const emulator = { dialect: "langsmith" } as const;

const declared = (sourceConfig: object, more: object = {}, options: object = {}) =>
  programOfBoth(
    names
      .map((adapter) => {
        const args = {
          source: "internal_source",
          sourceConfig: { deploymentType: "serverless", ...sourceConfig },
          sourceDirectory: "./agent",
          ...more,
        };
        return `new ${adapter}.Deployment("${adapter}", ${JSON.stringify(args)}, ${JSON.stringify(options)});`;
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

  it("that someone changed is drift, which the next `up` takes back", async () => {
    for (const name of names)
      product.emulator.change(name, (record) => {
        record.tiers = { compute_tier: "SERVERLESS_S" };
      });
    expect((await product.refresh({ diff: true })).output).toMatch(
      /deploymentTier: "SERVERLESS_L" => "SERVERLESS_S"/,
    );
    const { output, ...run } = await product.up();
    for (const name of names)
      expect(output).toContain(
        `${name}: creates a new revision (sourceConfig.deploymentTier: SERVERLESS_S => `,
      );
    expect(patches(run)).toEqual(twice({ deployment_tier: "SERVERLESS_L" }));
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
  });

  it("that is no longer declared stays, and declaring it again sends nothing", async () => {
    product.stack.write(declared({}, { displayName: "Chat" }));
    const { output, ...run } = await product.up();
    expect(output).toContain(
      "sourceConfig.deploymentTier is no longer declared, but this service cannot clear",
    );
    expect(patches(run)).toEqual([]);
    product.stack.write(declared(tier("SERVERLESS_L"), { displayName: "Chat" }));
    expect(patches(await product.up())).toEqual([]);
  });

  it("of another family fails the preview (11.1)", async () => {
    product.stack.write(declared(tier("DEDICATED_S")));
    const { output } = await product.preview({ expectFailure: true });
    expect(output).toContain(
      "must be one of SERVERLESS_S, SERVERLESS_M, SERVERLESS_L with sourceConfig.deploymentType serverless (dev_zero), dev_free_zero, dev",
    );
  });
});

// The core holds it too, in `unit/deployment/once-active.test.ts`.
describe.runIf(isLong)("a size that no revision was active for", () => {
  const waiting = (deploymentTier: string) => declared(tier(deploymentTier), { skipAwait: true });
  const product = useProduct({ program: { ...waiting("SERVERLESS_M"), ...folder }, env, emulator });

  it("is sent by the next `up`, although the program is the same", async () => {
    product.emulator.configure({ rollout: "never" });
    expect((await product.up()).output).toContain(
      "the first `pulumi up` after one is active sends sourceConfig.deploymentTier",
    );
    for (const name of names) product.emulator.finish(name);
    expect(patches(await product.up())).toEqual(twice({ deployment_tier: "SERVERLESS_M" }));
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });
});

describe.runIf(isLong)("a size in a manifest", () => {
  const manifest = (size: string) => ({
    "deployments.yaml": [
      "version: 1",
      "dialect: langsmith",
      "deployments:",
      "  chat:",
      "    source: internal_template",
      `    sourceConfig: { deploymentType: serverless, deploymentTier: ${size} }`,
      "",
    ].join("\n"),
  });
  const product = useProduct({
    program: {
      "index.js": 'require("pulumi-deployment-service").fromManifest("deployments.yaml");\n',
      ...manifest("SERVERLESS_S"),
    },
    env,
    emulator,
  });

  it("that is the default makes no second revision, and a larger one makes one", async () => {
    expect(patches(await product.up())).toEqual([]);
    product.stack.write(manifest("SERVERLESS_M"));
    const { output, ...run } = await product.up();
    expect(output).toContain("(sourceConfig.deploymentTier: SERVERLESS_S => SERVERLESS_M)");
    expect(patches(run)).toEqual([{ deployment_tier: "SERVERLESS_M" }]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
  });
});

describe("a size that the service has already", () => {
  const program = (more: object, size: object = {}) => declared(size, more);
  const product = useProduct({ program: { ...program({}), ...folder }, env, emulator });

  it("hides no other reason for a revision: a change of `triggers` next to it makes the one that is announced", async () => {
    await product.up();
    for (const { id } of records(product))
      product.emulator.change(id, (record) => void (record.tiers = { compute_tier: "SERVERLESS_M" }));
    const before = revisions(product);
    product.stack.write(program({ triggers: ["again"] }, tier("SERVERLESS_M")));
    const { output } = await product.preview();
    for (const name of names) expect(output).toContain(`${name}: creates a new revision (`);
    await product.up();
    expect(revisions(product)).toEqual(before.map((count) => count + 1));
    expect((await product.preview()).screen).toContain("3 unchanged");
  });
});

describe("a size that waits for a rollout that no run has seen", () => {
  const product = useProduct({
    program: { ...declared(tier("SERVERLESS_M"), { skipAwait: true }), ...folder },
    env,
    emulator: { ...emulator, rollout: "never" },
  });

  it("fails the next `up` if the deployment has gone meanwhile", async () => {
    await product.up();
    for (const { id } of records(product)) product.emulator.remove(id);
    product.stack.write(declared(tier("SERVERLESS_M")));
    const { output } = await product.up({ args: ["--continue-on-error"], expectFailure: true });
    for (const name of names) expect(output).toMatch(new RegExp(`error: .*${name}: `));
  });
});
