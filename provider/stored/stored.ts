/** Parses and writes the plain values that the engine stores. */
import { z } from "zod";
import { Deployment } from "../../schema/deployment";
import { deployment as fields } from "../../schema/fields";
import { outputNames } from "../../schema/outputs";
import { asObject, formatPath, unknownValue, type Values, withoutAbsent } from "../../schema/tree";
import { problemsOf } from "../../schema/problems";
import { DeploymentError } from "../errors";
import { unfinishedRolloutKey } from "./internal-inputs";
import { parseJson } from "../text/json";
import { type SourceContent, contentKey } from "../deployment/service";
import { storedMadeWith, storedPrivateState } from "../deployment/private-state";
import type { CheckedArguments, Declared, Outputs, Planned, State } from "../deployment/state";

const text = z.string();

const content: z.ZodType<SourceContent> = z.object({
  digest: text,
  count: z.number(),
  pinsServer: z.literal(true).optional(),
  files: z.record(text, text).optional(),
});

/** Version of the private state. Increase it if earlier versions of this package would misread what this one writes. */
const stateVersion = 1;

/** Stored as a secret text, which the engine does not display and whose mark it never loses, as it does that of an object. */
const versioned = storedPrivateState.extend({ version: z.literal(stateVersion).optional() });

const outputShapes = Object.fromEntries(
  outputNames.filter((name) => name !== "generation").map((name) => [name, text.nullish()]),
);

const shape = z.object({
  ...outputShapes,
  name: text.optional(),
  source: text.optional(),
  generation: z.number().optional(),
  [contentKey]: content.optional(),
  __madeWith: storedMadeWith.optional(),
  __private: text.transform(parseJson).pipe(versioned).optional(),
});

/** @throws if a newer version wrote the state, or it is damaged */
export function parseState(stored: Values): State {
  const parsed = shape.safeParse(stored);
  if (!parsed.success) {
    const problem = problemsOf(shape, stored)[0]!;
    throw new DeploymentError(
      `the state of this deployment cannot be read: ${formatPath(problem.path)} ${problem.message}. If a newer ` +
        "pulumi-deployment-service wrote it, install that one. If it was edited or damaged, restore an earlier version " +
        "(`pulumi stack export --version N`, `pulumi stack import`), or remove the deployment from the state (`pulumi state " +
        "delete`) and adopt it again with `adopt: true`",
    );
  }
  const { generation, __madeWith: madeWith, __private = {} } = parsed.data;
  const { version: _, ...remembered } = __private;
  const observed = pick(stored, Object.keys(outputShapes)) as Outputs;
  return {
    arguments: pickArguments(stored),
    generation,
    observed,
    private: { ...remembered, ...(madeWith && { madeWith }) },
  };
}

/** What the service last showed, of a state that may be damaged. */
export function shownIn(stored: Values): unknown {
  return asObject(parseJson(String(stored["__private"])))["shown"];
}

/** The outputs that the engine stores. */
export function writeState({ arguments: args, generation, observed, private: remembered }: State): Values {
  const { madeWith: __madeWith, ...secret } = remembered;
  const __private = JSON.stringify({ version: stateVersion, ...secret });
  return withoutAbsent({ ...args, generation, ...observed, __madeWith, __private });
}

/** The inputs that the engine compares the program with next time. */
export function writeInputs(declared: Planned | State): Values {
  const { arguments: args, generation } = declared;
  const hasUnfinished = "private" in declared && declared.private.rollout?.isUncounted === true;
  return withoutAbsent({ ...args, generation, ...(hasUnfinished && { [unfinishedRolloutKey]: null }) });
}

/** Parses what a program declares. A check has already accepted it, so errors here are unexpected. */
export function parseDeclared(inputs: Values): Declared {
  const { [contentKey]: found, ...args } = pickArguments(inputs);
  const checked = Deployment.parse(args);
  const declared: CheckedArguments =
    found === undefined ? checked : { ...checked, [contentKey]: content.parse(found) };
  return { arguments: declared, generation: z.number().parse(inputs["generation"]) };
}

/** Parses what a program declares in a preview. */
export function parsePlanned(inputs: Values): Planned {
  const { generation } = inputs;
  const isCounted = typeof generation === "number" || generation === unknownValue;
  return {
    arguments: pickArguments(inputs),
    generation: isCounted ? generation : undefined,
    ...(inputs[unfinishedRolloutKey] === null && { hasUnfinishedRollout: true }),
  };
}

/** The content of a declared folder is stored with the arguments. */
const storedArguments = [...Object.keys(fields), contentKey];

export function pickArguments(stored: Values): Values {
  return pick(stored, storedArguments);
}

export function pick(stored: Values, names: readonly string[]): Values {
  return Object.fromEntries(
    names.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
  );
}
