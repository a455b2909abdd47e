/** What the engine hands over as the state of a deployment: read once, and typed from there on. */
import { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { DeploymentError } from "../errors";
import { contentKey, optionsKey, type InternalOptions } from "../internal-inputs";
import { isObject, type Values, formatPath } from "../../schema/tree";
import type { Content } from "./service";
import { stateVersion, type Stored } from "./state";

const text = z.string();
const texts = z.array(text).readonly();
const path = z.array(z.union([text, z.number()])).readonly();
const values = z.record(text, z.unknown());

const context: z.ZodType<InternalOptions> = z.object({
  urn: text.optional(),
  provider: text.optional(),
  providerId: text.optional(),
  timeouts: z.record(text, text).optional(),
  replaceOnChanges: texts.optional(),
  ignoreChanges: texts.optional(),
  secretPaths: texts.optional(),
  hasSiblings: z.boolean().optional(),
  declared: z.number().optional(),
});

const content: z.ZodType<Content> = z.object({
  digest: text,
  count: z.number(),
  files: z.record(text, text).optional(),
});

export const madeWithShape = z.object({
  /** Scheme, host and path prefix. */
  address: text.min(1),
  tenantId: text.nullable(),
  dialect: text.min(1),
  /** Of the API key that made it or changed it last; older versions did not write it. */
  keyDigest: text.optional(),
});

export const rolloutShape = z.object({
  /** The revision that is to become active. */
  revision: text.nullable(),
  /** Revisions from before it. */
  previous: texts,
  /** When it began, as an ISO 8601 time. */
  since: text,
});

export const normalizedShape = z.object({
  path,
  /** Missing, as `shown` is, for secrets, which are not compared, and for what the service has not shown yet. */
  sent: z.unknown().optional(),
  /** Undefined where the service shows nothing. */
  shown: z.unknown().optional(),
  /** Of a secret: the service shows none of its name. */
  isMissing: z.boolean().optional(),
});

export const privateShape = z.object({
  version: z.literal(stateVersion).optional(),
  madeWith: madeWithShape.optional(),
  rollout: rolloutShape.optional(),
  /** Names of the secrets that an imported or adopted deployment has and no program has declared yet. */
  unmanagedSecrets: texts.optional(),
  /** Whether the deployment was imported or adopted: it may have more than any program has declared. */
  takenOver: z.boolean().optional(),
  /** What the service had filled in before the import: a program that states it changes nothing. */
  filledIn: values.optional(),
  normalizations: z.array(normalizedShape).readonly().optional(),
  /** What was chosen on creation, by the program or by the service. */
  immutable: values.optional(),
  /** The path of the archive that this stack uploaded and deployed last. */
  uploaded: text.optional(),
  /** What earlier versions wrote in place of `takenOver` and `normalizations`. */
  undeclared: z.array(path).optional(),
  normalized: z.array(z.object({ path })).optional(),
});

export const storedShape = z
  .object({
    name: text.optional(),
    source: text.optional(),
    generation: z.number().optional(),
    tenantId: text.nullish(),
    status: text.nullish(),
    createdAt: text.nullish(),
    updatedAt: text.nullish(),
    latestRevisionId: text.nullish(),
    activeRevisionId: text.nullish(),
    url: text.nullish(),
    [optionsKey]: context.optional(),
    [contentKey]: content.optional(),
    __private: privateShape.optional(),
  })
  // Without them it would be taken for one that a program only reads.
  .superRefine((state, refused) => {
    if (state.__private?.madeWith === undefined) return;
    for (const name of ["name", "source", "generation"] as const) {
      if (state[name] === undefined)
        refused.addIssue({ code: "custom", path: [name], message: "is missing" });
    }
  });

/** Throws if the state is newer than this version, or damaged. */
export function parseState(state: Values): Stored {
  requireKnownVersion(state);
  const [problem] = problemsOf(storedShape, state);
  if (problem === undefined) return state;
  throw new DeploymentError(
    `the state of this deployment cannot be read: ${formatPath(problem.path)} ${problem.message}. It was edited or damaged: bring an ` +
      "earlier one back (`pulumi stack export --version N`, `pulumi stack import`), or take the deployment out of the state " +
      "(`pulumi state delete`) and in again with `adopt: true`",
  );
}

function requireKnownVersion(state: Values): void {
  const { version } = isObject(state["__private"]) ? state["__private"] : {};
  // What is no version is refused as what it is, and not repeated.
  if (!Number.isInteger(version) || (version as number) <= stateVersion) return;
  throw new DeploymentError(
    `the state of this deployment was written by a newer pulumi-deployment-service (version ${String(version)} of its ` +
      `private state, this package reads ${stateVersion}). Install the newer one in this project: npm install pulumi-deployment-service@latest`,
  );
}
