/**
 * Shares claims between the provider processes of one run of the engine: each provider of a program, and each SDK version in a
 * state, has its own process. All they have in common is the engine's address, so each process writes its claims to a file named
 * after it. Best effort: without a usable temporary folder, each process knows only its own claims.
 */
import { appendFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Claim, OtherClaims } from "../deployment/claims";
import { engineAddress } from "./log";

/** Undefined without an engine or a usable folder. */
export function sharedClaims(
  address = engineAddress(process.argv),
  pid = process.pid,
): OtherClaims | undefined {
  const folder = address === undefined ? undefined : attempt(privateFolder);
  if (folder === undefined) return undefined;
  const run = `${address!.replace(/\W+/g, "-")}.`;
  const own = join(folder, `${run}${pid}`);
  // A killed process with the same pid may have left one.
  deleteFile(own);
  // Stale files of killed processes are removed even by runs that delete nothing.
  livingIn(folder);
  if (pid === process.pid) {
    process.once("exit", () => deleteFile(own));
    // The engine stops its providers with a signal, which by default does not emit `exit`.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit());
  }
  return {
    add: (claim) => void attempt(() => appendFileSync(own, `${JSON.stringify(claim)}\n`, { mode: 0o600 })),
    all: () =>
      livingIn(folder)
        .filter((name) => name.startsWith(run) && pidOf(name) !== pid)
        .flatMap((name) => claimsIn(join(folder, name))),
  };
}

function claimsIn(file: string): Claim[] {
  const lines = (attempt(() => readFileSync(file, "utf8")) ?? "").split("\n");
  return lines.flatMap((line) => attempt(() => JSON.parse(line) as Claim) ?? []);
}

/** Names of the files of living processes. Removes those of dead ones, whichever run they belonged to. */
function livingIn(folder: string): string[] {
  const names = (attempt(() => readdirSync(folder)) ?? []).filter((name) => pidOf(name) !== undefined);
  const isAlive = (name: string) => attempt(() => process.kill(pidOf(name)!, 0)) === true;
  for (const name of names) if (!isAlive(name)) deleteFile(join(folder, name));
  return names.filter(isAlive);
}

/** Throws if other users can write to the folder: a forged claim could prevent the deletion of a deployment. */
function privateFolder(): string {
  const uid = process.getuid?.();
  // A user without a passwd entry still has a uid. Windows has user names only.
  const folder = join(tmpdir(), `pulumi-deployment-service-${uid ?? userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isOurs = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
  if (!found.isDirectory() || !isOurs) throw new Error("others can write to it");
  return folder;
}

function pidOf(file: string): number | undefined {
  const pid = /\.(\d+)$/.exec(file)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function deleteFile(file: string): void {
  attempt(() => rmSync(file, { force: true }));
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
