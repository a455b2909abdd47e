/** The outputs of a resource that a preview already knows. */
import type { Plan } from "../deployment/plan";
import { planUpdate } from "../deployment/steps";
import type { State } from "../deployment/state";
import { parsePlanned, pick, writeInputs, writeState } from "../deployment/stored";
import type { Dialect } from "../dialects";
import type { Comparison } from "../engine/operations";
import { outputNames } from "../../schema/outputs";
import { isWithin, unknownValue, type Values } from "../../schema/tree";

/** @param inputs as `check` returned them */
export function previewOfCreation(inputs: Values, dialect: Dialect): Values {
  return { ...unknownOutputs(dialect), ...writeInputs(parsePlanned(inputs)) };
}

export function previewOfUpdate(
  { state, declared }: Pick<Comparison, "state" | "declared">,
  dialect: Dialect,
): Values {
  const plan = planUpdate(state, declared, dialect);
  // If nothing is sent or awaited, no output changes.
  const isCertain = plan.now === undefined;
  return {
    ...(isCertain
      ? pick(writeState(state), outputNames)
      : { ...unknownOutputs(dialect), ...lasting(plan, state) }),
    ...declared.arguments,
    generation: declared.generation,
  };
}

/** Only some services report the status of a revision, or have a dashboard. */
function unknownOutputs({ revisionStatuses, dashboard }: Dialect): Values {
  const told = outputNames.filter(
    (name) => name !== "latestRevisionStatus" || revisionStatuses !== undefined,
  );
  const outputs = Object.fromEntries(told.map((name) => [name, unknownValue]));
  return dashboard === undefined ? { ...outputs, dashboardUrl: null } : outputs;
}

/** Outputs that no update changes, and the address unless the program changes it. */
function lasting({ changes }: Plan, { observed }: State): Values {
  // All of `sourceConfig` may be unknown.
  const hasOtherUrl = changes.some(({ path }) => isWithin(["sourceConfig", "customUrl"], path));
  const hasUrl = typeof observed.url === "string" && !hasOtherUrl;
  const hasPage = typeof observed.dashboardUrl === "string";
  const addresses = [...(hasUrl ? ["url"] : []), ...(hasPage ? ["dashboardUrl"] : [])];
  return pick(observed, ["tenantId", "createdAt", ...addresses]);
}
