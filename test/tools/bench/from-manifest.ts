/** What a program of one line over a manifest costs, beside the same program written out: a preview of the real CLI. */
import { checkManifest } from "../../../provider/manifest/check";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { Source } from "../../../provider/manifest/source";
import { medians, type Benchmark } from "./benchmark";
import { manifestOf, stack } from "./manifest-of";
import { atPlace, measure, type Place } from "./stack-run";

export const fromManifest: Benchmark = {
  name: "from-manifest",
  async run({ quick, tell }) {
    const count = quick ? 100 : 1000;
    const text = manifestOf(count);
    const preview = (name: string, place: Place) => async () => {
      tell(`${name}, ${count} deployments`);
      return (await measure(place, ["preview"])).processorSeconds;
    };
    const { written, short } = await withProgram({ "index.ts": writtenOut(text) }, (a) =>
      withProgram({ "index.ts": oneLine, "deployments.yaml": text }, (b) =>
        medians(quick ? 1 : 3, {
          written: preview("written out", a),
          short: preview("fromManifest", b),
        }),
      ),
    );
    return [
      {
        what: `preview of ${count}: fromManifest against the program written out`,
        value: short / written,
        unit: "x",
        atMost: 1.1,
        note: `${short.toFixed(2)} s and ${written.toFixed(2)} s of processor time`,
      },
    ];
  },
};

const oneLine = `import { fromManifest } from "pulumi-deployment-service";
fromManifest("deployments.yaml", { stack: "${stack}" });
`;

function writtenOut(text: string): string {
  const source = new Source("deployments.yaml", text);
  const { root, view } = checkManifest(source, { stack });
  return generateProgram(source, root!, view!);
}

function withProgram<T>(program: Record<string, string>, work: (place: Place) => Promise<T>): Promise<T> {
  return atPlace({ program, emulator: {} }, async (place) => {
    await place.stack.setConfig("modelApiKey", "a-key-of-the-benchmark", { secret: true });
    return work(place);
  });
}
