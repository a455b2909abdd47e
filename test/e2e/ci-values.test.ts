/** What a CI system or another stack leaves in the place of a value: told before anything is sent. */
import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const args = (image: string, secrets = "{}") => `{
  source: "external_container",
  sourceRevisionConfig: { imageUri: ${image} },
  secrets: ${secrets},
}`;

describe.each(Object.entries({ dynamic: program, packaged: packagedProgram }))(
  "with the %s provider",
  (_, programOf) => {
    const absent = `{
    ABSENT: pulumi.secret(undefined), LATER: new pulumi.Config().getSecret("gone") ?? null, EMPTY: "", MACRO: "$(MACRO)", KEEP: "abc",
  }`;
    const product = useProduct({
      program: programOf(`new Deployment("chat", ${args('"registry.example.com/chat:1"', absent)});`),
      emulator: { rollout: { polls: 0 } },
    });

    it("secrets without a value are told by name, and the others are sent", async () => {
      const { output } = await product.preview();
      expect(output).toContain("warning: chat: secrets.ABSENT has no value in the program");
      expect(output).toContain("warning: chat: secrets.LATER has no value in the program");
      expect(output).toContain("warning: chat: secrets.EMPTY is empty");
      expect(output).toContain("warning: chat: secrets.MACRO contains a variable that nothing has replaced");
      const { writes } = await product.up();
      expect(writes[0]!.body).toMatchObject({
        secrets: [{ name: "EMPTY" }, { name: "KEEP", value: "abc" }, { name: "MACRO" }],
      });
      expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    });

    it("images that no registry holds are refused", async () => {
      product.stack.write(
        programOf(`new Deployment("chat", ${args('pulumi.interpolate`registry.example.com/chat:${""}`')});`),
      );
      const { output } = await product.preview({ expectFailure: true });
      expect(output).toContain("sourceRevisionConfig.imageUri: has an empty tag");
    });
  },
);
