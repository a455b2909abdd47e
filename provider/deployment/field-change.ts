/** What the change of a field causes, by the table of fields and the rules of a dialect. */
import type { ChangeEffect, Field, Fields } from "../../schema/fields";
import type { Path } from "../../schema/tree";
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
  /** For a name of a map, such as `secrets`. */
  readonly inMap?: InMap;
  /** Describes the change if the path does not: `2 files changed, 1 added`. */
  readonly summary?: string;
  /** Describes the change with names: `changed agent.py; added tools.py`. */
  readonly names?: string | undefined;
}

/** From the least to the most severe. */
export const severity: readonly ChangeEffect[] = ["none", "settings", "revision", "replacement"];

/** Whether a change of the field is sent to the service. */
export function isSent(field: Field, kind: ChangeEffect): boolean {
  return kind !== "none" && !(field.kind === "leaf" && field.sent === "never");
}

/** The effect of changing a field, by the dialect's rules. */
export function kindOf(field: Field, path: Path, dialect: Dialect): ChangeEffect {
  const ruled = ruleFor(dialect.changes, path);
  if (ruled !== undefined) return ruled;
  return field.kind === "leaf" ? field.change : severestOf(field.fields, path, dialect);
}

/** How a PATCH removes the value of a field. */
export function removalOf(path: Path, { removal }: Dialect): Removal {
  return ruleFor(removal, path) ?? removal["*"]!;
}

/** The most severe effect that changing a group can have, for a group that is not known yet. */
function severestOf(table: Fields, at: Path, dialect: Dialect): ChangeEffect {
  const kinds = Object.entries(table).map(([name, field]) => {
    const kind = kindOf(field, [...at, name], dialect);
    return kind === "replacement" ? "settings" : kind;
  });
  return severity[Math.max(...kinds.map((kind) => severity.indexOf(kind)))]!;
}
