/** What a state remembers beside the arguments and the outputs. */
import { z } from "zod";

const text = z.string();
const texts = z.array(text).readonly();
const path = z.array(z.union([text, z.number()])).readonly();
const values = z.record(text, z.unknown());

const madeWith = z.object({
  /** Scheme, host and path prefix. */
  address: text.min(1),
  tenantId: text.nullable(),
  /** Name of the dialect. */
  dialect: text.min(1),
  /** Digest of the API key of the last write. States of earlier versions have none. */
  keyDigest: text.optional(),
});

const rollout = z.object({
  /** The revision to wait for; null until a response has shown it. */
  revision: text.nullable(),
  /** Earlier revisions, which stale responses still show. */
  previous: texts,
  /** When it began, in ISO 8601. */
  since: text,
  /** The update that made the revision failed or was killed, so `generation` does not count it yet. */
  isUncounted: z.boolean().optional(),
});

const normalization = z.object({
  path,
  /** Missing, like `shown`, for secrets, which are not compared, and for values that no response has shown yet. */
  sent: z.unknown().optional(),
  /** Undefined if the service shows nothing. */
  shown: z.unknown().optional(),
  /** For a secret: the service shows no secret of that name. */
  isMissing: z.boolean().optional(),
});

const privateState = z.object({
  madeWith: madeWith.optional(),
  /** A rollout that was not seen to finish. */
  rollout: rollout.optional(),
  /** The deployment was imported or adopted, so it may have undeclared values. */
  takenOver: z.boolean().optional(),
  /** Names of an imported or adopted deployment's secrets that are not declared yet. */
  unmanagedSecrets: texts.optional(),
  /** Values that the service had filled in before the import: declaring them is not a change. */
  filledIn: values.optional(),
  normalizations: z.array(normalization).readonly(),
  /** Values that were chosen at creation and can never change. */
  immutable: values,
  /** Path of the archive that this stack uploaded and deployed last. */
  uploaded: text.optional(),
});

/** Version of the private state. Increase it if earlier versions of this package would misread what this one writes. */
export const stateVersion = 1;

export const storedPrivateState = privateState.partial().extend({
  version: z.literal(stateVersion).optional(),
  /** Earlier versions wrote these instead of `takenOver` and `normalizations`. */
  undeclared: z.array(path).optional(),
  normalized: z.array(z.object({ path })).optional(),
});

/** Stored under a name that the engine does not display. It is not encrypted, so it must not contain secrets or their digests. */
export type PrivateState = Readonly<z.infer<typeof privateState>>;

/** The connection that a deployment was created with. */
export type MadeWith = Readonly<z.infer<typeof madeWith>>;

export type Rollout = Readonly<z.infer<typeof rollout>>;

/** A value that was sent, and the value that the service shows for it. */
export type Normalization = Readonly<z.infer<typeof normalization>>;

/** Fills in defaults: a state from an import, or written by hand, may have no private state. */
export function privateStateOf(stored: z.infer<typeof storedPrivateState>): PrivateState {
  const {
    version: _,
    undeclared = [],
    normalized = [],
    normalizations = [],
    immutable = {},
    ...rest
  } = stored;
  const hasUndeclared = undeclared.length + (rest.unmanagedSecrets?.length ?? 0) > 0;
  const earlier = normalized.map((each) => ({ path: each.path }));
  return {
    ...rest,
    immutable,
    takenOver: rest.takenOver ?? (hasUndeclared || undefined),
    normalizations: [...normalizations, ...earlier],
  };
}
