/** The smallest PATCH for a plan: a key is there only if its value changed. */
import { deployment as fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { contentKey } from "../internal-inputs";
import { type FieldChange, isSent, type Plan, removalOf } from "./plan";
import type { Context, Observed, Patch } from "./service";
import { isEqual, valueAt, withValueAt, type Values } from "../../schema/tree";
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../tries";
import { canBeUpdated } from "./recognize";
import type { Declared } from "./state";
import type { Before, Written } from "./normalized";

/** What is sent for a plan, to come to `declared`. */
export function patchFor(plan: Plan, declared: Values, dialect: Dialect): Patch {
  const units = plan.changes.filter(goesToService).map(({ patchPath: unit }) => unit);
  const patch = units.reduce<Values>(
    (all, unit) => withValueAt(all, unit, valueFor(unit, declared, dialect)),
    {},
  );
  if (plan.kind !== "revision") return patch;
  return {
    ...withRevision(withSource(patch, plan, declared, dialect), declared, dialect),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

/** A folder of source code goes along where its content changed, and where nothing else makes the revision. */
function withSource(patch: Values, { changes }: Plan, declared: Values, dialect: Dialect): Values {
  if (declared[contentKey] === undefined) return patch;
  const isNew = changes.some(({ kind, segments: [name] }) => kind === "revision" && name === contentKey);
  return isNew || !hasRevision(patch, dialect) ? { sourceRevisionConfig: {}, ...patch } : patch;
}

function hasRevision(patch: Values, { makesRevision }: Dialect): boolean {
  return makesRevision.some((path) => valueAt(patch, path.split(".")) !== undefined);
}

/** Where nothing in it makes a revision by itself, since a trigger changed, say, a current value goes along that does. */
function withRevision(patch: Values, declared: Values, dialect: Dialect): Values {
  if (hasRevision(patch, dialect)) return patch;
  const places = dialect.makesRevision.map((path) => path.split("."));
  const [first] = places;
  const place = places.find((each) => !isEqual(valueAt(declared, each) ?? {}, {})) ?? first!;
  return withValueAt(patch, place, valueAt(declared, place) ?? {});
}

function goesToService({ kind, patchPath: [name] }: FieldChange): boolean {
  return isSent(fields[name as keyof typeof fields], kind);
}

function valueFor(unit: readonly string[], declared: Values, dialect: Dialect): unknown {
  const after = valueAt(declared, unit);
  switch (removalOf(unit, dialect)) {
    case "read-modify-write":
    case "empty":
      return after ?? {};
    default:
      return after ?? null;
  }
}

export interface Change {
  readonly id: string;
  readonly patch: Patch;
  readonly written: Written & { readonly before: Before };
  readonly declared: Declared;
}

/**
 * Sends a change. Settings may be sent twice, and the service's client does so by itself; a revision may not: after
 * a response that leaves it open, this looks whether the revision was made before it sends again.
 */
export async function send(context: Context, change: Change): Promise<Observed> {
  const { service, clock } = context;
  const { id, patch, written, declared } = change;
  const makesRevision = written.makesRevision ?? false;
  const tries = new Tries(clock, context);
  for (;;) {
    try {
      return await service.update(id, patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) throw new DeletedError(error);
      if (!makesRevision || !hasAmbiguousOutcome(error)) throw error;
      const observed = await service.overtime().read(id);
      if (observed !== undefined && canBeUpdated(written.sent, written.before, declared, observed))
        return observed;
      await tries.waitAfter(error);
    }
  }
}
