/** Decides which of the found deployments to import, under which keys, and which to skip. */
import { sources } from "../../schema/enums";
import { withoutTokens } from "../../provider/deployment/lookup";
import { isDeleting, type Observed } from "../../provider/deployment/service";
import type { Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { refusedOnCreate } from "../../provider/dialects/service-rules";
import { userWord, withWords } from "../../provider/dialects/words";
import { Existing, type Match } from "./existing";
import { uniqueNames } from "../../provider/text/unique-names";
import { configKeyNear, keysFor } from "./keys";
import { declaredArguments } from "../../provider/deployment/declared-arguments";

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
  /** The fields of `sourceConfig` whose addresses lost a user, password or token. */
  readonly cutAddresses?: readonly string[];
}

interface Skipped {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface ImportChoice {
  /** Deployments that the manifest does not have yet. */
  readonly imported: readonly Imported[];
  /** Deployments that the manifest already has and keeps unchanged. The stack may not have them yet. */
  readonly kept: readonly Imported[];
  readonly skipped: readonly Skipped[];
}

interface Found {
  readonly observed: Observed;
  /** The matching deployment of the manifest. */
  readonly match: Match | undefined;
}

/**
 * @param wantedKeys preferred keys by deployment id; the default is the deployment's name
 * @param managed the logical names of the stack's own deployments by id
 */
export function chooseImports(
  found: readonly Observed[],
  dialect: Dialect,
  existing: Existing = new Existing(),
  wantedKeys: ReadonlyMap<string, string> = new Map(),
  managed: ReadonlyMap<string, string> = new Map(),
): ImportChoice {
  const skipped: Skipped[] = [];
  const skip = ({ id, name }: Observed, reason: string | undefined) => {
    if (reason !== undefined) skipped.push({ id, name, reason });
    return reason !== undefined;
  };
  const matched = [...found]
    .sort(compareNames)
    .filter((observed) => !skip(observed, alreadyManaged(observed, managed) ?? reasonAgainst(observed)))
    .map((observed): Found => ({ observed, match: existing.find(observed.name) }));
  const firstOf = new Map<string, string>();
  const wanted = matched.filter(({ observed, match }) => {
    const name = observed.name;
    if (skip(observed, doubtAbout(match) ?? sameName(firstOf.get(name)))) return false;
    firstOf.set(name, observed.id);
    return true;
  });
  const isNew = ({ match }: Found) => match === undefined;
  const added = wanted.filter(isNew);
  const keys = keysFor(
    added.map(({ observed: { id, name } }) => wantedKeys.get(id.toLowerCase()) ?? name),
    existing.keys,
  );
  const takeKey = uniqueNames(existing.configKeys);
  const importedAs = ({ observed, match }: Found, key: string): Imported => {
    const names = match === undefined ? Object.keys(observed.secrets ?? {}).sort() : [];
    const secrets = names.map((name) => ({ name, configKey: takeKey(configKeyNear(key, name)) }));
    const shown = withoutTokens(observed);
    const hasChanged = (name: string) => shown.sourceConfig[name] !== observed.sourceConfig[name];
    const cutAddresses = Object.keys(shown.sourceConfig).filter(hasChanged);
    const declared = match?.declared ?? existing.defaults;
    const { args, leftOut } = declaredArguments(shown, dialect, declared);
    // Rules for new deployments do not hold for one that exists, and `validate` does not know that it does.
    const isOlder = match === undefined && refusedOnCreate(args, dialect).length > 0;
    const written = withWords({ ...args, ...(isOlder && { adopt: true }) }, userWord, dialect);
    return { key, observed: shown, secrets, cutAddresses, args: written, leftOut };
  };
  return {
    imported: added.map((each, index) => importedAs(each, keys[index]!)),
    kept: wanted.filter((each) => !isNew(each)).map((each) => importedAs(each, each.match!.key)),
    skipped,
  };
}

function alreadyManaged({ id }: Observed, managed: ReadonlyMap<string, string>): string | undefined {
  const name = managed.get(id.toLowerCase());
  return name === undefined ? undefined : `is already in the stack, as ${name}`;
}

function reasonAgainst(observed: Observed): string | undefined {
  if (isDeleting(observed)) return `is being deleted (status ${observed.status})`;
  if (observed.owner !== undefined) return `is a ${observed.owner.what}, which ${observed.owner.owns}`;
  if (observed.id === "") return "has no id that can be used in a request";
  if (!observed.name) return "has no name, which a declaration needs";
  if (observed.source === "") return "has no source, which a declaration needs";
  const isKnown = (sources as readonly string[]).includes(observed.source);
  return isKnown ? undefined : `has the source ${observed.source}, which this version does not know`;
}

/** If only some stacks declare it, the import could end up in the wrong stack. */
function doubtAbout(match: Match | undefined): string | undefined {
  if (match?.doubt === undefined) return undefined;
  return `may be the one that the manifest declares as ${match.key}: ${match.doubt}`;
}

function sameName(first: string | undefined): string | undefined {
  return first === undefined ? undefined : `has the same name as ${first}, and only one can be declared`;
}

function compareNames(a: Observed, b: Observed): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
}
