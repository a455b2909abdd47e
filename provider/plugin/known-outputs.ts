/** The outputs of a resource that a preview already knows. */
import { parsePlanned, pick, writeInputs, writeState } from "../stored/stored";
import type { Dialect } from "../dialects";
import type { Comparison } from "../engine/operations";
import { outputNames } from "../../schema/outputs";
import { isWithin, unknownValue, type Values } from "../../schema/tree";

/** @param inputs as `check` returned them */
export function previewOfCreation(inputs: Values, dialect: Dialect): Values {
  return { ...unknownOutputs(dialect), ...writeInputs(parsePlanned(inputs)) };
}

/** What an update changes, for its preview. */
type Update = Pick<Comparison, "plan" | "state" | "declared">;

export function previewOfUpdate(update: Update, dialect: Dialect): Values {
  const { plan, state, declared } = update;
  const isIdle = plan.now.length === 0 && plan.later.length === 0 && !plan.resumes;
  return {
    // If nothing is sent or awaited, no output changes.
    ...(isIdle ? pick(writeState(state), outputNames) : { ...unknownOutputs(dialect), ...lasting(update) }),
    ...declared.arguments,
    generation: declared.generation,
  };
}

/** Only some services report the status of a revision, have a dashboard, or have tracing projects. */
function unknownOutputs({ revisionStatuses, dashboard, hasTracingProjects }: Dialect): Values {
  const names = outputNames.filter(
    (name) => name !== "latestRevisionStatus" || revisionStatuses !== undefined,
  );
  const outputs = Object.fromEntries(names.map((name) => [name, unknownValue]));
  return {
    ...outputs,
    ...(dashboard === undefined && { dashboardUrl: null }),
    ...(!hasTracingProjects && { tracerSessionId: null }),
  };
}

/** Outputs that no update changes, and the address unless the program changes it. */
function lasting({ plan: { changes }, state: { observed } }: Update): Values {
  // All of `sourceConfig` may be unknown.
  const hasOtherUrl = changes.some(({ path }) => isWithin(["sourceConfig", "customUrl"], path));
  const hasUrl = typeof observed.url === "string" && !hasOtherUrl;
  const once = ["dashboardUrl", "tracerSessionId"].filter(
    (name) => typeof pick(observed, [name])[name] === "string",
  );
  return pick(observed, ["tenantId", "createdAt", ...(hasUrl ? ["url"] : []), ...once]);
}
