/** What an update would do. It says more than the dynamic provider protocol can pass on. */
import type { Dialect } from "../dialects";
import { withFixed } from "./observe";
import { planChanges, reasonsOf, type Plan } from "./plan";
import { argumentsIn, memoryOf } from "./state";
import type { Values } from "./values";

export interface Diff {
  readonly plan: Plan;
  /** A rollout of an earlier run has not been seen to end; an update resumes waiting for it. */
  readonly resumes: boolean;
  /** The old deployment must go before the new one can have its name. */
  readonly deleteBeforeReplace: boolean;
  /** One line for the user; undefined when nothing is to be done. */
  readonly explanation: string | undefined;
}

export function diff(state: Values, declared: Values, dialect: Dialect): Diff {
  const plan = planFor(state, declared, dialect);
  const resumes = memoryOf(state).rollout !== undefined && declared["skipAwait"] !== true;
  const deleteBeforeReplace = state["name"] === declared["name"];
  return { plan, resumes, deleteBeforeReplace, explanation: explain(String(state["name"]), plan, resumes) };
}

export function planFor(state: Values, declared: Values, dialect: Dialect): Plan {
  const had = withFixed(argumentsIn(state), memoryOf(state).fixed);
  return planChanges(had, argumentsIn(declared), dialect);
}

function explain(name: string, plan: Plan, resumes: boolean): string | undefined {
  const reasons = reasonsOf(plan).join(", ");
  switch (plan.kind) {
    case "replacement":
      return `${name}: replaces the deployment (${reasons})`;
    case "revision":
      return `${name}: creates a new revision (${reasons})`;
    case "settings":
      return `${name}: updates settings, no new revision (${reasons})`;
    case "none":
      return resumes ? `${name}: resumes waiting for its last rollout, no new revision` : undefined;
  }
}
