import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "./engine.mjs" with { "resolution-mode": "import" };
import { makeEmptyStack, type ConfigValue } from "./empty-stack";
import { stackEnvironment, withoutLogs } from "./environment";
import { keyService } from "./key-service";
import { KeptProcesses, type Keeps } from "./kept/processes";
import { makeProgram, type Program } from "./program";
import { Stack } from "./stack";

export { Command, type Result } from "./command";
export type { ConfigValue } from "./empty-stack";
export { stateAtTheEnd } from "./environment";
export type { PreviewJson } from "./preview-json";
export type { Program } from "./program";
export type { Keeps } from "./kept/processes";
export { Stack } from "./stack";
export type { ChangeOptions, PreviewOptions } from "./stack";
export type { State, StateResource } from "./state";

export interface StackOptions {
  /** A folder, which is copied, or the files of a program by name. */
  program: Program;
  /** Runs in the folder itself, which is removed at the end. A copy within the repository would find its packages. */
  inPlace?: boolean;
  /** The name of the stack: "dev". */
  stack?: string;
  config?: Record<string, ConfigValue>;
  /** Variables of every run. Those of the developer's shell that matter to Pulumi are left out. */
  env?: Record<string, string>;
  /**
   * Which processes stay between the runs: each that does makes a run twice as fast. By default each run of the CLI starts its
   * own, as it does for users: what a test needs that is about the program's end or the provider's.
   */
  keeps?: Keeps;
  /** How many operations the engine runs at once. */
  parallel?: number;
  /** As users run it: the CLI writes its own logs. */
  isPlain?: boolean;
}

/** Makes a new stack with its own state, own CLI home and own copy of the program. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const { stack: name = "dev", config = {}, env = {}, parallel } = options;
  const engine = await theEngine();
  const scratch = mkdtempSync(join(tmpdir(), "pulumi-stack-"));
  const folders = { home: join(scratch, "home"), backend: join(scratch, "backend") };
  if (!options.isPlain) withoutLogs(folders);
  const program =
    options.inPlace && typeof options.program === "string" ? options.program : makeProgram(options.program);
  const variables = stackEnvironment(engine, name, folders, {
    ...(await keyService()),
    ...(parallel === undefined ? {} : { PULUMI_PARALLEL: String(parallel) }),
    ...env,
  });
  const stack = new Stack({
    name,
    scratch,
    program,
    cli: join(engine.folders[0] ?? "", "pulumi"),
    env: variables,
    kept: new KeptProcesses(options.keeps ?? "nothing", program, variables),
  });
  try {
    makeEmptyStack({ program, backend: folders.backend, name, config });
  } catch (error) {
    await stack.dispose();
    throw error;
  }
  return stack;
}

let found: Promise<Engine> | undefined;

/** Found once per process. Building it would take longer than a test's time limit. */
function theEngine(): Promise<Engine> {
  found ??= import("./engine.mjs").then(async ({ findEngine }) => {
    const engine = await findEngine();
    if (!engine) throw new Error("There is no Pulumi CLI yet. Run: node test/setup.mjs");
    return engine;
  });
  return found;
}
