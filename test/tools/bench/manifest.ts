/** How long it takes to check a large manifest, and that twice as many deployments take twice as long. */
import { checkManifest } from "../../../provider/manifest/check";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { Source } from "../../../provider/manifest/source";
import { medianTime, type Benchmark, type Figure } from "./benchmark";

const sizes = [500, 1000, 2000, 4000];
const quickSizes = [250, 500];

export const manifest: Benchmark = {
  name: "manifest",
  async run({ quick }) {
    const figures: Figure[] = [];
    for (const size of quick ? quickSizes : sizes) {
      const text = manifestOf(size);
      const source = () => new Source("deployments.yaml", text);
      const time = await medianTime(5, () => {
        const { problems } = checkManifest(source(), { stack: "prod", env: {} });
        if (problems.length > 0) throw new Error(problems[0]!.message);
      });
      const perDeployment = `${((time * 1000) / size).toFixed(0)} µs each`;
      figures.push({
        what: `validate ${size} deployments`,
        value: `${time.toFixed(0)} ms, ${perDeployment}`,
      });
    }
    const generated = quick ? 500 : 2000;
    const source = new Source("deployments.yaml", manifestOf(generated));
    const { root, view } = checkManifest(source, { stack: "prod" });
    const time = await medianTime(3, () => void generateProgram(source, root!, view!));
    return [...figures, { what: `generate ${generated} deployments`, value: `${time.toFixed(0)} ms` }];
  },
};

/** Each refers to the one before it, every tenth is changed in a stack. */
function manifestOf(size: number): string {
  const deployments = Array.from({ length: size }, (_, index) => [
    `  app-${index}:`,
    `    source: external_container`,
    `    sourceConfig:`,
    `      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, labels: { team: a${index} } }`,
    `    sourceRevisionConfig: { imageUri: "registry.example.com/app-${index}:1.0.0" }`,
    `    secrets:`,
    `      MODEL_API_KEY: \${config.modelApiKey}`,
    `      REGION: \${env.REGION:-eu}`,
    ...(index > 0 ? [`      PEER_URL: \${deployments.app-${index - 1}.url}`] : []),
    ...(index > 0 ? [`    options: { dependsOn: [app-${index - 1}] }`] : []),
  ]).flat();
  const changed = Array.from({ length: size / 10 }, (_, index) => index * 10).map(
    (index) => `      app-${index}: { sourceConfig: { resourceSpec: { minScale: 2 } } }`,
  );
  return [
    "version: 1",
    "defaults:",
    "  sourceConfig: { buildOnPush: false, resourceSpec: { cpuLimit: 1, memoryLimitMb: 2048 } }",
    "deployments:",
    ...deployments,
    "stacks:",
    "  prod:",
    "    deployments:",
    ...changed,
    "",
  ].join("\n");
}
