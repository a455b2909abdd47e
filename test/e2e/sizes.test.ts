/** The size of a deployment, which the service does not accept on creation, with the real CLI and both providers. */
import { expect, it } from "vitest";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const names = ["dynamic", "packaged"];
const args = {
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless", deploymentTier: "SERVERLESS_M" },
  sourceDirectory: "./agent",
  displayName: "Chat",
  // Otherwise the project would keep the name, and a replacement would be refused.
  deleteTracingProject: true,
};
/** @param given the arguments of both, or of each by its name */
const declaring = (given: object | ((name: string) => object)) => {
  const argsOf = (name: string) => JSON.stringify(typeof given === "function" ? given(name) : given);
  return programOfBoth(names.map((name) => `new ${name}.Deployment("${name}", ${argsOf(name)});`).join("\n"));
};
const product = useProduct({
  program: {
    ...declaring(args),
    "agent/langgraph.json": '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }',
    "agent/agent.py": "graph = 1\n",
  },
  env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  emulator: { dialect: "langsmith" },
});

it("a size and a display name follow a creation once it has rolled out, in the same `up`", async () => {
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
});

const ofType = (deploymentType: string) => declaring({ ...args, sourceConfig: { deploymentType } });
const times = (text: string, output: string) => output.split(text).length - 1;

it.each(names)(
  "a misspelled type that would replace what runs fails, before anything is deleted: %s",
  async (name) => {
    const slip = { ...args, sourceConfig: { deploymentType: "dedicatd" } };
    product.stack.write(declaring((each) => (each === name ? slip : args)));
    const { output, writes } = await product.up({ expectFailure: true });
    expect(writes).toEqual([]);
    expect(output).toContain(
      'did you mean "dedicated"? This change would delete the running deployment first.',
    );
  },
);

it("an unknown type that resembles no other stays a warning, which a replacement shows once", async () => {
  product.stack.write(ofType("quantum"));
  const { output } = await product.preview({ diff: true });
  for (const name of names)
    expect(times(`${name}: sourceConfig.deploymentType "quantum" is not one`, output)).toBe(1);
});

it("a replacement whose creation failed is created anew, which the next preview says", async () => {
  product.stack.write(ofType("dedicated"));
  product.emulator.fail({
    when: { method: "POST", path: /deployments$/ },
    times: 2,
    how: { status: 400, body: { detail: "no" } },
  });
  await product.up({ args: ["--continue-on-error"], expectFailure: true });
  expect(product.emulator.deployments()).toEqual([]);
  product.stack.write(declaring({ ...args, sourceConfig: { deploymentType: "serverless" } }));
  const { output } = await product.preview({ diff: true });
  for (const name of names)
    expect(output).toContain(
      `${name}: creates the deployment anew: it keeps nothing of the old one, and what is said here about an update does not apply`,
    );
});
