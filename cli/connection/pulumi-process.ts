/** Runs the Pulumi CLI. */
import { execFile } from "node:child_process";
import { sanitize } from "../../provider/text/sanitize";
import type { Io } from "../command";

export interface Answer {
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

export const noCli = "there is no `pulumi` on the PATH";

function run(
  file: string,
  words: readonly string[],
  { cwd, env }: Io,
  ms: number,
  input: string,
): Promise<Answer> {
  return new Promise((done) => {
    const own = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env: own, maxBuffer: 64 * 1024 * 1024, timeout: ms };
    const child = execFile(file, [...words, "--non-interactive"], options, (error, stdout, stderr) => {
      const failure = () => {
        if (error?.code === "ENOENT") return noCli;
        if (ms > 0 && error?.killed) return `\`${file}\` did not end within ${ms / 1_000}s`;
        return reasonIn(stderr);
      };
      done({ stdout, failure: error === null ? undefined : failure() });
    });
    // A CLI that ends early, or does not exist, reads nothing.
    child.stdin?.on("error", () => {}).end(input);
  });
}

function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const reason = lines.find((line) => line.startsWith("error: ")) ?? lines.at(-1) ?? "unknown reason";
  return sanitize(reason.replace(/^error: /, ""));
}
