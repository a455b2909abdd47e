/** What the service makes of the values that it is sent: each is reported once. */
import { formatPath, isEqual, isWithin, type Path, textsIn, valueAt } from "../../schema/tree";
import { hasCredentials } from "../text/credential";
import { isInBaseline, markIn, type Responses, seenAt, type Write } from "./baseline";
import { type Difference, differencesFrom, withDrift } from "./drift";
import type { Context } from "./context";
import type { State } from "./state";

/** What the service made of a write, and no earlier response has shown. Of secrets, nothing is told. */
export function newNormalizations(
  { sent, declared: { arguments: args } }: Write,
  { shown, observed }: Responses,
  before: State | undefined,
): Difference[] {
  if (shown === undefined) return [];
  const atFirst = withDrift(args, shown);
  // Of a folder, the path of its configuration is sent relative to the archive's root, and not as declared.
  const isSent = ({ path, seen }: Difference) =>
    valueAt(sent, path) !== undefined && !isEqual(valueAt(sent, path), seen);
  const isOwn = (each: Difference) =>
    each.path[0] !== "secrets" && isSent(each) && isEqual(valueAt(atFirst, each.path), each.seen);
  const known = before?.private.seen;
  const isKnown = (each: Difference) => {
    const mark = markIn(seenAt(known, each.path));
    if (mark !== undefined) return mark === "hidden";
    return isInBaseline(each, known) && isEqual(valueAt(before?.arguments, each.path), each.declared);
  };
  return differencesFrom(args, observed).filter((each) => isOwn(each) && !isKnown(each));
}

export function tellNormalizations(
  { log, secretPaths = [] }: Pick<Context, "log" | "secretPaths">,
  found: readonly Difference[],
): void {
  const shown = found.filter(({ path: [first] }) => first !== "secrets");
  for (const each of shown) log.warning(`the service ${normalizationText(each, secretPaths)}`);
}

/** In characters; longer values are not shown. */
const longestText = 250;

function normalizationText({ path, declared, seen }: Difference, secretPaths: readonly Path[]): string {
  const place = formatPath(path);
  const short = `changed the value that was sent for ${place}`;
  const isSecret = secretPaths.some((secret) => isWithin(path, secret) || isWithin(secret, path));
  if (isSecret || textsIn([declared, seen]).some(hasCredentials)) return short;
  const text =
    seen === undefined
      ? `dropped ${place}, which was sent as ${JSON.stringify(declared)}`
      : `stored ${place} as ${JSON.stringify(seen)} instead of ${JSON.stringify(declared)}`;
  return text.length <= longestText ? text : short;
}
