/** The smallest PATCH for a plan: a key is there only if its value changed. */
import { deployment as fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { removalOf, type FieldChange } from "./changes";
import type { Plan } from "./plan";
import type { Patch } from "./service";
import { isEqual, isObject, mapValues, valueAt, withValueAt, type Values } from "../values";

/** What is sent to come from `old` to `declared`, for the plan that was made of the two. */
export function patchFor(plan: Plan, old: Values, declared: Values, dialect: Dialect): Patch {
  const units = plan.changes.filter(isSent).map(({ unit }) => unit);
  const patch = units.reduce<Values>(
    (all, unit) => withValueAt(all, unit, valueFor(unit, old, declared, dialect)),
    {},
  );
  if (plan.kind !== "revision") return patch;
  return {
    ...withRevision(patch, declared, dialect),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

/** Where nothing in it makes a revision by itself, since a trigger changed, say, a current value goes along that does. */
function withRevision(patch: Values, declared: Values, { makesRevision }: Dialect): Values {
  const places = makesRevision.map((path) => path.split("."));
  if (places.some((place) => valueAt(patch, place) !== undefined)) return patch;
  const [first] = places;
  const place = places.find((each) => !isEqual(valueAt(declared, each) ?? {}, {})) ?? first!;
  return withValueAt(patch, place, valueAt(declared, place) ?? {});
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
