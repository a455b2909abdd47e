/** The outputs of a resource that a preview already knows. */
import { type Plan, planUpdate } from "../deployment/plan";
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

/** Only some services report the status of a revision, have a dashboard, or have tracing projects. */
function unknownOutputs({ revisionStatuses, dashboard, hasTracingProjects }: Dialect): Values {
  const told = outputNames.filter(
    (name) => name !== "latestRevisionStatus" || revisionStatuses !== undefined,
  );
  const outputs = Object.fromEntries(told.map((name) => [name, unknownValue]));
  return {
    ...outputs,
    ...(dashboard === undefined && { dashboardUrl: null }),
    ...(!hasTracingProjects && { tracerSessionId: null }),
  };
}

/** Outputs that no update changes, and the address unless the program changes it. */
function lasting({ changes }: Plan, { observed }: State): Values {
  // All of `sourceConfig` may be unknown.
  const hasOtherUrl = changes.some(({ path }) => isWithin(["sourceConfig", "customUrl"], path));
  const hasUrl = typeof observed.url === "string" && !hasOtherUrl;
  const once = ["dashboardUrl", "tracerSessionId"].filter(
    (name) => typeof pick(observed, [name])[name] === "string",
  );
  return pick(observed, ["tenantId", "createdAt", ...(hasUrl ? ["url"] : []), ...once]);
}
