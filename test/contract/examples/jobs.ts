/** Plays the jobs of a pipeline as its runner does. Each step has exactly the variables that the pipeline sets. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { Command } from "../../engine";
import { readWorkflow, type Step } from "../../support/workflows";

type Variables = Readonly<Record<string, string>>;

export interface Runner {
  readonly folder: string;
  /** Variables of the machine. */
  readonly machine: Variables;
  /** Secrets by the environment that holds them. */
  readonly secrets: Readonly<Record<string, Variables>>;
  /** Values of expressions such as `github.sha`. */
  readonly values: Variables;
  /** Replacements for values of the file, such as the address of the service. */
  readonly instead: Variables;
}

interface Played {
  readonly isGreen: boolean;
  readonly output: string;
  /** The summary on the page of the run. */
  readonly page: string;
  readonly outputs: Variables;
}

export async function playJob(file: string, name: string, runner: Runner): Promise<Played> {
  const workflow = readWorkflow(join(runner.folder, file));
  const { steps = [], ...job } = workflow.jobs[name]!;
  const given = typeof job.environment === "string" ? job.environment : job.environment?.name;
  // The first job of a matrix.
  const [[key = "", [first = ""]] = ["", []]] = Object.entries(job.strategy?.matrix ?? {});
  const environment = given?.replace(`\${{ matrix.${key} }}`, first) ?? "";
  const secrets = runner.secrets[environment] ?? {};
  const outputs: Record<string, string> = {};
  const valueOf = (expression: string): string => {
    const [, secret] = /^secrets\.(\w+)$/.exec(expression) ?? [];
    // A secret that the environment lacks is empty.
    if (secret !== undefined) return secrets[secret] ?? "";
    if (expression === "runner.temp") return temporary;
    if (expression === `matrix.${key}`) return first;
    const value = runner.values[expression] ?? outputs[expression];
    if (value === undefined) throw new Error(`${name}: nobody said what ${expression} is`);
    return value;
  };
  const textOf = (text: string) =>
    text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => valueOf(expression));
  const resolved = (variables: Variables = {}) =>
    Object.fromEntries(Object.entries(variables).map(([key, text]) => [key, textOf(String(text))]));
  const temporary = join(runner.folder, ".run", "temp", name);
  mkdirSync(temporary, { recursive: true });
  const files = { GITHUB_OUTPUT: "", GITHUB_STEP_SUMMARY: "", RUNNER_TEMP: temporary };
  for (const key of ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"] as const) {
    files[key] = join(runner.folder, ".run", key);
    writeFileSync(files[key], "");
  }
  let isGreen = true;
  let output = "";
  for (const step of steps) {
    if (!isGreen && !step.if?.includes("!cancelled()")) continue;
    if (step.uses !== undefined) handOver(step, runner.folder, textOf);
    if (step.run === undefined) continue;
    const command = new Command(
      "bash",
      [...(step.shell === undefined ? [] : ["-o", "pipefail"]), "-ec", step.run],
      {
        cwd: resolve(runner.folder, textOf(step["working-directory"] ?? ".")),
        env: {
          ...runner.machine,
          ...files,
          ...resolved(workflow.env),
          ...resolved(job.env),
          ...resolved(step.env),
          ...runner.instead,
        },
      },
    );
    const result = await command.result;
    output += result.output;
    isGreen &&= result.exitCode === 0;
    for (const [, key, value] of readFileSync(files.GITHUB_OUTPUT, "utf8").matchAll(/^(\w+)=(.*)$/gm))
      outputs[`steps.${step.id}.outputs.${key}`] = value!;
  }
  return { isGreen, output, page: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"), outputs };
}

/** Artifacts outlast a job. Other actions install what this machine already has. */
function handOver(
  { uses = "", with: inputs = {} }: Step,
  folder: string,
  textOf: (text: string) => string,
): void {
  const kept = join(folder, ".run", `artifact-${inputs["name"]}`);
  const path = () => resolve(folder, textOf(String(inputs["path"])));
  if (uses.startsWith("actions/upload-artifact@")) copyFileSync(path(), kept);
  if (uses.startsWith("actions/download-artifact@")) copyFileSync(kept, join(path(), `${inputs["name"]}.md`));
}

interface GitLabJob {
  readonly environment?: { readonly name: string };
  readonly variables?: Variables;
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly string[]>>[] };
  readonly script: readonly string[];
}

/** As GitLab does it: one shell for all lines, and only the secrets of the job's environment. */
export async function playGitLabJob(file: string, name: string, runner: Runner): Promise<Played> {
  const pipeline = parse(readFileSync(join(runner.folder, file), "utf8")) as Record<string, unknown>;
  const job = pipeline[name] as GitLabJob;
  const [matrix = {}] = job.parallel?.matrix ?? [];
  const own = Object.fromEntries(Object.entries(matrix).map(([key, [first = ""]]) => [key, first]));
  const variables = { ...(pipeline["variables"] as Variables), ...job.variables, ...own };
  const expanded = Object.fromEntries(
    Object.entries(variables).map(([key, text]) => [
      key,
      text.replace(/^\$(\w+)$/, (_, other: string) => runner.values[other] ?? ""),
    ]),
  );
  const environment = job.environment?.name.replace(/^\$(\w+)$/, (_, key: string) => own[key] ?? "") ?? "";
  const secrets = runner.secrets[environment] ?? {};
  const command = new Command("bash", ["-o", "pipefail", "-ec", job.script.join("\n")], {
    cwd: runner.folder,
    env: { ...runner.machine, ...expanded, ...secrets, ...runner.instead },
  });
  const { exitCode, output } = await command.result;
  return { isGreen: exitCode === 0, output, page: "", outputs: {} };
}

/** The state of GitHub, for the stand-in of its command line. */
export class GitHub {
  readonly variables: Variables;

  constructor(private readonly file: string) {
    this.variables = { GH_STORE: file, GITHUB_REPOSITORY: "acme/chat" };
    writeFileSync(file, JSON.stringify({ pulls: {}, comments: [], checks: [] }));
  }

  get comments(): { readonly body: string }[] {
    return (JSON.parse(readFileSync(this.file, "utf8")) as { comments: { body: string }[] }).comments;
  }

  /** The conclusions of the check, one for each request. */
  set checks(checks: readonly string[]) {
    this.#write({ checks });
  }

  set pulls(pulls: Readonly<Record<string, "open" | "closed">>) {
    this.#write({ pulls });
  }

  #write(more: object): void {
    const store = JSON.parse(readFileSync(this.file, "utf8")) as object;
    writeFileSync(this.file, JSON.stringify({ ...store, ...more }));
  }
}
