/** Replacements that the service is certain to refuse, because the name stays taken: nothing is deleted first. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const repository = (organization: string, more = {}) => ({
  source: "codehost",
  sourceConfig: {
    integrationId: "11111111-1111-4111-8111-111111111111",
    repoUrl: `https://github.com/${organization}/chat`,
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  ...more,
});

const refusal =
  "name: the service would refuse to create the replacement after the deletion, because the tracing project of the same name " +
  "still uses the name: choose another `name`, or first set only `deleteTracingProject: true` and run `pulumi up`, so that the " +
  "replacement deletes it too";

describe.each(Object.entries({ dynamic: program, packaged: packagedProgram }))(
  "the replacement of a deployment, with the %s provider",
  (_, programOf) => {
    const declare = (args: object, options = "{}") =>
      programOf(`new Deployment("chat", ${JSON.stringify(args)}, ${options});`);
    const product = useProduct({
      program: declare(repository("acme")),
      emulator: { rules: langsmith, rollout: { polls: 0 } },
      env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
    });
    const expectRefusal = async (args: string[] = []) => {
      for (const run of [
        () => product.preview({ expectFailure: true, args }),
        () => product.up({ expectFailure: true, args }),
      ]) {
        const { output, writes } = await run();
        expect(output).toContain(refusal);
        expect(writes).toEqual([]);
      }
    };

    it("fails in the preview and the `up` if the service keeps the name, and nothing is deleted (D03)", async () => {
      await product.up();
      product.stack.write(declare(repository("acme-inc")));
      await expectRefusal();
      product.stack.write(declare(repository("acme", { triggers: 1 }), `{ replaceOnChanges: ["triggers"] }`));
      await expectRefusal();
    });

    it("by the user's own wish is not begun with the deletion either", async () => {
      product.stack.write(declare(repository("acme"), "{ deleteBeforeReplace: true }"));
      await product.up();
      const { urn } = product.stack.resource("chat");
      const { output, writes } = await product.up({ args: ["--replace", urn], expectFailure: true });
      expect(output).toContain(`chat: delete failed: not deleted: ${refusal.replace("name: ", "")}`);
      expect(writes).toEqual([]);
    });

    it("of a renamed resource is not begun with it either", async () => {
      const args = JSON.stringify(repository("acme", { name: "chat" }));
      const options = `{ deleteBeforeReplace: true, aliases: [{ name: "chat" }] }`;
      const { urn } = product.stack.resource("chat");
      product.stack.write(programOf(`new Deployment("bot", ${args}, ${options});`));
      await product.run(["state", "taint", "--yes", urn]);
      const { output, writes } = await product.up({ expectFailure: true });
      expect(output).toContain(`not deleted: ${refusal.replace("name: ", "")}`);
      expect(writes).toEqual([]);
      await product.run(["state", "untaint", "--yes", urn]);
    });

    it("is carried out where the name is freed, or another one is chosen", async () => {
      product.stack.write(declare(repository("acme", { deleteTracingProject: true })));
      await product.up();
      product.stack.write(declare(repository("acme-inc")));
      expect((await product.up()).writes.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
      product.stack.write(declare(repository("acme", { name: "talk" })));
      expect((await product.up()).writes.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    });

    it("stands in no way of a `destroy`", async () => {
      // Nor does a renamed resource, which the engine takes for another one.
      const args = JSON.stringify(repository("acme-inc", { name: "talk" }));
      product.stack.write(programOf(`new Deployment("bot", ${args});`));
      await product.destroy({ args: ["--run-program"] });
      expect(product.emulator.deployments()).toEqual([]);
    });
  },
);
