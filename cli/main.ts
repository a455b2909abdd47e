#!/usr/bin/env node
/** The entry point of the command line: the process's own streams, signals and exit code. */
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import { exitCodes, program } from "./command";
import { systemReason } from "./usage-error";
import { newController } from "../provider/time/limits";
import { run } from "./run-command";

const ended = newController();
let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  ended.abort();
  // The reader may close the pipe early: `npx pulumi-deployment-service schema | head`.
  if (error.code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = exitCodes.usage;
  process.stderr.write(`${program}: cannot write standard output: ${systemReason(error)}\n`);
});
// Nothing is left to report to.
process.stderr.on("error", () => {});

/** Asks on standard error, so that standard output can be redirected. */
function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve) => {
    const leave = () => resolve("");
    terminal.once("close", leave);
    terminal.question(question).then(resolve, leave);
  }).finally(() => terminal.close());
}

void run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: () => buffer(process.stdin),
  env: process.env,
  columns: process.stdout.columns,
  cwd: process.cwd(),
  now: () => new Date(),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  cancellation: () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());
    return ended.signal;
  },
}).then((code) => {
  process.exitCode ??= code;
});
