/** How long a large manifest takes, and that five times as many deployments take five times as long. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { checkManifest } from "../../../provider/manifest/check";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { Source } from "../../../provider/manifest/source";
import { fromManifest } from "../../../provider/pulumi/from-manifest";
import { medianTime, type Benchmark, type Figure } from "./benchmark";
import { manifestOf, stack } from "./manifest-of";
import { withFolder } from "./folder";

const sizes = [1, 100, 1000, 5000];
const quickSizes = [1, 100, 500];

/** From here on, what a run costs whatever its size does not show any more. */
const large = 100;

export const manifest: Benchmark = {
  name: "manifest",
  run: ({ quick, tell }) =>
    withFolder(async (folder) => {
      const figures: Figure[] = [];
      for (const [name, work] of Object.entries(works)) {
        const each = new Map<number, number>();
        for (const size of quick ? quickSizes : sizes) {
          tell(`${name} ${size}`);
          const file = join(folder, `${size}.yaml`);
          writeFileSync(file, manifestOf(size));
          const time = await medianTime(size > 1000 ? 1 : 3, await work(file, size));
          each.set(size, time / size);
          figures.push({ what: `${name}: ${size}`, value: time, unit: "ms" });
        }
        const last = [...each.keys()].at(-1)!;
        figures.push({
          what: `${name}: one of ${last} against one of ${large}`,
          value: each.get(last)! / each.get(large)!,
          unit: "x",
        });
      }
      return figures;
    }),
};

type Work = (file: string, size: number) => Promise<() => Promise<void> | void>;

const works: Readonly<Record<string, Work>> = {
  validate: async (file, size) => {
    const text = manifestOf(size);
    return () => {
      const { problems } = checkManifest(new Source(file, text), { stack, env: {} });
      if (problems.length > 0) throw new Error(problems[0]!.message);
    };
  },
  generate: async (file, size) => {
    const source = new Source(file, manifestOf(size));
    const { root, view } = checkManifest(source, { stack });
    return () => void generateProgram(source, root!, view!);
  },
  fromManifest: async (file) => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({
        id: name,
        state: { ...(inputs as object), url: `https://${name}.example.com`, generation: 1 },
      }),
      call: () => ({}),
    });
    return async () => {
      const made = fromManifest(file, { stack, env: {}, config: { modelApiKey: "k" } });
      const ids = pulumi.all(Object.values(made).map(({ id }) => id));
      await new Promise((resolve) => ids.apply(resolve));
    };
  },
};
