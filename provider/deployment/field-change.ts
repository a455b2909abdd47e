/** What the change of a field causes, by the table of fields and the rules of a dialect. */
import type { ChangeEffect, Field } from "../../schema/fields";
import { leaves, type Row, rows } from "../../schema/rows";
import { isEqual, isWithin, type Path, valueAt, type Values, withValueAt } from "../../schema/tree";
import { ruleFor, type Dialect, type Removal } from "../dialects";

/** Signs of what happens to a name of a map, or to a file, in the order in which an explanation names them. */
export const signs = { added: "+", removed: "-", changed: "~" } as const;

export type InMap = keyof typeof signs;

/** A difference between the old and the declared value of a field, and its effect. */
export interface FieldChange {
  readonly path: Path;
  /** Path to send: the field, or the enclosing object if that can only be sent as a whole. */
  readonly patchPath: Path;
  readonly effect: ChangeEffect;
  /** The program removes the value, but the service cannot clear it, so nothing is sent. */
  readonly cannotClear: boolean;
  /** The content of the declared folder changed, not an argument. */
  readonly isContent?: true;
  /** The service has the value already, although nobody has declared it before. */
  readonly isThere?: true;
  /** The declared value is not known yet, so it may be the old one. */
  readonly isUnknown?: boolean;
  /** The output of another resource that the value follows: `billing.url`. */
  readonly follows?: string;
  /** For a name of a map, such as `secrets`. */
  readonly inMap?: InMap;
  /** Describes the change if the path does not: `+tools.py, ~agent.py`. */
  readonly summary?: string;
}

const bySeverity: readonly ChangeEffect[] = ["none", "settings", "revision", "replacement"];

export function severestOf(effects: readonly ChangeEffect[]): ChangeEffect {
  return bySeverity[Math.max(0, ...effects.map((each) => bySeverity.indexOf(each)))]!;
}

/** Whether a change of the field is sent to the service. */
export function isSent(field: Field, effect: ChangeEffect): boolean {
  return effect !== "none" && !(field.kind === "leaf" && field.sent === "never");
}

/** The effect of changing a field; of a group that is not known yet, the most severe one of a change in place. */
export function effectOfRow(row: Row, dialect: Dialect): ChangeEffect {
  let ofDialect = effects.get(dialect);
  if (ofDialect === undefined) {
    ofDialect = new Map(rows.map((each) => [each, ruledEffect(each, dialect)]));
    effects.set(dialect, ofDialect);
  }
  return ofDialect.get(row)!;
}

/** The effect of changing what is at the path, which may lead into a field. */
export function effectAt(path: Path, dialect: Dialect): ChangeEffect | undefined {
  const row = leaves.find((each) => isWithin(path, each.path));
  return row && effectOfRow(row, dialect);
}

/** Looking up the rules takes a fifth of a millisecond for all rows, and each deployment is compared several times. */
const effects = new WeakMap<Dialect, Map<Row, ChangeEffect>>();

function ruledEffect({ field, path }: Row, dialect: Dialect): ChangeEffect {
  const ruled = ruleFor(dialect.changes, path);
  if (ruled !== undefined) return ruled;
  if (field.kind === "leaf") return field.change;
  const inside = leaves.filter((leaf) => isWithin(leaf.path, path)).map((leaf) => ruledEffect(leaf, dialect));
  return severestOf(inside.map((each) => (each === "replacement" ? "settings" : each)));
}

/** A PATCH that sets one of these makes a revision. If none changed, the first declared one is sent unchanged. */
export function revisionPaths({ changes, perhapsRevision = [] }: Dialect): Path[] {
  const ofDialect = Object.keys(changes).filter((path) => changes[path] === "revision");
  const all = ["sourceRevisionConfig", ...ofDialect.filter((path) => !perhapsRevision.includes(path))];
  return all.map((path) => path.split("."));
}

/** Whether a value is chosen on creation and can never change. */
export function isImmutable(row: Row, dialect: Dialect): boolean {
  return effectOfRow(row, dialect) === "replacement";
}

/** How a PATCH removes the value of a field. */
export function removalOf(path: Path, { removal }: Dialect): Removal {
  return ruleFor(removal, path) ?? removal["*"]!;
}

/** What a service takes only once a revision is active, such as the size of a deployment. */
const afterFirstRevision = leaves
  .filter(({ field }) => field.sent === "afterFirstRevision")
  .map(({ path }) => path);

export function isAfterFirstRevision(path: Path): boolean {
  return afterFirstRevision.some((each) => isEqual(each, path));
}

/** The arguments, with the other values for the declared ones of these fields. */
export function withAfterFirstRevision<T extends Values>(args: T, values: object): T {
  return afterFirstRevision
    .filter((path) => valueAt(args, path) !== undefined)
    .reduce((all, path) => withValueAt(all, path, valueAt(values, path) ?? undefined), args);
}
