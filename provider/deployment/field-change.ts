/** What the change of a field causes, by the table of fields and the rules of a dialect. */
import type { ChangeEffect, Field } from "../../schema/fields";
import { leaves, type Row } from "../../schema/rows";
import { isWithin, type Path } from "../../schema/tree";
import type { Dialect, Removal } from "../dialects";
import { ruleFor } from "../dialects/rule";

/** What happens to a name of a map. */
export type InMap = "added" | "removed" | "changed";

/** A difference between the old and the declared value of a field, and its effect. */
export interface FieldChange {
  readonly path: Path;
  /** Path to send: the field, or the enclosing object if that can only be sent as a whole. */
  readonly patchPath: Path;
  readonly kind: ChangeEffect;
  /** The program removes the value, but the service cannot clear it, so nothing is sent. */
  readonly cannotClear: boolean;
  /** The content of the declared folder changed, not an argument. */
  readonly isContent?: true;
  /** No value is known from before, so the service may have the declared one already. */
  readonly isFirst?: true;
  /** For a name of a map, such as `secrets`. */
  readonly inMap?: InMap;
  /** Describes the change if the path does not: `2 files changed, 1 added`. */
  readonly summary?: string;
  /** Describes the change with names: `changed agent.py; added tools.py`. */
  readonly names?: string | undefined;
}

const bySeverity: readonly ChangeEffect[] = ["none", "settings", "revision", "replacement"];

export function severestOf(kinds: readonly ChangeEffect[]): ChangeEffect {
  return bySeverity[Math.max(0, ...kinds.map((kind) => bySeverity.indexOf(kind)))]!;
}

/** Whether a change of the field is sent to the service. */
export function isSent(field: Field, kind: ChangeEffect): boolean {
  return kind !== "none" && !(field.kind === "leaf" && field.sent === "never");
}

/**
 * The effect of changing a field, by the dialect's rules. For a group that is not known yet, the most severe effect that changing it
 * in place can have.
 */
export function kindOf(row: Row, dialect: Dialect): ChangeEffect {
  const ofDialect = kinds.get(dialect) ?? new Map<Row, ChangeEffect>();
  kinds.set(dialect, ofDialect);
  const kind = ofDialect.get(row) ?? ruledKind(row, dialect);
  ofDialect.set(row, kind);
  return kind;
}

/** Every comparison asks for every field. */
const kinds = new WeakMap<Dialect, Map<Row, ChangeEffect>>();

function ruledKind({ field, path }: Row, dialect: Dialect): ChangeEffect {
  const ruled = ruleFor(dialect.changes, path);
  if (ruled !== undefined) return ruled;
  if (field.kind === "leaf") return field.change;
  const kinds = leaves.filter((leaf) => isWithin(leaf.path, path)).map((leaf) => kindOf(leaf, dialect));
  return severestOf(kinds.map((kind) => (kind === "replacement" ? "settings" : kind)));
}

/** How a PATCH removes the value of a field. */
export function removalOf(path: Path, { removal }: Dialect): Removal {
  return ruleFor(removal, path) ?? removal["*"]!;
}
