import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import LongestFirst from "./test/sequencer.mts";

/** `npm run test:long` plays so many times as many cases. */
const times = Number(process.env["TEST_RUNS"] ?? 1);
/** Files that only `npm run test:long` plays: rare accidents and rare flags. */
const nightly = times > 1 ? [] : ["test/**/*.nightly.test.ts"];
/** All projects run together, and more files than cores: most of the time goes into processes that a test waits for. */
const manyWorkers = Math.ceil(availableParallelism() * 2.5);
/** `npm run check` waits for few processes, and each worker loads all sources. */
const workersFor = (mode: string) => (mode === "quick" ? availableParallelism() : manyWorkers);
/** Sources are TypeScript, which Node.js does not load when they call for it. */
const onDemand = { find: /^\..*\/on-demand$/, replacement: resolve("test/support/on-demand.ts") };
const setupFiles = ["test/support/property-tests.ts"];
/** Of what runs in the process of the tests. */
const inProcess = { setupFiles: [...setupFiles, "test/support/environment.ts"] };
const project = (
  name: string,
  include: string[],
  {
    exclude = [],
    maxWorkers = manyWorkers,
    ...more
  }: { exclude?: string[]; maxWorkers?: number; [option: string]: unknown } = {},
) => ({
  resolve: { alias: [onDemand] },
  test: {
    name,
    include,
    exclude: [...exclude, ...nightly],
    environment: "node" as const,
    maxWorkers,
    setupFiles,
    ...more,
  },
});

/** Files that replace a module, so that what they import is theirs alone. */
const isolated = "test/unit/**/*.isolated*.test.ts";

/** Files that try so much that `npm run check` leaves them to `npm test`. */
const long = "test/unit/**/*.long.test.ts";
const leftOut = (mode: string) => (mode === "quick" ? [long] : []);
/** And of random cases, it plays fewer. */
const casesOf = (mode: string) => (mode === "quick" ? { env: { TEST_RUNS: "0.4" } } : {});

const minutes = (count: number) => ({
  testTimeout: count * times * 60_000,
  hookTimeout: count * times * 60_000,
});

/** What runs the engine. Each folder keeps its own processes. */
const onEngine = ["contract", "docs", "e2e", "faults"];

export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/modules" },
    projects: [
      // Two thirds of what these files cost is loading what they import, so they share it.
      project("unit", ["test/unit/**/*.test.ts", "test/emulator/**/*.test.ts"], {
        exclude: [isolated, ...leftOut(mode)],
        isolate: false,
        maxWorkers: workersFor(mode),
        ...casesOf(mode),
        ...inProcess,
        ...minutes(4),
      }),
      project("unit-isolated", [isolated], {
        exclude: leftOut(mode),
        maxWorkers: workersFor(mode),
        ...casesOf(mode),
        ...inProcess,
        ...minutes(4),
      }),
      project("model", ["test/model/**/*.test.ts"], { isolate: false, ...inProcess, ...minutes(5) }),
      ...onEngine.map((name) =>
        project(name, [`test/${name}/**/*.test.ts`], {
          isolate: false,
          ...(name === "contract" && { globalSetup: "test/contract/pack.ts" }),
          ...minutes(10),
        }),
      ),
    ],
  },
}));
