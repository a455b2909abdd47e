import { createHash, randomUUID } from "node:crypto";

/** Generates ids: the same ones for the same seed, or random ones without a seed. */
export class Ids {
  /** How many ids of the seed's series were generated. */
  made = 0;

  constructor(private readonly seed?: number) {}

  uuid(): string {
    if (this.seed === undefined) return randomUUID();
    this.made += 1;
    return uuidOf(`${this.seed}:${this.made}`);
  }

  /** A new commit on every call, because a branch moves on between two builds. */
  commit(): string {
    return sha256(this.uuid()).slice(0, 40);
  }
}

/** The same id for the same text. */
export function uuidOf(text: string): string {
  const hex = sha256(text);
  // The version and variant digits make it a valid version 4 UUID.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
