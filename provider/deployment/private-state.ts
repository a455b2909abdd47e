/** What a state remembers besides the arguments and the outputs. */
import { z } from "zod";

const text = z.string();
const texts = z.array(text).readonly();

const madeWith = z.object({
  /** Scheme, host and path prefix. */
  address: text.min(1),
  dialect: text.min(1),
  /** Digest of the API key of the last write. */
  keyDigest: text.optional(),
});

const rollout = z.object({
  /** The revision to wait for; null until a response has shown it. */
  revision: text.nullable(),
  /** Earlier revisions, which stale responses still show. */
  previous: texts,
  /** The update that made the revision failed or was killed, so `generation` does not count it yet. */
  isUncounted: z.boolean().optional(),
});

const privateState = z.object({
  madeWith: madeWith.optional(),
  /** A rollout that was not seen to finish. */
  rollout: rollout.optional(),
  /** What the service showed after the last write or read of each argument, where that differs from what is declared. */
  seen: z.record(text, z.unknown()).optional(),
  /** The deployment was imported or adopted, so it may have undeclared values. */
  takenOver: z.boolean().optional(),
  /** It was imported, and no update has been made since: its arguments are what was found, and not what a program declares. */
  asFound: z.boolean().optional(),
});

/** Version of the private state. Increase it if earlier versions of this package would misread what this one writes. */
export const stateVersion = 1;

export const storedPrivateState = privateState.extend({ version: z.literal(stateVersion).optional() });

/** Stored under a name that the engine does not display. It is not encrypted, so it must not contain secrets or their digests. */
export type PrivateState = Readonly<z.infer<typeof privateState>>;

/** The connection that a deployment was created with. */
export type MadeWith = Readonly<z.infer<typeof madeWith>>;

export type Rollout = Readonly<z.infer<typeof rollout>>;
