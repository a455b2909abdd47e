/**
 * Claims that all provider processes of one run of the engine see: each provider of a program, and each version of the
 * SDK in a state, has a process of its own. They know of each other by the engine's address alone, so each leaves its claims
 * in a file of that name, which holds as long as the process lives. Where no file can be written, each process has its own.
 */
import { appendFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { OwnClaims, type Claim, type Claims } from "../deployment/claims";
import { engineAddress } from "./engine-log";

export function sharedClaims(address = engineAddress(process.argv), pid = process.pid): Claims {
  const folder = address === undefined ? undefined : privateFolder();
  if (address === undefined || folder === undefined) return new OwnClaims();
  return new SharedClaims(folder, runAt(address), pid);
}

/** The claims of a program, which ends before the run does: they hold as long as the language host that started it. */
export function claimsOfProgram(address: string, host = process.ppid): Claims {
  const folder = privateFolder();
  return folder === undefined ? new OwnClaims() : new SharedClaims(folder, runAt(address), host);
}

function runAt(address: string): string {
  return address.replace(/\W+/g, "-");
}

/** In milliseconds. A file that long untouched is of a run that was killed. */
const longestRun = 24 * 60 * 60_000;

class SharedClaims implements Claims {
  readonly #own = new OwnClaims();
  readonly #file: string;
  #unwritten: Claim[] = [];

  constructor(
    private readonly folder: string,
    private readonly run: string,
    private readonly pid: number,
  ) {
    this.#file = join(folder, `${run}.${pid}`);
    // A process that was killed may have left one under the same number.
    rmSync(this.#file, { force: true });
    if (pid === process.pid) process.once("exit", () => rmSync(this.#file, { force: true }));
    this.#sweep();
  }

  add(claim: Claim): void {
    this.#own.add(claim);
    if (this.#unwritten.push(claim) === 1) setImmediate(() => this.#write());
  }

  *of(id: string): Iterable<Claim> {
    yield* this.#own.of(id);
    for (const claim of this.#ofOthers()) if (claim.id === id) yield claim;
  }

  /** All of one turn at once: a thousand comparisons are not a thousand writes. */
  #write(): void {
    const lines = this.#unwritten.map((claim) => `${JSON.stringify(claim)}\n`);
    this.#unwritten = [];
    attempt(() => appendFileSync(this.#file, lines.join(""), { mode: 0o600 }));
  }

  #sweep(): void {
    for (const name of attempt(() => readdirSync(this.folder)) ?? []) {
      const path = join(this.folder, name);
      attempt(() => Date.now() - statSync(path).mtimeMs > longestRun && rmSync(path, { force: true }));
    }
  }

  #ofOthers(): Claim[] {
    const others = (attempt(() => readdirSync(this.folder)) ?? []).filter((name) => {
      const [run, pid] = [
        name.slice(0, name.lastIndexOf(".")),
        Number(name.slice(name.lastIndexOf(".") + 1)),
      ];
      return run === this.run && pid !== this.pid && isAlive(pid);
    });
    return others.flatMap((name) => {
      const lines = attempt(() => readFileSync(join(this.folder, name), "utf8"))?.split("\n") ?? [];
      return lines.flatMap((line) => attempt(() => JSON.parse(line) as Claim) ?? []);
    });
  }
}

/** A folder that nobody else can write to; undefined where there is none to be had. */
function privateFolder(): string | undefined {
  return attempt(() => {
    const { uid, username } = userInfo();
    const folder = join(tmpdir(), `pulumi-deployment-service-${uid >= 0 ? uid : username}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isPrivate = found.isDirectory() && (uid < 0 || (found.uid === uid && (found.mode & 0o022) === 0));
    return isPrivate ? folder : undefined;
  });
}

function isAlive(pid: number): boolean {
  return attempt(() => process.kill(pid, 0)) === true;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
