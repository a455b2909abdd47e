/** What the engine hands over as the state of a deployment: read once, and typed from there on. */
import { z } from "zod";
import { formatPath, problemsOf } from "../../schema/problems";
import { DeploymentError } from "../errors";
import { optionsKey, type InternalOptions } from "../internal-inputs";
import { isObject, type Values } from "../values";
import {
  stateVersion,
  type MadeWith,
  type Normalized,
  type PrivateState,
  type Rollout,
  type Stored,
} from "./state";

/** A schema for each part of a type: neither changes without the other. */
type ShapeOf<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };

const text = z.string();
const texts = z.array(text);
const path = z.array(z.union([text, z.number()]));
const values = z.record(text, z.unknown());

const context = z.looseObject({
  urn: text.optional(),
  provider: text.optional(),
  providerId: text.optional(),
  timeouts: z.record(text, text).optional(),
  replaceOnChanges: texts.optional(),
  secretPaths: texts.optional(),
  hasSiblings: z.boolean().optional(),
  declared: z.number().optional(),
} satisfies ShapeOf<InternalOptions>);

const madeWith = z.looseObject({
  address: text.min(1),
  tenantId: text.nullable(),
  dialect: text.min(1),
  keyDigest: text.optional(),
} satisfies ShapeOf<MadeWith>);

const rollout = z.looseObject({
  revision: text.nullable(),
  previous: texts,
  since: text,
} satisfies ShapeOf<Rollout>);

const normalized = z.looseObject({
  path,
  sent: text,
  taken: text.nullable(),
} satisfies ShapeOf<Normalized>);

const privateState = z.looseObject({
  version: z.literal(stateVersion).optional(),
  madeWith: madeWith.optional(),
  rollout: rollout.optional(),
  unmanagedSecrets: texts.optional(),
  undeclared: z.array(path).optional(),
  filledIn: values.optional(),
  normalized: z.array(normalized).optional(),
  immutable: values.optional(),
} satisfies ShapeOf<Partial<PrivateState>>);

const stored = z
  .looseObject({
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
    __private: privateState.optional(),
  } satisfies ShapeOf<Stored>)
  // Without them it would be taken for one that a program only reads.
  .superRefine((state, refused) => {
    if (state.__private?.madeWith === undefined) return;
    for (const name of ["name", "source", "generation"] as const) {
      if (state[name] === undefined)
        refused.addIssue({ code: "custom", path: [name], message: "is missing" });
    }
  });

/** Throws where the state is a later version's, which may mean more by it, or is none of ours any more. */
export function parseState(state: Values): Stored {
  requireKnownVersion(state);
  const [problem] = problemsOf(stored, state);
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
