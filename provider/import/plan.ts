/** What to import of the deployments that were found, under which names, and what has to stay away. */
import { sources } from "../../schema/enums";
import { withoutTokens } from "../deployment/lookup";
import { isDeleting, type Observed } from "../deployment/service";
import type { Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { Existing, type Match } from "./existing";
import { configKeyNear, keysFor, uniqueNames } from "./names";
import { declaredArguments } from "./declared-arguments";

export interface ImportedSecret {
  readonly name: string;
  /** The key of the stack's configuration that is to hold the value. */
  readonly configKey: string;
}

export interface Imported {
  /** The key in the manifest, which is the logical name. */
  readonly key: string;
  /** As the service has it, without the credentials in the address of its repository. */
  readonly observed: Observed;
  /** What the manifest declares: everything but the secrets. */
  readonly args: Values;
  readonly secrets: readonly ImportedSecret[];
  readonly leftOut: readonly string[];
  /** Addresses of `sourceConfig` that are shown without the user, password or token in them. */
  readonly cutAddresses?: readonly string[];
}

export interface Skipped {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface ImportPlan {
  /** What the manifest does not have yet. */
  readonly imported: readonly Imported[];
  /** What it has: it stays there as it is. The stack may have it or not. */
  readonly kept: readonly Imported[];
  readonly skipped: readonly Skipped[];
}

interface Found {
  readonly observed: Observed;
  /** The deployment of the manifest that it is. */
  readonly match: Match | undefined;
}

/** @param wantedKeys by the ids of deployments; without one, a deployment's name is taken */
export function planImport(
  found: readonly Observed[],
  dialect: Dialect,
  existing: Existing = new Existing(),
  wantedKeys: ReadonlyMap<string, string> = new Map(),
): ImportPlan {
  const skipped: Skipped[] = [];
  const skip = ({ id, name }: Observed, reason: string | undefined) => {
    if (reason !== undefined) skipped.push({ id, name, reason });
    return reason !== undefined;
  };
  const matched = found
    .filter((observed) => !skip(observed, reasonAgainst(observed)))
    .sort(byName)
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
    return { key, observed: shown, secrets, cutAddresses, ...declaredArguments(shown, dialect, declared) };
  };
  return {
    imported: added.map((each, index) => importedAs(each, keys[index]!)),
    kept: wanted.filter((each) => !isNew(each)).map((each) => importedAs(each, each.match!.key)),
    skipped,
  };
}

function reasonAgainst(observed: Observed): string | undefined {
  if (isDeleting(observed)) return `is being deleted (status ${observed.status})`;
  if (!observed.name) return "has no name, and a deployment is declared by its name";
  const isKnown = (sources as readonly string[]).includes(observed.source);
  return isKnown ? undefined : `has the source ${observed.source}, which this version does not know`;
}

/** What one stack declares and another does not, an import could only bring into the wrong one. */
function doubtAbout(match: Match | undefined): string | undefined {
  if (match?.doubt === undefined) return undefined;
  return `may be what the manifest declares as ${match.key}: ${match.doubt}`;
}

function sameName(first: string | undefined): string | undefined {
  return first === undefined ? undefined : `has the same name as ${first}, and a name is declared once`;
}

function byName(a: Observed, b: Observed): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
}
