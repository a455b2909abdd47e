/** The table of fields, compiled once: a row for each field and each group, a group before its members. */
import type { z } from "zod";
import { deployment, type Field, type Fields, isMap, type Leaf } from "./fields";

export interface Row<F extends Field = Field> {
  readonly path: readonly string[];
  readonly field: F;
  /** The path of the value that can only be sent as a whole: the field's own, or that of an object around it. */
  readonly wholeAt: readonly string[] | undefined;
}

export const rows: readonly Row[] = rowsIn(deployment, [], undefined);

/** The rows without groups. */
export const leaves = rows.filter((row): row is Row<Leaf> => row.field.kind === "leaf");

/** The rows of maps, whose keys are the user's. */
export const maps = leaves.filter((row): row is Row<Leaf<z.ZodRecord>> => isMap(row.field));

function rowsIn(table: Fields, at: readonly string[], wholeAt: Row["wholeAt"]): Row[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    const isWhole = field.kind === "group" ? field.atomic : field.list !== undefined;
    const row = { path, field, wholeAt: wholeAt ?? (isWhole ? path : undefined) };
    return field.kind === "group" ? [row, ...rowsIn(field.fields, path, row.wholeAt)] : [row];
  });
}
