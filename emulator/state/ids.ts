import { createHash, randomUUID } from "node:crypto";

/** Makes ids. With a seed the same calls give the same ids; without, they are random. */
export class Ids {
  #count = 0;

  constructor(private readonly seed?: number) {}

  uuid(): string {
    if (this.seed === undefined) return randomUUID();
    const hex = sha256(`${this.seed}:${this.#next()}`);
    // The version and variant digits make it a valid version 4 UUID.
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
    return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
  }

  /** A commit: another one at each call, since a branch moves on between two builds. */
  commit(): string {
    return sha256(this.uuid()).slice(0, 40);
  }

  /** How many of a series were made. */
  get made(): number {
    return this.#count;
  }

  restart(made = 0): void {
    this.#count = made;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
