import { describe, expect, it } from "vitest";
import { program, useProduct } from "./support";

/** Each deployment is named after the rule that it shows. */
const declarations = (step: 1 | 2, knownId: string) =>
  program(`
const step = ${step};
const pick = (first, second) => (step === 1 ? first : second);
const image = (tag) => ({ imageUri: "registry.example.com/app:" + tag });
const args = { source: "external_container", sourceRevisionConfig: image(1) };
const changed = { ...args, sourceRevisionConfig: image(step) };

new Deployment("named", { ...args, name: pick("name-1", "name-2") });
new Deployment("named-first", { ...args, name: pick("first-1", "first-2") }, { deleteBeforeReplace: true });
const source = new Deployment("source", { ...args, source: pick("external_container", "internal_container") });
new Deployment("follower", { ...args, name: pulumi.concat(source.name, "-follower") });
new Deployment("tier", { ...args, sourceConfig: { deploymentType: pick("dev", "prod") } });
new Deployment("forced", changed, { replaceOnChanges: ["sourceRevisionConfig.imageUri"] });
new Deployment("ignored", changed, { ignoreChanges: ["sourceRevisionConfig.imageUri"] });
new Deployment(pick("before", "after"), { ...args, name: "aliased" }, { aliases: [{ name: "before" }] });
if (step === 1) new Deployment("retained", args, { retainOnDelete: true });
const address = { customUrl: "https://sealed.example.com" };
new Deployment("sealed", { ...args, sourceConfig: address }, { additionalSecretOutputs: ["sourceConfig", "imageVersion"] });
new Deployment("transformed", args, {
  transforms: [({ props, opts }) => ({ props: { ...props, sourceConfig: { buildCommand: "make " + step } }, opts })],
});

class Team extends pulumi.ComponentResource {
  constructor(name) {
    super("acme:index:Team", name);
    const first = new Deployment(name + "-first", args, { parent: this });
    new Deployment(name + "-second", { ...args, secrets: { FIRST: first.url } }, { parent: this });
    this.registerOutputs({});
  }
}
new Team("team");

const known = Deployment.get("known", "${knownId}");
exports.known = known.status;
exports.knownSecrets = known.secrets;
`);

describe("the options of a resource", () => {
  const product = useProduct({ program: program(""), emulator: { rollout: { polls: 0 } } });
  const names = new Map<string, string>();
  let knownId = "";
  /** What the service was asked to do with the deployments of these names, in order. */
  const eventsOf = (...wanted: string[]) =>
    product.emulator
      .requests()
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => {
        const name = names.get(path.split("/").at(-1) ?? "") ?? (body as { name: string }).name;
        return { name, event: `${method} ${name}` };
      })
      .filter(({ name }) => wanted.includes(name))
      .map(({ event }) => event);

  it("the first `up` creates everything once", async () => {
    knownId = product.emulator.create({
      name: "known",
      source: "internal_source",
      source_config: {},
      source_revision_config: {},
      secrets: [{ name: "KEY", value: "known-canary" }],
    }).id;
    product.stack.write(declarations(1, knownId));
    const { writes, output } = await product.up();
    for (const { id, name } of product.emulator.deployments()) names.set(id, name);
    expect(writes).toHaveLength(13);
    expect(output).toMatch(/known *: "READY"/);
    expect(output).toMatch(/knownSecrets *: \[secret\]/);
    expect(product.stack.stateText()).not.toContain("known-canary");
    expect(product.emulator.deployment("transformed")?.source_config).toEqual({ build_command: "make 1" });
    // Sent by `Deployment.get`.
    const { requests } = await product.preview({ args: ["--expect-no-changes"] });
    expect(requests).toEqual(["GET /v2/deployments 200"]);
  });

  it("hide outputs that are to be secret, and their copies", () => {
    const { outputs } = product.stack.resource("sealed");
    const ciphertext = expect.anything() as string;
    const hidden = { sourceConfig: { ciphertext }, url: { ciphertext }, imageVersion: { ciphertext } };
    expect(outputs).toMatchObject(hidden);
    expect(JSON.stringify(outputs)).not.toContain("sealed.example.com");
  });

  it("are reported in the preview (D01)", async () => {
    product.stack.write(declarations(2, knownId));
    const { output, writes } = await product.preview({ diff: true });
    expect(writes).toEqual([]);
    const lines = output.split("\n").filter((line) => /^[^:]+: (creates|replaces|updates)/.test(line));
    expect(lines.sort()).toMatchInlineSnapshot(`
      [
        "forced: replaces the deployment (sourceRevisionConfig.imageUri); its id changes, and usually its address; its data is not carried over",
        "named (name-2): replaces the deployment (name); its id changes, and usually its address; its data is not carried over",
        "named-first (first-2): replaces the deployment (name); its id changes, and usually its address; its data is not carried over",
        "source: replaces the deployment (source); its id changes, and usually its address; its data is not carried over",
        "tier: replaces the deployment (sourceConfig.deploymentType: dev => prod); its id changes, and usually its address; its data is not carried over",
        "transformed: updates settings, no new revision (sourceConfig.buildCommand)",
      ]
    `);
  });

  it("replace, ignore, retain and alias (D02, D11)", async () => {
    await product.up();
    expect(eventsOf("name-1", "name-2")).toEqual(["POST name-2", "DELETE name-1"]);
    expect(eventsOf("first-1", "first-2")).toEqual(["DELETE first-1", "POST first-2"]);
    expect(eventsOf("source")).toEqual(["DELETE source", "POST source"]);
    expect(eventsOf("tier")).toEqual(["DELETE tier", "POST tier"]);
    expect(eventsOf("forced")).toEqual(["DELETE forced", "POST forced"]);
    expect(eventsOf("transformed")).toEqual(["PATCH transformed"]);
    expect(eventsOf("ignored", "aliased", "retained", "team-first", "team-second", "known")).toEqual([]);
    // Its name depends on an output of what is replaced, and stays the same.
    expect(eventsOf("source-follower")).toEqual([]);
    expect(product.emulator.deployment("retained")).toBeDefined();
  });

  it("say how to replace where the engine decided to create first", async () => {
    const { urn } = product.stack.resource("source");
    const { screen } = await product.up({ args: ["--replace", urn], expectFailure: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       ++ pulumi-nodejs:dynamic/deployment-service:Deployment source **creating failed**
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (source):
          error: source: create failed: POST /v2/deployments answered 409 Conflict: A deployment named 'source' already exists (request id <id>). If an interrupted \`pulumi up\` of this stack created it, run \`pulumi refresh --clear-pending-creates\`, then set \`adopt: true\` once. If another stack or program owns it, choose another \`name\` (with the stack in it: source-dev): two stacks that adopt one deployment delete it from each other. Otherwise: \`aliases\` if the resource was renamed; \`deleteBeforeReplace: true\` if \`--replace\` or \`state taint\` replaces it."
    `);
    expect(product.emulator.deployment("source")?.id).toBe(product.stack.resource("source").id);
  });
});
