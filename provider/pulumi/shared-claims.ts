/**
 * Claims that all provider processes of one run of the engine see: each provider of a program, and each version of the
 * SDK in a state, has a process of its own. They know of each other by the engine's address alone, so each leaves its claims
 * in a file of a folder of that name, which holds as long as the process lives.
 */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { OwnClaims, type Claim, type Claims } from "../deployment/claims";
import { DeploymentError, messageOf } from "../errors";
import { engineAddress } from "./engine-log";

/** Where the folder cannot be had, this process claims for itself, and nobody is told that nothing is claimed. */
export function sharedClaims(address = engineAddress(process.argv), pid = process.pid): Claims {
  if (address === undefined) return new OwnClaims();
  const { folder, problem } = privateFolder();
  if (problem !== undefined) return new UnsharedClaims(folder, problem);
  const claims = new SharedClaims(folder, runAt(address), pid);
  if (pid === process.pid) process.once("exit", () => claims.end());
  return claims;
}

/** The claims of a program: they hold as long as the process of that number lives, and are never read here. */
export function claimsOfProgram(address: string, host: number): Pick<Claims, "add"> {
  const { folder, problem } = privateFolder();
  return problem === undefined ? new SharedClaims(folder, runAt(address), host) : new OwnClaims();
}

function runAt(address: string): string {
  return address.replace(/\W+/g, "-");
}

/** In milliseconds. */
const hour = 60 * 60_000;
/** A folder that long untouched is of a run that is over. */
const longestRun = 24 * hour;

class SharedClaims implements Claims {
  readonly #own = new OwnClaims();
  readonly #folder: string;
  readonly #file: string;
  readonly #ofOthers = new Map<string, { readonly size: number; readonly claims: Claims }>();
  #unwritten: Claim[] = [];
  #isWriting = false;

  constructor(
    private readonly runs: string,
    run: string,
    private readonly pid: number,
  ) {
    this.#folder = join(runs, run);
    this.#file = join(this.#folder, String(pid));
    // A process that was killed may have left one under the same number.
    this.end();
  }

  add(claim: Claim): void {
    this.#own.add(claim);
    this.#unwritten.push(claim);
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => this.#write());
  }

  /** Nothing is claimed any more. */
  end(): void {
    attempt(() => rmSync(this.#file, { force: true }));
  }

  *of(id: string): Iterable<Claim> {
    yield* this.#own.of(id);
    for (const name of attempt(() => readdirSync(this.#folder)) ?? []) {
      if (Number(name) !== this.pid && isAlive(Number(name))) yield* this.#read(name).of(id);
    }
  }

  /** All of one turn at once: a thousand comparisons are not a thousand writes. What cannot be written is with the next. */
  #write(): void {
    this.#isWriting = false;
    const lines = this.#unwritten.map((claim) => `${JSON.stringify(claim)}\n`).join("");
    if (this.#append(lines) || (this.#begin() && this.#append(lines))) this.#unwritten = [];
  }

  #append(lines: string): boolean {
    return attempt(() => (appendFileSync(this.#file, lines, { mode: 0o600 }), true)) === true;
  }

  /** Not before there is something to write: nobody waits for it then. */
  #begin(): boolean {
    removeOld(this.runs);
    return attempt(() => (mkdirSync(this.#folder, { mode: 0o700, recursive: true }), true)) === true;
  }

  /** Another process's, as far as it has written them; they only become more. */
  #read(name: string): Claims {
    const text = attempt(() => readFileSync(join(this.#folder, name), "utf8")) ?? "";
    const known = this.#ofOthers.get(name);
    if (known?.size === text.length) return known.claims;
    const claims = new OwnClaims();
    for (const line of text.split("\n")) attempt(() => claims.add(JSON.parse(line) as Claim));
    this.#ofOthers.set(name, { size: text.length, claims });
    return claims;
  }
}

/** Another process of the run may have claimed what this one is about to delete or to take over: nobody can tell. */
class UnsharedClaims implements Claims {
  readonly #own = new OwnClaims();

  constructor(
    private readonly folder: string,
    private readonly problem: string,
  ) {}

  add(claim: Claim): void {
    this.#own.add(claim);
  }

  of(): never {
    throw new DeploymentError(
      `nothing is deleted or taken over: what this run keeps is written down in ${this.folder}, which cannot be used ` +
        `(${this.problem}). Remove what is there, or set TMPDIR to a folder that only this user can write to`,
    );
  }
}

/** Looks for them once an hour: a machine that tests programs leaves thousands a day, and each run would look at all of them. */
function removeOld(runs: string): void {
  const looked = join(runs, "looked");
  if (ageOf(looked) < hour) return;
  attempt(() => writeFileSync(looked, ""));
  for (const name of attempt(() => readdirSync(runs)) ?? []) {
    const path = join(runs, name);
    if (ageOf(path) > longestRun) attempt(() => rmSync(path, { recursive: true, force: true }));
  }
}

/** Milliseconds since it changed: for ever where there is none. */
function ageOf(path: string): number {
  return attempt(() => Date.now() - statSync(path).mtimeMs) ?? Infinity;
}

/** A folder that nobody else can write to, and what is wrong with it. */
function privateFolder(): { readonly folder: string; readonly problem?: string } {
  const uid = process.getuid?.();
  // A user without an entry in the system's list has a number all the same; Windows has names alone.
  const folder = join(tmpdir(), `pulumi-deployment-service-${uid ?? userInfo().username}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOurs = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOurs ? { folder } : { folder, problem: "others can write to it" };
  } catch (error) {
    return { folder, problem: messageOf(error) };
  }
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
