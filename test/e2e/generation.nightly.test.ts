/** `generation` after an update that failed: the same number in inputs and outputs, and no echo once an `up` succeeded. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const declare = (tag: number) => {
  const args = {
    source: "external_container",
    sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
  };
  return `new Deployment("chat", ${JSON.stringify(args)}, { customTimeouts: { update: "400ms" } });`;
};

type Next = (failed: number) => number;
type Case = readonly [title: string, next: Next, refreshes: boolean, isShown: boolean];

const resume: Next = (failed) => failed;
const mend: Next = (failed) => failed + 1;
const takeBack: Next = (failed) => failed - 1;

/** Each case with one of the providers: what counts is in the core, which is one. */
const adapters: readonly {
  readonly adapter: string;
  readonly write: typeof program;
  readonly cases: readonly Case[];
}[] = [
  {
    adapter: "dynamic",
    write: program,
    cases: [
      ["resumed after a refresh", resume, true, true],
      ["taken back", takeBack, false, false],
      ["resumed", resume, false, true],
      ["mended after a refresh", mend, true, true],
    ],
  },
  {
    adapter: "packaged",
    write: packagedProgram,
    cases: [
      ["mended", mend, false, true],
      ["resumed after a refresh", resume, true, true],
      ["taken back after a refresh", takeBack, true, true],
    ],
  },
];
/** The generation of the step in a preview, if there is one. */
const stepIn = (screen: string) => /~ generation\s*: (\d+ => \d+)/.exec(screen)?.[1];

describe.each(adapters)("with the $adapter provider, an update that failed and is", ({ write, cases }) => {
  const product = useProduct({
    program: write(declare(1)),
    emulator: { rules: langsmith },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });
  const generations = async () => {
    const { inputs, outputs } = (await product.stack.state()).resources.find(({ urn }) =>
      urn.endsWith("::chat"),
    )!;
    return [inputs!["generation"], outputs!["generation"]];
  };
  let tag = 1;
  let last = 0;

  it.each(cases)(
    "%s counts once, and nothing speaks of it afterwards",
    async (_, next, refreshes, isShown) => {
      product.stack.write(write(declare(tag)));
      await product.up();
      [last] = (await generations()) as [number, number];

      product.emulator.configure({ rollout: "never" });
      product.stack.write(write(declare((tag += 1))));
      await product.up({ expectFailure: true });
      expect(await generations()).toEqual([last, last]);
      if (refreshes) {
        const shown = [
          await product.preview({ args: ["--refresh", "--diff"] }),
          await product.refresh({ args: ["--diff"] }),
        ];
        for (const { output } of shown) expect(output).not.toContain("__");
        expect(await generations()).toEqual([last, last]);
      }

      product.emulator.configure({ rollout: { polls: 0 } });
      product.emulator.finish("chat");
      product.stack.write(write(declare((tag = next(tag)))));
      const preview = await product.preview({ args: ["--diff"] });
      expect(stepIn(preview.output)).toBe(isShown ? `${last} => ${last + 1}` : undefined);
      expect(preview.output).toMatch(
        /chat: (creates a new revision \(sourceRevisionConfig.imageUri\)|resumes waiting)/,
      );
      expect(preview.output).not.toContain("__");
      await product.up();
      const expected = isShown ? last + 1 : last;
      expect(await generations()).toEqual([expected, expected]);
      await product.preview({ args: ["--expect-no-changes"] });
      await product.refresh({ args: ["--expect-no-changes"] });
      tag += 10;
    },
  );
});
