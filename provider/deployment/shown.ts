/**
 * What the state remembers of the service: the arguments as it last showed them, where that differs from what is declared. So what
 * the service itself makes of a value (it may round numbers, respell strings, add or drop list items) is told once, and what
 * nobody declared is known. It holds secrets, so the private state is a secret.
 */
import type { Leaf } from "../../schema/fields";
import { leaves, type Row as FieldRow } from "../../schema/rows";
import {
  asObject,
  isEqual,
  isObject,
  mapValues,
  type Path,
  treeOf,
  valueAt,
  type Values,
  withMissing,
  withoutAbsent,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { secretsOfOthers, undeclaredAmong } from "./secrets";
import { aligned, argumentsIn, compare, isDrift, onlyDeclared, type Row, shownAt } from "./merge";
import { effectOfRow, isImmutable, isAfterFirstRevision } from "./field-change";
import type { PrivateState } from "./private-state";
import { type Observed, contentKey } from "./service";
import type { State } from "./state";

type Before = Pick<State, "arguments" | "private">;
type Shown = Pick<PrivateState, "shown" | "sent">;

interface Recording {
  /** The declared arguments. */
  readonly args: Values;
  /** Undefined for a new deployment. */
  readonly before: Before | undefined;
  readonly dialect: Dialect;
}

/** Fields that the service shows. `name` and `source` are always declared, and secrets have names. */
const compared = leaves.filter(
  ({ path: [first], field }) => !["name", "source", "secrets"].includes(first!) && field.sent !== "never",
);

export const uploadPath = ["sourceRevisionConfig", "sourceTarballPath"];

/** Whether the service runs a different archive than this stack deployed. */
export function hasOtherArchive(live: Observed, { shown }: PrivateState): boolean {
  const [is, was] = [valueAt(live, uploadPath), shownAt(shown, uploadPath)];
  return typeof is === "string" && typeof was === "string" && is !== was;
}

/** The arguments before an update, with what the service has of what is declared now: to declare that is no change. */
export function withShown(
  old: Values,
  shown: PrivateState["shown"],
  declared: Values,
  dialect: Dialect,
): Values {
  const live = compared.map((row) => {
    const is = shownAt(shown, row.path);
    const value = isImmutable(row, dialect) ? is : onlyDeclared(is, valueAt(declared, row.path));
    return [row.path, value] as const;
  });
  return withMissing(old, treeOf(live));
}

/** After a read. The arguments contain the drift. */
export function shownAfterRead({
  live,
  rows,
  ...recording
}: Recording & { live: Observed; rows: readonly Row[] }): Shown {
  const { before } = recording;
  const values = argumentsIn(live);
  const secretOf = (name: string) => {
    const row = rows.find(({ path }) => isEqual(path, ["secrets", name]));
    // A service may show a secret in several ways, so what was hidden once stays so until it is sent again.
    const lastShown = valueAt(before?.private.shown, ["secrets", name]);
    if (values["secrets"] === undefined) return lastShown;
    return row === undefined || isDrift(row) ? undefined : firstDefined(lastShown, standInOf(row));
  };
  const valueOf = (path: Path) => firstDefined(shownAt(values, path), lastShownAt(before, path));
  return { shown: recorded(recording, valueOf, secretOf, live, live), sent: undefined };
}

/**
 * After a write, or if only the arguments change.
 *
 * | Argument                           | Recorded, if a response reflects the write          | If none does                               |
 * | ---------------------------------- | --------------------------------------------------- | ------------------------------------------ |
 * | Declared and sent                  | What the first such response shows                  | The old one, if declared as before         |
 * |                                    |                                                     | Otherwise nothing yet: it counts as `sent` |
 * | Path of an upload                  | What was sent, otherwise the old one                | The same                                   |
 * | Declared, not sent                 | The old one                                         | The same                                   |
 * | After the first revision, not sent | The old one, otherwise what the last response shows | The same                                   |
 * | Not declared                       | What the last response shows, otherwise the old one | The old one                                |
 *
 * @param sent what was sent of the declared arguments
 * @param first the first response that reflects the write, if one does: what changes after that was changed by others
 * @param mayShowLater whether a later response may reflect the write, if none does so far
 */
export function shownAfterWrite(
  { live, ...recording }: Recording & { live?: Observed },
  sent: Values = {},
  first?: Observed,
  mayShowLater = false,
): Shown {
  const { args, before } = recording;
  const [atFirst, atLast] = [first, live].map((each) => each && argumentsIn(each));
  const isAsBefore = (path: Path) => isEqual(valueAt(args, path), valueAt(before?.arguments, path));
  const valueOf = (path: Path) => {
    const [wants, value, lastShown] = [valueAt(args, path), valueAt(sent, path), lastShownAt(before, path)];
    if (!isDeclared(args, path)) return first ? firstDefined(shownAt(atLast, path), lastShown) : lastShown;
    // A declared folder gives this path no value: what is known is the last upload.
    if (wants === undefined) return value ?? lastShown;
    if (value === undefined)
      return firstDefined(lastShown, isAfterFirstRevision(path) ? shownAt(atLast, path) : undefined);
    if (atFirst === undefined && isAsBefore(path)) return lastShown;
    return withKept(atFirst === undefined ? value : shownAt(atFirst, path), wants, value, lastShown);
  };
  const secretOf = (name: string) => {
    const path = ["secrets", name];
    const wasSent = valueAt(sent, path) !== undefined;
    if (!wasSent || (first === undefined && isAsBefore(path))) return valueAt(before?.private.shown, path);
    const declared = { secrets: { [name]: valueAt(args, path) } };
    const row = first && compare({ declared, live: first }).find((each) => isEqual(each.path, path));
    return row && standInOf(row);
  };
  const isPending = first === undefined && mayShowLater;
  const pending = isPending ? { ...before?.private.sent, ...sent } : undefined;
  return {
    shown: recorded(recording, valueOf, secretOf, live, first && live),
    sent: Object.keys(sent).length === 0 ? before?.private.sent : pending,
  };
}

/** What a service shows in place of a secret: empty if it hides the value and shows no mask, `null` if there is no such secret. */
function standInOf({ is, whose }: Row): unknown {
  return is ?? (whose === "hidden" ? "" : null);
}

/** What the service showed before: as it was declared, if the state holds nothing else. */
function lastShownAt(before: Before | undefined, path: Path): unknown {
  return firstDefined(shownAt(before?.private.shown, path), valueAt(before?.arguments, path));
}

/**
 * Later responses never replace what is immutable.
 *
 * @param listing the response, if it shows what others have
 */
function recorded(
  { args, before, dialect }: Recording,
  valueOf: (path: Path) => unknown,
  secretOf: (name: string) => unknown,
  live: Observed | undefined,
  listing: Observed | undefined,
): Values {
  const runs = live === undefined || live.latestRevisionId === live.activeRevisionId;
  /** What a revision that does not run would bring is not recorded, except at first: declaring it is a change. */
  const doesNotRun = (row: FieldRow<Leaf>, value: unknown) =>
    before !== undefined &&
    !runs &&
    !isEqual(value, lastShownAt(before, row.path)) &&
    effectOfRow(row, dialect) === "revision";
  const values = compared.map((row) => {
    const { path } = row;
    const isFixed = isImmutable(row, dialect);
    const wants = valueAt(args, path);
    const value = aligned(
      wants,
      firstDefined(isFixed ? lastShownAt(before, path) : undefined, valueOf(path)),
    );
    const isKept = isFixed || isDeclared(args, path) || (value !== null && !doesNotRun(row, value));
    return [path, isKept && !isEqual(value, wants) ? value : undefined] as const;
  });
  const shown = treeOf(values);
  const secrets = withoutAbsent({
    ...(before && undeclaredSecrets(before, args, listing)),
    ...mapValues(asObject(args["secrets"]), (_, name) => secretOf(name)),
  });
  return Object.keys(secrets).length === 0 ? shown : { ...shown, secrets };
}

/** As the response lists them; as the service showed them before, if it does not. A hidden value is `null`. */
function undeclaredSecrets(before: Before, args: Values, listing: Observed | undefined): Values {
  const { secrets } = listing ?? {};
  const names = secrets ? undeclaredAmong(secrets, args) : secretsOfOthers(before, args);
  const values = secrets ?? asObject(before.private.shown?.["secrets"]);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** An uploaded folder declares the path of its archive. */
function isDeclared(args: Values, path: Path): boolean {
  return valueAt(args, path) !== undefined || (args[contentKey] !== undefined && isEqual(path, uploadPath));
}

/** The first of two values, if it is defined. `null` is: the service shows that there is none. */
function firstDefined(value: unknown, otherwise: unknown): unknown {
  return value === undefined ? otherwise : value;
}

/** The value, with the known parts of a map that were not sent, because `ignoreChanges` leaves them to others. */
function withKept(is: unknown, wants: unknown, sent: unknown, lastShown: unknown): unknown {
  if (wants !== undefined && sent === undefined) return firstDefined(lastShown, wants);
  if (!isObject(is) || !isObject(wants) || !isObject(sent)) return is;
  const members = mapValues({ ...wants, ...is }, (_, name) => {
    const at = (value: unknown) => valueAt(value, [name]);
    return withKept(at(is), at(wants), at(sent), at(lastShown));
  });
  return withoutAbsent(members);
}
