/** What a state remembers besides the arguments and the outputs. */
import { z } from "zod";

const text = z.string();
const texts = z.array(text).readonly();

/** Stored in plain text, beside the private state: commands read it from a state without its secrets. */
export const storedMadeWith = z.object({
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

export const storedPrivateState = z.object({
  /** A rollout that was not seen to finish. */
  rollout: rollout.optional(),
  /** What the service last showed, where that differs from what is declared. A state without it was never read: see `bulk-file.ts`. */
  shown: z.record(text, z.unknown()).optional(),
  /** What was sent and no response has shown yet: the next one shows what the service made of it. */
  sent: z.record(text, z.unknown()).optional(),
});

export type PrivateState = Readonly<z.infer<typeof storedPrivateState>> & {
  readonly madeWith?: MadeWith | undefined;
};

/** The connection that a deployment was created with. */
export type MadeWith = Readonly<z.infer<typeof storedMadeWith>>;

export type Rollout = Readonly<z.infer<typeof rollout>>;
