#!/usr/bin/env node
import { buffer } from "node:stream/consumers";
import { run } from "./run";

// Whoever reads the output may have seen enough: `deployment-service schema | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

void run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: () => buffer(process.stdin),
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns,
  cwd: process.cwd(),
}).then((code) => {
  process.exitCode = code;
});
