/** What the engine hands over as the state of a deployment: read once, and typed from there on. */
import { z } from "zod";
import { formatPath, problemsOf } from "../../schema/problems";
import { DeploymentError } from "../errors";
import { optionsKey } from "../internal-inputs";
import { isObject, type Values } from "../values";
import { stateVersion, type Stored } from "./state";

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
});

const stored = z.looseObject({
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
  __private: z
    .looseObject({
      version: z.number().optional(),
      madeWith: z
        .looseObject({
          address: text,
          tenantId: text.nullable(),
          dialect: text,
          keyDigest: text.optional(),
        })
        .optional(),
      rollout: z.looseObject({ revision: text.nullable(), previous: texts, since: text }).optional(),
      unmanagedSecrets: texts.optional(),
      undeclared: z.array(path).optional(),
      filledIn: values.optional(),
      normalized: z.array(z.looseObject({ path, sent: text, taken: text.nullable() })).optional(),
      immutable: values.optional(),
    })
    .optional(),
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
  // What is no number is refused as what it is, and not repeated.
  if (typeof version !== "number" || version === stateVersion) return;
  throw new DeploymentError(
    `the state of this deployment was written by a newer pulumi-deployment-service (version ${version} of its ` +
      `private state, this package reads ${stateVersion}). Install the newer one in this project: npm install pulumi-deployment-service@latest`,
  );
}
