import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Engine } from "./engine.mjs" with { "resolution-mode": "import" };

/** Variables of the developer's shell that would affect tests. */
const foreign = [
  /^PULUMI_/i,
  /^DEPLOYMENT_SERVICE_/i,
  /_PROXY$/i,
  /^NODE_OPTIONS$/i,
  /^NODE_ENV$/i,
  /^VITEST/i,
];

/**
 * For the runs of hundreds of resources: the state is written once at the end of a run, and not after each step, which costs the
 * square of their number.
 */
export const stateAtTheEnd = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

export interface StackFolders {
  home: string;
  backend: string;
}

/** The CLI spends a third of its time on logs. It writes none if their folder cannot be created. */
export function withoutLogs({ home }: StackFolders): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "logs"), "");
}

/** The variables of a stack's CLI. `more` overrides them. */
export function stackEnvironment(
  engine: Engine,
  stack: string,
  folders: StackFolders,
  more: Record<string, string>,
): Record<string, string> {
  const path = [...engine.folders, dirname(process.execPath), process.env["PATH"] ?? ""];
  return {
    ...inherited(process.env),
    PATH: path.join(delimiter),
    NO_COLOR: "1",
    PULUMI_HOME: folders.home,
    PULUMI_BACKEND_URL: `file://${folders.backend}`,
    PULUMI_STACK: stack,
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "1",
    // For stacks that a test makes itself, with the CLI.
    PULUMI_CONFIG_PASSPHRASE: "a fixed phrase for tests",
    // Runs are short, and garbage collection would take a fifth of their time.
    GOGC: "400",
    // Types are checked once by tsc. Skipping that in each run halves the time of a TypeScript program.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...more,
  };
}

function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !foreign.some((name) => name.test(entry[0])),
  );
  return Object.fromEntries(kept);
}
