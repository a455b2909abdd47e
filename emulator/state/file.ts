import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isObject } from "../json";
import type { Snapshot } from "./snapshot";

/** A state file that cannot be used: the message names it. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

/** Keeps a snapshot in a file, which is replaced in one step: it holds the old state or the new one, never a part. */
export class StateFile {
  #written = "";

  constructor(private readonly path: string) {}

  /** Undefined where there is no file yet. */
  read(dialect: string): Snapshot | undefined {
    const text = this.#text();
    if (text === undefined) return undefined;
    const snapshot = parse(text);
    if (snapshot === undefined)
      throw new StateFileError(
        `${this.path} is not a state file of the emulator: name another one, or remove it`,
      );
    if (snapshot.dialect !== dialect)
      throw new StateFileError(
        `${this.path} is the state of a service of the dialect ${snapshot.dialect}, not ${dialect}: name another file, or that dialect`,
      );
    this.#written = text;
    return snapshot;
  }

  /** Writes nothing where nothing has changed. */
  write(snapshot: Snapshot): void {
    const text = `${JSON.stringify(snapshot, undefined, 2)}\n`;
    if (text === this.#written) return;
    const draft = `${this.path}.${process.pid}.tmp`;
    try {
      // Secrets are in it, also when they are pretended ones.
      const file = openSync(draft, "w", 0o600);
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new StateFileError(`cannot write the state file ${this.path} (${codeOf(error)})`);
    }
    this.#written = text;
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw new StateFileError(`cannot read the state file ${this.path} (${codeOf(error)})`);
    }
  }
}

function parse(text: string): Snapshot | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value["emulator"] === 1 ? (value as unknown as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
