/** The table of fields, compiled once: a row for each field and each group, a group before its members. */
import type { z } from "zod";
import { deployment, type Field, type Fields, isMap, type Leaf } from "./fields";
import { formatPath, isWithin, type Path, treeOf, valueAt, type Values } from "./tree";

export interface Row<F extends Field = Field> {
  readonly path: readonly string[];
  readonly field: F;
  /** Whether it can only be sent as a whole, and no object around it is. */
  readonly isWhole: boolean;
  /** Where a PATCH contains it: its own path, or that of the whole around it. */
  readonly patchPath: readonly string[];
}

export const rows: readonly Row[] = rowsIn(deployment, []);

/** The rows without groups. */
export const leaves = rows.filter((row): row is Row<Leaf> => row.field.kind === "leaf");

/** The rows of maps, whose keys are the user's. */
export const maps = leaves.filter((row): row is Row<Leaf<z.ZodRecord>> => isMap(row.field));

function rowsIn(table: Fields, at: readonly string[], around?: Row): Row[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    const isAtomic = field.kind === "group" ? field.atomic === true : field.list !== undefined;
    const isWhole = around === undefined && isAtomic;
    const row = { path, field, isWhole, patchPath: around?.path ?? path };
    return field.kind === "group" ? [row, ...rowsIn(field.fields, path, isWhole ? row : around)] : [row];
  });
}

/** Only the table's fields that are set. Values inside a field are data, and stay unchanged. */
export function setFields(values: Values): Values {
  return treeOf(
    rows.map(({ path, field }) => {
      const value = valueAt(values, path) ?? undefined;
      return [path, value !== undefined && field.kind === "group" ? {} : value];
    }),
  );
}

/**
 * Why a path of `ignoreChanges` or `replaceOnChanges` has no effect; undefined if an argument may match it.
 *
 * @param pattern may contain `*` for any name or index
 */
export function withoutEffectText(option: string, pattern: Path): string | undefined {
  const wild = pattern.findIndex((part) => part === "*" || String(part).startsWith("__"));
  const names = wild === -1 ? pattern : pattern.slice(0, wild);
  const isNamed = ({ path, field }: Row) =>
    isWithin(names, path) && (field.kind === "leaf" || names.length === path.length);
  if (names.length === 0 || rows.some(isNamed)) return undefined;
  return `\`${option}\` mentions ${formatPath(pattern)}, which is not an argument: it has no effect`;
}
