/** Short benchmarks, each of one thing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import * as pulumi from "@pulumi/pulumi";
import type { LoggedRequest } from "../../../emulator";
import { check } from "../../../provider/deployment/check";
import { diff } from "../../../provider/deployment/diff";
import { parseState, writeInputs } from "../../../provider/deployment/stored";
import { standard } from "../../../provider/dialects/standard";
import { providerText } from "../../../provider/internal-inputs";
import { checkManifest } from "../../../provider/manifest/check";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { SourceText } from "../../../provider/manifest/source";
import { fromManifest } from "../../../provider/program/from-manifest";
import { up } from "./lives";
import { atPlace, measure } from "./place";
import { programOf } from "./programs";
import { median } from "./report";
import { timeToCheck } from "./start";

/** One line. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** `ms`, or `x` for a ratio. */
  readonly unit: string;
  /** What it should not exceed. */
  readonly atMost?: number;
  readonly note?: string;
}

export const parts: Readonly<Record<string, (quick: boolean) => Promise<Figure[]>>> = {
  start,
  "check-and-diff": checkAndDiff,
  manifest,
  "from-manifest": manifestProgram,
  "rate-limit": rateLimit,
  "engine-slots": engineSlots,
};

/** What the package adds to the SDK's own start, until there is something to see. */
async function start(quick: boolean): Promise<Figure[]> {
  const runs = quick ? 3 : 15;
  const importing = `begin(); const { Deployment } = require("pulumi-deployment-service");`;
  const mocks = `pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });`;
  const args = `{ source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/app:1" } }`;
  const bare = `new pulumi.CustomResource("pulumi-nodejs:dynamic:Resource", "app", { __provider: "text", ...${args} });`;
  // In turns: whatever else the machine does meets all of them.
  const { imported, first, resource, own, empty } = await mediansOf(runs, {
    imported: () => printedBy(importing),
    first: () => printedBy(`${importing} ${mocks} new Deployment("app", ${args});`),
    resource: () => printedBy(`${mocks} begin(); ${bare}`),
    own: () => timeToCheck(providerText),
    empty: () => timeToCheck("exports.handler=()=>({check:async(olds,news)=>({inputs:news})});"),
  });
  return [
    { what: "import of the package, beyond the SDK", value: imported, unit: "ms", atMost: 30 },
    { what: "import and the first deployment, beyond a bare resource", value: first - resource, unit: "ms" },
    {
      what: "provider process, from its start to the first check, beyond an empty provider",
      value: own - empty,
      unit: "ms",
      atMost: 50,
      note: `${own.toFixed(0)} ms in all`,
    },
  ];
}

/** The milliseconds that a program of its own reports. */
function printedBy(code: string): number {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    let began;
    const begin = () => (began = performance.now());
    ${code}
    process.stdout.write(String(performance.now() - began));`;
  const cwd = resolve(__dirname, "../../..");
  return Number(execFileSync(process.execPath, ["-e", program], { cwd, encoding: "utf8" }));
}

/** What the engine asks for each resource in every preview. */
async function checkAndDiff(): Promise<Figure[]> {
  const secrets = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`NAME_${at}`, `value ${at}`]));
  const resourceSpec = {
    minScale: 1,
    maxScale: 3,
    cpu: 0.5,
    memoryMb: 1024,
    labels: { "app.example.com/part": "chat" },
  };
  const sourceRevisionConfig = { imageUri: "registry.example.com/chat:1.4.2" };
  const args = {
    name: "chat",
    source: "external_container",
    sourceConfig: { resourceSpec },
    sourceRevisionConfig,
    secrets,
  };
  const { inputs } = check(undefined, args, standard);
  const state = parseState(writeInputs(inputs));
  const value = await medianTime(5, () => {
    for (let at = 0; at < 1000; at++) {
      check(inputs, args, standard);
      diff(state, inputs, standard);
    }
  });
  return [{ what: "check and diff of 1000 deployments", value, unit: "ms" }];
}

/** How long a large manifest takes, and that five times as many deployments take five times as long. */
async function manifest(quick: boolean): Promise<Figure[]> {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: name,
      state: { ...(inputs as object), url: `https://${name}.example.com` },
    }),
    call: () => ({}),
  });
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const figures: Figure[] = [];
  for (const [name, work] of Object.entries(manifestWorks)) {
    const each = new Map<number, number>();
    for (const size of quick ? [1, 100, 500] : [1, 100, 1000, 5000]) {
      const file = join(folder, `${size}.yaml`);
      writeFileSync(file, manifestOf(size));
      const time = await medianTime(size > 1000 ? 1 : 3, () => work(file));
      each.set(size, time / size);
      figures.push({ what: `${name}: ${size}`, value: time, unit: "ms" });
    }
    const last = [...each.keys()].at(-1)!;
    // Above 100, what a run costs whatever its size no longer shows.
    const value = each.get(last)! / each.get(100)!;
    figures.push({ what: `${name}: one of ${last} against one of 100`, value, unit: "x" });
  }
  rmSync(folder, { recursive: true });
  return figures;
}

const manifestWorks: Readonly<Record<string, (file: string) => Promise<unknown> | void>> = {
  validate(file) {
    const { problems } = checkManifest(new SourceText(file, readFileSync(file)), { stack, env: {} });
    if (problems.length > 0) throw new Error(problems[0]!.message);
  },
  generate: (file) => void programFor(readFileSync(file, "utf8")),
  fromManifest(file) {
    const made = fromManifest(file, { stack, env: {}, config: { modelApiKey: "k" } });
    const ids = pulumi.all(Object.values(made).map(({ id }) => id));
    return new Promise((done) => ids.apply(done));
  },
};

/** A preview of a one-line program over a manifest, beside the same program written out. */
async function manifestProgram(quick: boolean): Promise<Figure[]> {
  const count = quick ? 100 : 1000;
  const text = manifestOf(count);
  const oneLine = `import { fromManifest } from "pulumi-deployment-service";\nfromManifest("deployments.yaml", { stack: "${stack}" });`;
  const secondsOf = (program: Record<string, string>) =>
    atPlace({ program }, async (place) => {
      await place.stack.setConfig("modelApiKey", "a-key-of-the-benchmark", { secret: true });
      const preview = async () => (await measure(place, ["preview"])).processorSeconds;
      return (await mediansOf(quick ? 1 : 3, { preview })).preview;
    });
  const written = await secondsOf({ "index.ts": programFor(text) });
  const short = await secondsOf({ "index.ts": oneLine, "deployments.yaml": text });
  const what = `preview of ${count}: fromManifest against the program written out`;
  const note = `${short.toFixed(2)} s and ${written.toFixed(2)} s of processor time`;
  return [{ what, value: short / written, unit: "x", atMost: 1.1, note }];
}

/** A first `up` of many deployments against a service that takes 20 requests a second and no more. */
async function rateLimit(quick: boolean): Promise<Figure[]> {
  const [count, perSecond] = [quick ? 100 : 250, 20];
  const program = { "index.js": programOf("package", count) };
  const emulator = { requestsPerSecond: perSecond, rollout: { afterMs: 1_000 } };
  const requests = await atPlace({ program, emulator }, async (place) => {
    await measure(place, [...up, "--parallel", String(count)]);
    return place.emulator.requests();
  });
  const refused = requests.filter(isRefused).length;
  const posts = requests.filter(({ method }) => method === "POST");
  const created = posts.filter(({ status }) => status === 201);
  const ended = Math.max(...created.map(({ at, ms }) => at + (ms ?? 0)));
  const seconds = (ended - requests[0]!.at) / 1_000;
  return [
    {
      what: `${count} creates, ${perSecond} requests a second: time against the least`,
      value: seconds / (count / perSecond),
      unit: "x",
      atMost: 1.5,
      note: `${seconds.toFixed(1)} s, ${created.length} created`,
    },
    {
      what: "requests that were repeated although they were not refused",
      value: posts.length - posts.filter(isRefused).length - count,
      unit: "",
      atMost: 0,
      note: `${requests.length} requests in all, of which ${refused} were refused (429)`,
    },
  ];
}

const isRefused = ({ status }: LoggedRequest) => status === 429;

/** How long rollouts take that the engine runs a few at a time, and all at once; ten times shorter than real ones of half a minute. */
async function engineSlots(quick: boolean): Promise<Figure[]> {
  const [count, scale] = quick ? [24, 1 / 15] : [100, 1 / 10];
  const secondsAt = (slots: number) =>
    atPlace(
      {
        program: { "index.js": programOf("package", count) },
        emulator: { rollout: { afterMs: 30_000 * scale } },
        env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: `${2_000 * scale}ms` },
      },
      async (place) => (await measure(place, [...up, "--parallel", String(slots)])).wallSeconds,
    );
  // The engine's default on two cores is 8.
  const [few, all] = [await secondsAt(8), await secondsAt(count)];
  const what = `${count} rollouts of ${30 * scale} s: up --parallel`;
  return [
    { what: `${what} 8`, value: few, unit: "s" },
    { what: `${what} ${count}`, value: all, unit: "s" },
    { what: `up --parallel ${count} against 8`, value: all / few, unit: "x" },
  ];
}

const stack = "prod";

/** Within each ten, each deployment refers to the one before it; every tenth is changed in a stack. */
function manifestOf(size: number): string {
  const numbers = Array.from({ length: size }, (_, at) => at);
  const deployments = numbers.map(
    (at) => `  app-${at}:
    source: external_container
    sourceConfig:
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, labels: { team: a${at} } }
    sourceRevisionConfig: { imageUri: "registry.example.com/app-${at}:1.0.0" }
    secrets:
      MODEL_API_KEY: \${config.modelApiKey}
      REGION: \${env.REGION:-eu}${
        at % 10 === 0
          ? ""
          : `
      PEER_URL: \${deployments.app-${at - 1}.url}
    options: { dependsOn: [app-${at - 1}] }`
      }`,
  );
  const changed = numbers
    .filter((at) => at % 10 === 0)
    .map((at) => `      app-${at}: { sourceConfig: { resourceSpec: { minScale: 2 } } }`);
  return `version: 1
defaults:
  sourceConfig: { resourceSpec: { cpuLimit: 1, memoryLimitMb: 2048 } }
deployments:
${deployments.join("\n")}
stacks:
  ${stack}:
    deployments:
${changed.join("\n")}
`;
}

function programFor(text: string): string {
  const source = new SourceText("deployments.yaml", text);
  const { root, view } = checkManifest(source, { stack });
  return generateProgram(source, root!, view!);
}

async function mediansOf<Name extends string>(
  runs: number,
  works: Readonly<Record<Name, () => Promise<number> | number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const values = new Map(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run < runs; run++) for (const name of names) values.get(name)!.push(await works[name]());
  return Object.fromEntries(names.map((name) => [name, median(values.get(name)!)])) as Record<Name, number>;
}

/** In milliseconds; a first run warms up and does not count. */
async function medianTime(runs: number, work: () => Promise<unknown> | void): Promise<number> {
  await work();
  const time = async () => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  return (await mediansOf(runs, { time })).time;
}
