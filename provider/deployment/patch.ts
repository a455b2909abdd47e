/** The smallest PATCH for a plan: it contains only changed keys. */
import { deployment as fields } from "../../schema/fields";
import { formatPath, isEqual, type Path, valueAt, withValueAt, type Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentKey } from "../internal-inputs";
import { type FieldChange, isSent, removalOf } from "./field-change";
import { laterIn } from "./once-active";
import type { Plan } from "./plan";
import type { Patch } from "./service";

/**
 * Builds the PATCH that carries out a plan.
 *
 * @param declared the arguments
 */
export function patchFor(plan: Plan, declared: Values, dialect: Dialect): Patch {
  const paths = plan.changes.filter(goesToService).map(({ patchPath }) => patchPath);
  const patch = paths.reduce<Values>(
    (all, path) => withValueAt(all, path, valueFor(path, declared, dialect)),
    {},
  );
  if (plan.kind !== "revision") return patch;
  return {
    ...withRevision(withSource(patch, plan, declared, dialect), declared, dialect),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

/** Includes the source folder if its content changed, or if nothing else makes the revision. */
function withSource(patch: Values, { changes }: Plan, declared: Values, dialect: Dialect): Values {
  if (declared[contentKey] === undefined) return patch;
  const isNew = changes.some(({ kind, isContent }) => isContent && kind === "revision");
  return isNew || !hasRevision(patch, dialect) ? { sourceRevisionConfig: {}, ...patch } : patch;
}

function hasRevision(patch: Values, { makesRevision }: Dialect): boolean {
  return makesRevision.some((path) => valueAt(patch, path.split(".")) !== undefined);
}

/**
 * If no change makes a revision by itself, such as when only `triggers` changed, adds an unchanged value that does. What the service
 * takes only once a revision is active does not: it may be refused, and the same value again may make none.
 */
function withRevision(patch: Values, declared: Values, dialect: Dialect): Values {
  if (hasRevision(patch, dialect)) return patch;
  const later = laterIn(declared).map(formatPath);
  const paths = dialect.makesRevision.filter((path) => !later.includes(path)).map((path) => path.split("."));
  const [first] = paths;
  const path = paths.find((each) => !isEqual(valueAt(declared, each) ?? {}, {})) ?? first!;
  return withValueAt(patch, path, valueAt(declared, path) ?? {});
}

function goesToService({ kind, patchPath: [name] }: FieldChange): boolean {
  return isSent(fields[name as keyof typeof fields], kind);
}

function valueFor(path: Path, declared: Values, dialect: Dialect): unknown {
  const after = valueAt(declared, path);
  switch (removalOf(path, dialect)) {
    case "read-modify-write":
    case "empty":
      return after ?? {};
    default:
      return after ?? null;
  }
}
