/**
 * Shares claims between the provider processes of one run of the engine: each provider of a program, and each SDK version in a
 * state, has its own process. All they have in common is the engine's address, so each process writes its claims to a file named
 * after it. Best effort: without a usable temporary folder, each process knows only its own claims.
 */
import { appendFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { ClaimMap, type Claim, type OtherClaims } from "../deployment/claims";
import { engineAddress } from "./log";

/** Undefined without an engine or a usable folder. */
export function sharedClaims(
  address = engineAddress(process.argv),
  pid = process.pid,
): OtherClaims | undefined {
  const folder = address === undefined ? undefined : attempt(privateFolder);
  return folder === undefined ? undefined : new SharedClaims(folder, address!.replace(/\W+/g, "-"), pid);
}

class SharedClaims implements OtherClaims {
  readonly #file: string;

  constructor(
    private readonly folder: string,
    private readonly run: string,
    private readonly pid: number,
  ) {
    this.#file = join(folder, `${run}.${pid}`);
    // A killed process with the same pid may have left one.
    deleteFile(this.#file);
    // Stale files of killed processes are removed even by runs that delete nothing.
    this.#living();
    if (pid !== process.pid) return;
    process.once("exit", () => deleteFile(this.#file));
    // The engine stops its providers with a signal, which by default does not emit `exit`.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit());
  }

  add(claim: Claim): void {
    attempt(() => appendFileSync(this.#file, `${JSON.stringify(claim)}\n`, { mode: 0o600 }));
  }

  *all(): Iterable<Claim> {
    for (const file of this.#living()) {
      const claims = new ClaimMap();
      for (const line of (attempt(() => readFileSync(file, "utf8")) ?? "").split("\n"))
        attempt(() => claims.add(JSON.parse(line) as Claim));
      yield* claims.values();
    }
  }

  /** Files of the run's other processes. Removes files of dead processes, whichever run they belonged to. */
  #living(): string[] {
    const names = (attempt(() => readdirSync(this.folder)) ?? []).filter((name) => pidOf(name) !== undefined);
    const isAlive = (name: string) => attempt(() => process.kill(pidOf(name)!, 0)) === true;
    for (const name of names) if (!isAlive(name)) deleteFile(join(this.folder, name));
    return names
      .filter((name) => name.startsWith(`${this.run}.`) && pidOf(name) !== this.pid && isAlive(name))
      .map((name) => join(this.folder, name));
  }
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
