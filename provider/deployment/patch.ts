/** The smallest PATCH for a plan: a key is there only if its value changed. */
import { deployment as fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { removalOf, type FieldChange } from "./changes";
import type { Plan } from "./plan";
import type { Patch } from "./service";
import { isObject, mapValues, valueAt, withValueAt, type Values } from "./values";

/** What is sent to come from `old` to `declared`, for the plan that was made of the two. */
export function patchFor(plan: Plan, old: Values, declared: Values, dialect: Dialect): Patch {
  const units = plan.changes.filter(isSent).map(({ unit }) => unit);
  const patch = units.reduce<Values>(
    (all, unit) => withValueAt(all, unit, valueFor(unit, old, declared, dialect)),
    {},
  );
  if (plan.kind !== "revision") return patch;
  const makesRevision = dialect.makesRevision.some((path) => valueAt(patch, path.split(".")) !== undefined);
  return {
    ...patch,
    // Nothing in it makes a revision by itself, since a trigger changed, say: the current values do.
    ...(!makesRevision && { sourceRevisionConfig: (declared["sourceRevisionConfig"] ?? {}) as Values }),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

function isSent({ kind, unit: [name] }: FieldChange): boolean {
  const field = fields[name as keyof typeof fields];
  return kind !== "local" && !(field.kind === "leaf" && field.local);
}

function valueFor(unit: readonly string[], old: Values, declared: Values, dialect: Dialect): unknown {
  const [before, after] = [valueAt(old, unit), valueAt(declared, unit)];
  switch (removalOf(unit, dialect)) {
    case "rewrite":
      return { ...mapValues(isObject(before) ? before : {}, () => null), ...(after as Values) };
    case "empty":
      return after ?? {};
    default:
      return after ?? null;
  }
}
