/** Reads the configuration of a stack through the Pulumi CLI. */
import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import { projectFolderOf } from "../../provider/files/project-folder";
import { settingsTable } from "../../provider/settings/table";
import { parseJson } from "../../provider/text/json";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError, type Flag, type Io } from "../command";

export interface StackConfiguration {
  readonly stack: string;
  /** The decrypted value of a key with its namespace: `deployment-service:apiKey`. */
  readonly get: (key: string) => unknown;
}

/** Every command that connects to the service has this flag. */
export const stackFlag: Flag = {
  name: "stack",
  value: "NAME",
  doc: "Connect with this stack's configuration; lists show all that the service has (default: the selected stack)",
};

/** The two settings that every connection needs. */
const requiredVariables = `${settingsTable.baseUrl.env} and ${settingsTable.apiKey.env}`;

/** Throws a `UsageError` if the stack, the project or the Pulumi CLI is missing. */
export async function configurationOf(stack: string, io: Io, ms?: number): Promise<StackConfiguration> {
  if (projectFolderOf(io.cwd) === undefined) {
    throw new UsageError(
      `--stack ${sanitize(stack)} needs a project, but there is no Pulumi.yaml in ${sanitize(io.cwd)} or above it: run the ` +
        `command in the project's folder, or set ${requiredVariables}`,
    );
  }
  return configurationIn(await pulumi(configWords(stack), io, ms), stack);
}

/** The selected stack's configuration; undefined without a project, a Pulumi CLI or a selected stack. */
export async function selectedConfiguration(io: Io, ms?: number): Promise<StackConfiguration | undefined> {
  if (projectFolderOf(io.cwd) === undefined) return undefined;
  const words = ["stack", "--show-name"];
  const [name, answer] = await Promise.all([pulumi(words, io, ms), pulumi(configWords(), io, ms)]);
  return name.failure === undefined ? configurationIn(answer, name.stdout.trim()) : undefined;
}

function configWords(stack?: string): string[] {
  return ["config", "--json", "--show-secrets", ...(stack === undefined ? [] : ["--stack", stack])];
}

interface Answer {
  readonly stdout: string;
  /** In the CLI's own words. */
  readonly failure: string | undefined;
}

/**
 * Runs the Pulumi CLI from the PATH, or else the one of the npm package `pulumi` if `npx` has it already.
 *
 * @param ms how long it may take; without it, there is no limit
 * @param input on its standard input
 */
export async function pulumi(words: readonly string[], io: Io, ms = 0, input = ""): Promise<Answer> {
  const answer = await run("pulumi", words, io, ms, input);
  if (answer.failure !== noCli) return answer;
  const other = await run("npx", ["--no", "--", "pulumi", ...words], io, ms, input);
  return other.failure?.startsWith("npm ") ? answer : other;
}

const noCli = "there is no `pulumi` on the PATH";

function run(
  file: string,
  words: readonly string[],
  { cwd, env }: Io,
  ms: number,
  input: string,
): Promise<Answer> {
  return new Promise((done) => {
    const PATH = [env["PATH"], ...packageBins(cwd)].filter(Boolean).join(delimiter);
    const own = { ...env, PATH, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env: own, maxBuffer: 64 * 1024 * 1024, timeout: ms };
    const child = execFile(file, [...words, "--non-interactive"], options, (error, stdout, stderr) => {
      const failure = () => {
        if (error?.code === "ENOENT") return noCli;
        if (ms > 0 && error?.killed) return `\`pulumi ${words[0]}\` did not end within ${ms / 1_000}s`;
        return reasonIn(stderr);
      };
      done({ stdout, failure: error === null ? undefined : failure() });
    });
    // A CLI that ends early, or does not exist, reads nothing.
    child.stdin?.on("error", () => {}).end(input);
  });
}

/** Where the programs of a project's own packages are: found here, the CLI starts a second faster than through `npx`. */
function packageBins(folder: string): string[] {
  const above = dirname(folder);
  return [join(folder, "node_modules", ".bin"), ...(above === folder ? [] : packageBins(above))];
}

function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const reason = lines.find((line) => line.startsWith("error: ")) ?? lines.at(-1) ?? "unknown reason";
  return sanitize(reason.replace(/^error: /, ""));
}

const Configuration = z.record(
  z.string(),
  z.looseObject({ value: z.string().optional(), objectValue: z.unknown().optional() }),
);

function configurationIn({ stdout, failure }: Answer, stack: string): StackConfiguration {
  const shown = sanitize(stack);
  const refuse = (reason: string) => {
    const [next, without] =
      failure === noCli
        ? ["Install the Pulumi CLI", "it"]
        : ["`pulumi stack ls` lists the project's stacks", "one"];
    return new UsageError(
      `cannot read the configuration of stack ${shown}: ${reason}. ${next}; without ${without}, set ${requiredVariables}`,
    );
  };
  if (failure !== undefined) throw refuse(failure);
  const parsed = Configuration.safeParse(parseJson(stdout));
  // The output contains secrets, so none of it is shown.
  if (!parsed.success) throw refuse("`pulumi config --json` did not print a configuration");
  const values = new Map(Object.entries(parsed.data));
  return {
    stack: shown,
    get: (key) => {
      const found = values.get(key);
      return found?.objectValue ?? found?.value;
    },
  };
}
