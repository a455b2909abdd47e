/** A nightly look for drift, over deployments that came into the stack on every road. */
import { describe, expect, it } from "vitest";
import { cli } from "../unit/cli/support";
import { programOfBoth } from "./plugin-support";
import { deploymentService, useProduct } from "./support";

const providers = ["dynamic", "packaged"] as const;
const roads = ["created", "imported", "adopted", "moved", "renamed", "given an option"] as const;
type Road = (typeof roads)[number];

const nameOf = (provider: string, road: Road) => `${provider}-${road.replaceAll(" ", "-")}`;
const all = providers.flatMap((provider) => roads.map((road) => nameOf(provider, road)));
const type = "deployment-service:index:Deployment";

interface Declared {
  readonly roads: readonly Road[];
  /** After the first `up`, the program changes what sends nothing. */
  readonly isLater?: boolean;
}

function programWith({ roads: declared, isLater = false }: Declared) {
  const lines = providers.flatMap((provider) =>
    declared.map((road) => {
      const name = nameOf(provider, road);
      const logical = road === "renamed" && isLater ? `${name}-later` : name;
      const args = {
        name,
        source: "external_container",
        sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
        ...(road === "adopted" && !isLater && { adopt: true }),
      };
      const options = {
        ...(road === "renamed" && isLater && { aliases: [{ name }] }),
        ...(road === "given an option" &&
          isLater && { retainOnDelete: true, ignoreChanges: ["sourceConfig.buildOnPush"] }),
      };
      return `new ${provider}.Deployment(${[logical, args, options].map((each) => JSON.stringify(each)).join(", ")});`;
    }),
  );
  return programOfBoth(lines.join("\n"));
}

describe("drift by night", () => {
  const product = useProduct({ program: programWith({ roads: ["moved"] }) });
  const setImage = (tag: string) => {
    for (const name of all)
      product.emulator.change(name, ({ source_revision_config }) => {
        source_revision_config["image_uri"] = `registry.example.com/app:${tag}`;
      });
  };
  const look = async (...command: string[]) => {
    const { stdout } = await product.run([...command, "--json"]);
    return cli(["summary", "--json", "--expect-no-drift"], { stdin: stdout });
  };
  const foundIn = (stdout: string) =>
    (JSON.parse(stdout) as { changedByHand: { name: string }[] }).changedByHand
      .map(({ name }) => name.replace(/-later$/, ""))
      .sort();

  it("is found whatever brought a deployment into the stack, with both providers and in both forms", async () => {
    const { stack, emulator } = product;
    await product.run(["stack", "init", "other"]);
    await product.run(["up", "--yes", "--skip-preview", "--stack", "other"]);
    const moved = providers.map((provider) => nameOf(provider, "moved"));
    const { stdout } = await product.run(["stack", "export", "--stack", "other"]);
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string }[] } };
    const urns = deployment.resources
      .map(({ urn }) => urn)
      .filter((urn) => moved.some((name) => urn.endsWith(`::${name}`)));
    await product.run(["state", "move", "--yes", "--source", "other", "--dest", stack.name, ...urns]);
    await product.run(["stack", "select", stack.name]);

    const record = { source: "external_container", source_config: {}, secrets: [] };
    const source_revision_config = { image_uri: "registry.example.com/app:1" };
    const ids = Object.fromEntries(
      providers.flatMap((provider) =>
        (["imported", "adopted"] as const).map((road) => {
          const name = nameOf(provider, road);
          return [name, emulator.create({ name, ...record, source_revision_config }).id];
        }),
      ),
    );
    const id = (provider: string) => ids[nameOf(provider, "imported")]!;
    await deploymentService(product, ["import", "--ids", id("dynamic"), "--out", "import.json"]);
    await stack.import("import.json");
    const unattended = ["--yes", "--protect=false", "--generate-code=false"];
    await product.run(["import", type, nameOf("packaged", "imported"), id("packaged"), ...unattended]);

    stack.write(programWith({ roads }));
    await product.up();
    stack.write(programWith({ roads, isLater: true }));
    expect((await product.up()).writes).toEqual([]);

    const forms = [
      ["refresh", "--preview-only"],
      ["preview", "--refresh"],
    ];
    for (const form of forms)
      expect(await look(...form)).toMatchObject({ code: 0, stdout: expect.stringContaining("unchanged") });

    setImage("by-hand");
    for (const form of forms) {
      const { code, stdout: found } = await look(...form);
      expect(foundIn(found), form.join(" ")).toEqual([...all].sort());
      expect(code).toBe(1);
    }
    // What a refresh has taken into the state differs from the program, and from nothing on the service.
    await product.refresh();
    expect(await look("refresh", "--preview-only")).toMatchObject({ code: 0 });
  });
});
