/**
 * Claims that all provider processes of one run of the engine see: each provider of a program, and each version of the
 * SDK in a state, has a process of its own. They know of each other by the engine's address alone, so each leaves its claims
 * in a file of a folder of that name, which holds as long as the process lives. Where no file can be written, each process has
 * its own.
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
  #hasWritten = false;

  constructor(
    private readonly runs: string,
    run: string,
    private readonly pid: number,
  ) {
    this.#folder = join(runs, run);
    this.#file = join(this.#folder, String(pid));
    // A process that was killed may have left one under the same number.
    rmSync(this.#file, { force: true });
    if (pid === process.pid) process.once("exit", () => rmSync(this.#file, { force: true }));
  }

  add(claim: Claim): void {
    this.#own.add(claim);
    if (this.#unwritten.push(claim) === 1) setImmediate(() => this.#write());
  }

  *of(id: string): Iterable<Claim> {
    yield* this.#own.of(id);
    for (const name of attempt(() => readdirSync(this.#folder)) ?? []) {
      if (Number(name) !== this.pid && isAlive(Number(name))) yield* this.#read(name).of(id);
    }
  }

  /** All of one turn at once: a thousand comparisons are not a thousand writes. */
  #write(): void {
    const lines = this.#unwritten.map((claim) => `${JSON.stringify(claim)}\n`);
    this.#unwritten = [];
    if (!this.#hasWritten) this.#begin();
    attempt(() => appendFileSync(this.#file, lines.join(""), { mode: 0o600 }));
  }

  /** Not before there is something to write: nobody waits for it then. */
  #begin(): void {
    this.#hasWritten = true;
    attempt(() => mkdirSync(this.#folder, { mode: 0o700 }));
    removeOld(this.runs);
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
