import { spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { clearInterval, setInterval } from "node:timers";

const tickSeconds = 10;

/** "40 s", "5 min 20 s" since `start` (of Date.now). */
export function elapsed(start) {
  const seconds = Math.round((Date.now() - start) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a command that may take minutes: its output goes to the file `log`, `onTick` is called every
 * ten seconds, and a failure shows the ends of it and names the file.
 */
export async function runLogged(command, args, { cwd, env, log, onTick }) {
  const output = createWriteStream(log, { flags: "a" });
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const ticking = setInterval(onTick, tickSeconds * 1000);
  const outcome = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : `exit ${code ?? signal}`));
  });
  clearInterval(ticking);
  output.end();
  await finished(output);
  if (outcome === undefined) return;
  const lines = excerpt(readFileSync(log, "utf8").trimEnd().split("\n"));
  throw new Error(
    [`${command} ${args[0]} failed (${outcome}):`, ...lines, `The whole output: ${log}`].join("\n"),
  );
}

/** Go says what is wrong at the end, npm at the beginning. */
function excerpt(lines) {
  const first = 12;
  const last = 25;
  return lines.length <= first + last ? lines : [...lines.slice(0, first), "…", ...lines.slice(-last)];
}
