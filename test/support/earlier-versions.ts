/** Stacks written by earlier versions of this package. `test/tools/upgrades` records them. */
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EmulatorOptions } from "../../emulator";

export const adapters = ["dynamic", "packaged"] as const;
export type Adapter = (typeof adapters)[number];

export interface EarlierStack {
  /** The version, or the commit before the first release. */
  readonly version: string;
  readonly adapter: Adapter;
}

/** The files of a recorded stack. */
export const recorded = ["Pulumi.yaml", "index.js", "state.json", "service.json"] as const;
export type RecordedFiles = Readonly<Record<(typeof recorded)[number], string>>;

/** How the service behaves, both while a stack is recorded and when it is tested. */
export const serviceSettings = {
  normalizations: ["rounds", "spells", "injects"],
  secrets: "tail",
  rollout: { byName: { late: "never" }, otherwise: { polls: 1 } },
} satisfies EmulatorOptions;

const folder = resolve(__dirname, "../e2e/fixtures/upgrades");
const folderOf = ({ version, adapter }: EarlierStack) => join(folder, version, adapter);

export function earlierStacks(): EarlierStack[] {
  // Nothing was released yet.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((version) =>
      readdirSync(join(folder, version))
        .sort()
        .map((adapter) => ({ version, adapter: adapter as Adapter })),
    );
}

export function readRecorded(stack: EarlierStack): RecordedFiles {
  const files = recorded.map((name) => [name, readFileSync(join(folderOf(stack), name), "utf8")]);
  return Object.fromEntries(files) as RecordedFiles;
}

export function writeRecorded(stack: EarlierStack, files: RecordedFiles): void {
  mkdirSync(folderOf(stack), { recursive: true });
  for (const name of recorded) writeFileSync(join(folderOf(stack), name), files[name]);
}

/** A state holds the address of the service, and a digest of the API key that is salted with the address. */
const placeholders = { address: "<address>", keyDigest: "<key digest>" };

interface Place {
  readonly url: string;
  readonly apiKey: string;
}

const keyDigestAt = ({ url, apiKey }: Place) =>
  createHmac("sha256", apiKey).update(url).digest("hex").slice(0, 12);

/** Puts the address into a recorded state, as if the service had always been there. */
export function movedTo(place: Place, state: string): string {
  return state
    .replaceAll(placeholders.address, place.url)
    .replaceAll(placeholders.keyDigest, keyDigestAt(place));
}

/** Takes the address out of a state, because the emulator listens on another port each time. */
export function withoutPlace(place: Place, state: string): string {
  const text = state
    .replaceAll(place.url, placeholders.address)
    .replaceAll(keyDigestAt(place), placeholders.keyDigest);
  const left = /keyDigest\W+[0-9a-f]{6,}/.exec(text);
  if (left !== null) throw new Error(`The state digests the API key in a new way: ${left[0]}`);
  return text;
}
