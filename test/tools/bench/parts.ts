/** Short benchmarks, each of one thing. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { checkManifest } from "../../../provider/manifest/check-manifest";
import { generateProgram } from "../../../cli/generate/program";
import { SourceText } from "../../../provider/manifest/source";
import { median } from "./report";

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms";
}

export const parts: Readonly<Record<string, (quick: boolean) => Figure[]>> = {
  start,
  manifest,
};

/** What the package adds to the SDK's own start, in a program and in the provider process. */
function start(quick: boolean): Figure[] {
  const args = `{ source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/app:1" } }`;
  const works = {
    "import of the package": `require("pulumi-deployment-service"); end();`,
    "the provider, from its loading to the first check": `
      const { provider } = require("pulumi-deployment-service/provider");
      provider.check({}, { name: "app", ...${args} }).then(end);`,
  };
  const timeText = (work: string) => {
    const timed = `require("@pulumi/pulumi"); const began = performance.now();
      const end = () => process.stdout.write(String(performance.now() - began)); ${work}`;
    const cwd = resolve(__dirname, "../../..");
    return Number(execFileSync(process.execPath, ["-e", timed], { cwd, encoding: "utf8" }));
  };
  return Object.entries(works).map(([what, work]) => {
    const value = median(Array.from({ length: quick ? 3 : 15 }, () => timeText(work)));
    return { what: `${what}, beyond the SDK`, value, unit: "ms" };
  });
}

/** How long a large manifest takes: ten times as many deployments should take ten times as long. */
function manifest(quick: boolean): Figure[] {
  return (quick ? [100, 500] : [100, 1000, 5000]).flatMap((size) => {
    const source = new SourceText("deployments.yaml", manifestText(size));
    const began = performance.now();
    const { view, problems } = checkManifest(source, { env: {} });
    const checked = performance.now();
    if (problems.length > 0) throw new Error(problems[0]!.message);
    generateProgram(source, view!);
    return [
      { what: `validate ${size} deployments`, value: checked - began, unit: "ms" },
      { what: `generate ${size} deployments`, value: performance.now() - checked, unit: "ms" },
    ];
  });
}

/** Within each ten, each refers to the one before it. */
function manifestText(size: number): string {
  const deployments = Array.from({ length: size }, (_, at) => {
    const peer = at % 10 === 0 ? "" : `, PEER_URL: "\${deployments.app-${at - 1}.url}"`;
    return `  app-${at}:
    source: external_container
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, labels: { team: a${at} } } }
    sourceRevisionConfig: { imageUri: "registry.example.com/app-${at}:1.0.0" }
    secrets: { MODEL_API_KEY: "\${config.modelApiKey}"${peer} }`;
  });
  return ["version: 1", "deployments:", ...deployments, ""].join("\n");
}
