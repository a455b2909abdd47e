import type { ChangeEffect } from "../../schema/fields";
import type { Path } from "../../schema/tree";

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
  /** Describes the change if the path does not: `2 files changed, 1 added`. */
  readonly summary?: string;
  /** Describes the change with names: `changed agent.py; added tools.py`. */
  readonly names?: string | undefined;
}
