/** What a preview knows of a resource before anything was sent. */
import { generationAfter, planFor, resumesRollout } from "../deployment/diff";
import type { Plan } from "../deployment/plan";
import { argumentsIn, type Planned, type Stored } from "../deployment/state";
import type { Dialect } from "../dialects";
import { optionsKey } from "../internal-inputs";
import { outputNames } from "../../schema/outputs";
import { unknownValue, type Values } from "../../schema/tree";

export function previewOfCreation(declared: Values, dialect: Dialect): Values {
  return { ...unknownOutputs(dialect), ...declared };
}

export function previewOfUpdate(state: Stored, declared: Planned, dialect: Dialect): Values {
  const plan = planFor(state, declared, dialect);
  // Where nothing is asked of the service, all stays as it is.
  const isCertain = plan.kind === "none" && !resumesRollout(state, declared);
  const isCounted = declared.generation !== unknownValue;
  return {
    ...(isCertain ? pick(state, outputNames) : { ...unknownOutputs(dialect), ...lasting(plan, state) }),
    ...argumentsIn(declared),
    generation: isCounted ? generationAfter(plan, state, declared) : unknownValue,
    [optionsKey]: declared[optionsKey],
  };
}

/** Only some services tell the status of a revision. */
function unknownOutputs({ revisionStatuses }: Dialect): Values {
  const told = outputNames.filter(
    (name) => name !== "latestRevisionStatus" || revisionStatuses !== undefined,
  );
  return Object.fromEntries(told.map((name) => [name, unknownValue]));
}

/** What no change of a deployment changes; its address, where the program does not. */
function lasting({ changes }: Plan, state: Stored): Values {
  const hasOtherUrl = changes.some(({ path }) => `${path}.`.startsWith("sourceConfig.customUrl."));
  const hasUrl = typeof state.url === "string" && !hasOtherUrl;
  return pick(state, ["tenantId", "createdAt", ...(hasUrl ? ["url"] : [])]);
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}
