/** Decides which of the found deployments to import, under which keys, and which to skip. */
import { sources } from "../../schema/enums";
import { hasPlaceholder } from "../../schema/placeholders";
import { isDeleting, type Observed } from "../../provider/deployment/service";
import type { Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { refusedOnCreate } from "../../provider/dialects/service-rules";
import { userWord, withWords } from "../../provider/dialects/words";
import { uniqueNames } from "../unique-names";
import { sortedByName } from "../terminal/text-table";
import { configKeyNear, keysFor } from "./keys";
import { declaredArguments } from "../../provider/lookup/declared-arguments";

export interface ImportedSecret {
  readonly name: string;
  /** The configuration key for the value. */
  readonly configKey: string;
}

export interface Imported {
  /** The key in the manifest, and so the logical name. */
  readonly key: string;
  /** As the service returns it, without credentials in the repository's address. */
  readonly observed: Observed;
  /** The arguments as a user writes them, without secrets. */
  readonly args: Values;
  readonly secrets: readonly ImportedSecret[];
  readonly leftOut: readonly string[];
}

/** @param wantedKey the preferred key of a deployment; the default is its name */
export function chooseImports(found: readonly Observed[], dialect: Dialect, wantedKey?: string) {
  const all = sortedByName(found).map((observed) => ({ observed, reason: reasonAgainst(observed) }));
  const wanted = all.flatMap(({ observed, reason }) => (reason === undefined ? [observed] : []));
  const skipped = all.flatMap(({ observed: { id, name }, reason }) =>
    reason === undefined ? [] : [{ id, name, reason }],
  );
  const keys = keysFor(wanted.map(({ name }) => wantedKey ?? name));
  const takeKey = uniqueNames();
  const imported = wanted.map((observed, index): Imported => {
    const key = keys[index]!;
    const names = Object.keys(observed.secrets ?? {}).sort();
    const secrets = names.map((name) => ({ name, configKey: takeKey(configKeyNear(key, name)) }));
    const { args, leftOut } = declaredArguments(observed, dialect);
    // Rules for new deployments do not hold for one that exists, and `validate` does not know that it does.
    const isOlder = refusedOnCreate(args, dialect).length > 0;
    const written = withWords({ ...args, ...(isOlder && { adopt: true }) }, userWord, dialect);
    return { key, observed, secrets, args: written, leftOut };
  });
  return { imported, skipped };
}

function reasonAgainst(observed: Observed): string | undefined {
  if (isDeleting(observed)) return `is being deleted (status ${observed.status})`;
  if (observed.owner !== undefined) return `is a ${observed.owner.what}, which ${observed.owner.owns}`;
  if (observed.id === "") return "has no id that can be used in a request";
  if (!observed.name) return "has no name, which a declaration needs";
  if (hasPlaceholder(observed.name))
    return "has a name with an unreplaced CI variable, which cannot be declared";
  if (observed.source === "") return "has no source, which a declaration needs";
  const isKnown = (sources as readonly string[]).includes(observed.source);
  return isKnown ? undefined : `has the source ${observed.source}, which this version does not know`;
}
