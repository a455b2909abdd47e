/** The smallest PATCH for a plan: it contains only changed keys. */
import { deployment as fields } from "../../schema/fields";
import { isEqual, type Path, valueAt, withValueAt, type Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentKey } from "./internal-inputs";
import { type FieldChange, isOnceActive, isSent, removalOf, revisionPaths } from "./field-change";
import type { Plan } from "./plan";
import type { Patch } from "./service";

/** The PATCH that carries out a plan. */
export function patchFor(plan: Plan, declared: Values, dialect: Dialect): Patch {
  const isOfService = ({ effect, patchPath: [name] }: FieldChange) =>
    isSent(fields[name as keyof typeof fields], effect);
  const paths = plan.changes.filter(isOfService).map(({ patchPath }) => patchPath);
  const patch = paths.reduce<Values>(
    (all, path) => withValueAt(all, path, valueFor(path, declared, dialect)),
    {},
  );
  if (plan.effect !== "revision") return patch;
  return {
    ...withRevision(withSource(patch, plan, declared, dialect), plan, declared, dialect),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

/** Includes the source folder if its content changed, or if nothing else certainly makes the revision. */
function withSource(patch: Values, plan: Plan, declared: Values, dialect: Dialect): Values {
  if (declared[contentKey] === undefined) return patch;
  const isNew = plan.changes.some(({ effect, isContent }) => isContent && effect === "revision");
  return isNew || !hasRevision(patch, plan, dialect) ? { sourceRevisionConfig: {}, ...patch } : patch;
}

/** Whether it certainly makes a revision. A `onceActive` field does as the only reason, if its old value is known. */
function hasRevision(patch: Values, { changes }: Plan, dialect: Dialect): boolean {
  const makes = revisionPaths(dialect).filter((path) => valueAt(patch, path) !== undefined);
  if (makes.some((path) => !isOnceActive(path))) return true;
  const reasons = changes.filter(({ effect }) => effect === "revision");
  return makes.length > 0 && reasons.every(({ path, isFirst }) => isOnceActive(path) && !isFirst);
}

/** If no change makes a revision by itself, such as when only `triggers` changed, adds an unchanged value that does. */
function withRevision(patch: Values, plan: Plan, declared: Values, dialect: Dialect): Values {
  if (hasRevision(patch, plan, dialect)) return patch;
  const paths = revisionPaths(dialect).filter((path) => !isOnceActive(path));
  const [first] = paths;
  const path = paths.find((each) => !isEqual(valueAt(declared, each) ?? {}, {})) ?? first!;
  return withValueAt(patch, path, valueAt(declared, path) ?? {});
}

function valueFor(path: Path, declared: Values, dialect: Dialect): unknown {
  const isEmptied = ["read-modify-write", "empty"].includes(removalOf(path, dialect));
  return valueAt(declared, path) ?? (isEmptied ? {} : null);
}
