/** The plan: the gravest thing that the changes cause. */
import type { Dialect } from "../dialects";
import { changesBetween, gravity, type FieldChange } from "./changes";
import type { Values } from "../values";

export type { FieldChange };

export interface Plan {
  /** The gravest thing that the changes cause; `none` when nothing is to be sent. */
  readonly kind: "none" | "settings" | "revision" | "replacement";
  readonly changes: readonly FieldChange[];
}

/** What it takes to come from `old` to `declared`. Values that are not known yet count as changed. */
export function planChanges(old: Values, declared: Values, dialect: Dialect): Plan {
  const changes = changesBetween(old, declared, dialect);
  const gravest = Math.max(0, ...changes.map(({ kind }) => gravity.indexOf(kind)));
  const kind = gravity[gravest]!;
  return { kind: kind === "local" ? "none" : kind, changes };
}

/** The paths that make the plan what it is, for the line that explains it. */
export function reasonsOf(plan: Plan): string[] {
  return plan.changes.filter(({ kind }) => kind === plan.kind).map(({ path }) => path);
}

/** What the program gives up and the service keeps all the same. */
export function stayingIn(plan: Plan): string[] {
  return plan.changes.filter(({ stays }) => stays).map(({ path }) => path);
}
