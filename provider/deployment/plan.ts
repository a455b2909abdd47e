/** The plan: the severest thing that the changes cause. */
import type { Dialect, Removal } from "../dialects";
import { formatPath, isEqual, isObject, type Path, type Values } from "../../schema/tree";
import { deployment as fields, type Change, type Field, type Fields } from "../../schema/fields";
import { ruleFor } from "../dialects/rule";
import { contentChanges } from "./content";

export interface Plan {
  /** The severest thing that the changes cause; `none` when nothing is to be sent. */
  readonly kind: Change;
  readonly changes: readonly FieldChange[];
}

/** What it takes to come from `old` to `declared`. Values that are not known yet count as changed. */
export function planChanges(old: Values, declared: Values, dialect: Dialect): Plan {
  const changes = [
    ...compareFields({ table: fields, at: [], atomic: undefined }, old, declared, dialect),
    ...contentChanges(old, declared),
  ];
  const severest = Math.max(0, ...changes.map(({ kind }) => severity.indexOf(kind)));
  return { kind: severity[severest]!, changes };
}

/** The paths that make the plan what it is, for the line that explains it. */
export function reasonsOf(plan: Plan): string[] {
  if (plan.kind === "none") return [];
  return plan.changes.filter(({ kind }) => kind === plan.kind).map(formatReason);
}

function formatReason({ path, summary }: FieldChange): string {
  return summary === undefined ? formatPath(path) : `${formatPath(path)}: ${summary}`;
}

/** The paths of lesser changes that come along. */
export function besidesOf(plan: Plan): string[] {
  const lesser = plan.changes.filter(({ kind }) => kind !== plan.kind && kind !== "none");
  return lesser.map(({ path }) => formatPath(path));
}

/** Values that the program removes and the service keeps. An upload replaces a declared path. */
export function uncleared({ changes }: Plan): string[] {
  const isUploaded = changes.some(({ isContent, kind }) => isContent && kind === "revision");
  return changes
    .filter(({ cannotClear }) => cannotClear)
    .map(({ path }) => formatPath(path))
    .filter((path) => !isUploaded || path !== "sourceRevisionConfig.sourceTarballPath");
}

/** What differs between what the service has and what is declared, and what each difference causes. */
export interface FieldChange {
  readonly path: Path;
  /** What is sent for it: the field, or the object around it that the service takes as a whole. */
  readonly patchPath: Path;
  readonly kind: Change;
  /** The program removes the value and the service cannot: nothing is sent, and the value stays. */
  readonly cannotClear: boolean;
  /** The content of the declared folder changed, not an argument. */
  readonly isContent?: true;
  /** What changed, for people, if the path does not say it: `2 files changed, 1 added`. */
  readonly summary?: string;
  /** The same with names: `changed agent.py; added tools.py`. */
  readonly names?: string | undefined;
}

/** From the slightest to the severest. */
export const severity: readonly Change[] = ["none", "settings", "revision", "replacement"];

/** A table of fields and where it hangs; `atomic` is the path of the object around it that is only sent complete. */
interface Level {
  readonly table: Fields;
  readonly at: Path;
  readonly atomic: Path | undefined;
}

function compareFields(level: Level, old: Values, declared: Values, dialect: Dialect): FieldChange[] {
  return Object.entries(level.table).flatMap(([name, field]) => {
    const path = [...level.at, name];
    const [before, after] = [old[name], declared[name]];
    if (isEqual(before, after)) return [];
    const patchPath = level.atomic ?? (field.kind === "group" && field.atomic ? path : undefined);
    if (field.kind === "group" && isGroupOrAbsent(before) && isGroupOrAbsent(after)) {
      const level = { table: field.fields, at: path, atomic: patchPath };
      return compareFields(level, before ?? {}, after ?? {}, dialect);
    }
    const caused = { patchPath: patchPath ?? path, ...effectOf(field, path, before, after, dialect) };
    return changedPaths(field, before, after, path).map((each) => ({ path: each, ...caused }));
  });
}

function effectOf(
  field: Field,
  path: Path,
  before: unknown,
  after: unknown,
  dialect: Dialect,
): Pick<FieldChange, "kind" | "cannotClear"> {
  const kind = kindOf(field, path, dialect);
  // Leaving out what was chosen once keeps it; and what is there, when nobody knows, is taken to be what is declared.
  if (kind === "replacement" && (before === undefined || after === undefined)) return none;
  if (kind === "replacement" && isResolved(field, after, before)) return none;
  if (after === undefined && isSent(field, kind) && removalOf(path, dialect) === "never")
    return { kind: "none", cannotClear: true };
  return { kind, cannotClear: false };
}

/** The service answered what was declared in another spelling. */
function isResolved(field: Field, declared: unknown, observed: unknown): boolean {
  if (field.kind === "group" || typeof declared !== "string" || typeof observed !== "string") return false;
  return field.resolvesTo?.(declared, observed, {}) ?? false;
}

const none = { kind: "none", cannotClear: false } as const;

/** Whether a change of the field goes to the service by itself. */
export function isSent(field: Field, kind: Change): boolean {
  return kind !== "none" && !(field.kind === "leaf" && field.sent === "never");
}

/** What a change of a field causes by the rules. */
export function kindOf(field: Field, path: Path, dialect: Dialect): Change {
  const ruled = ruleFor(dialect.changes, path);
  if (ruled !== undefined) return ruled;
  return field.kind === "leaf" ? field.change : severestOf(field.fields, path, dialect);
}

/** How a PATCH takes the value of a field away. */
export function removalOf(path: Path, { removal }: Dialect): Removal {
  return ruleFor(removal, path) ?? removal["*"]!;
}

/** The severest change that a group can cause, for a group that is not known yet. */
function severestOf(table: Fields, at: Path, dialect: Dialect): Change {
  const kinds = Object.entries(table).map(([name, field]) => {
    const kind = kindOf(field, [...at, name], dialect);
    return kind === "replacement" ? "settings" : kind;
  });
  return severity[Math.max(...kinds.map((kind) => severity.indexOf(kind)))]!;
}

function isGroupOrAbsent(value: unknown): value is Values | undefined {
  return value === undefined || isObject(value);
}

/** Maps by name are explained name by name; all else by the field. */
function changedPaths(field: Field, before: unknown, after: unknown, path: Path): Path[] {
  const isMap = field.kind === "leaf" && field.list !== undefined;
  if (!isMap || !isGroupOrAbsent(before) || !isGroupOrAbsent(after)) return [path];
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => !isEqual(before?.[name], after?.[name])).map((name) => [...path, name]);
}

/** Whether a path is one that a resource option names, or lies within one. */
export function isCovered(path: Path, by: readonly string[]): boolean {
  const text = formatPath(path);
  return by.some(
    (each) => each === "*" || text === each || text.startsWith(`${each}.`) || text.startsWith(`${each}[`),
  );
}
