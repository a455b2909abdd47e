/** The workflows of this repository and of its examples, as data. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

type Variables = Readonly<Record<string, string>>;

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly "working-directory"?: string;
  readonly env?: Variables;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly environment?: string | { readonly name: string };
  readonly env?: Variables;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly file: string;
  readonly text: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly env?: Variables;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

export function readWorkflow(file: string): Workflow {
  const text = readFileSync(file, "utf8");
  return { file, text, ...(parse(text) as Omit<Workflow, "file" | "text">) };
}

/** Those of the repository, and those that users copy. */
export const ownWorkflows = workflowsIn(".");
export const exampleWorkflows = readdirSync("examples").flatMap((name) =>
  workflowsIn(join("examples", name)),
);

function workflowsIn(folder: string): Workflow[] {
  const path = join(folder, ".github/workflows");
  return existsSync(path) ? readdirSync(path).map((name) => readWorkflow(join(path, name))) : [];
}
