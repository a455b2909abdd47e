/** What a preview knows of a resource before anything was sent. */
import type { Diff } from "../deployment/diff";
import { generationAfter, planFor } from "../deployment/diff";
import { argumentsIn, privateStateOf } from "../deployment/state";
import type { Dialect } from "../dialects";
import { optionsKey } from "../internal-inputs";
import { outputNames } from "../../schema/outputs";
import { unknownValue, type Values } from "../values";

const unknownOutputs: Values = Object.fromEntries(outputNames.map((name) => [name, unknownValue]));

export function previewOfCreation(declared: Values): Values {
  return { ...unknownOutputs, ...declared };
}

export function previewOfUpdate(state: Values, declared: Values, dialect: Dialect): Values {
  const plan = planFor(state, declared, dialect);
  const isCounted = declared["generation"] !== unknownValue;
  return {
    ...unknownOutputs,
    ...certainOutputs(plan, state, declared),
    ...argumentsIn(declared),
    generation: isCounted ? generationAfter(plan, state, declared) : unknownValue,
    [optionsKey]: declared[optionsKey],
  };
}

function certainOutputs(plan: Diff["plan"], state: Values, declared: Values): Values {
  const resumes = privateStateOf(state).rollout !== undefined && declared["skipAwait"] !== true;
  // Then nothing is asked of the service.
  if (plan.kind === "none" && !resumes) return pick(state, outputNames);
  const hasSameUrl = !plan.changes.some(({ path }) => `${path}.`.startsWith(`sourceConfig.customUrl.`));
  const url = hasSameUrl && typeof state["url"] === "string" ? ["url"] : [];
  return pick(state, ["tenantId", "createdAt", ...url]);
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}
