#!/usr/bin/env node
import { buffer } from "node:stream/consumers";
import { exitCodes } from "./command";
import { reasons } from "./files";
import { program } from "./help";
import { run } from "./run";

let isOutputLost = false;
process.stdout.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough: `deployment-service schema | head`.
  if (code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = exitCodes.usage;
  process.stderr.write(
    `${program}: cannot write standard output (${code}): ${reasons[code] ?? "it failed"}\n`,
  );
});
// There is nobody left to tell.
process.stderr.on("error", () => {});

void run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: () => buffer(process.stdin),
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns,
  cwd: process.cwd(),
  ended: () => new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve)),
}).then((code) => {
  process.exitCode ??= code;
});
