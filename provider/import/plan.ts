/** What to import of the deployments that were found, under which names, and what has to stay away. */
import { sources } from "../../schema/fields";
import { isDeleting } from "../deployment/rollout";
import type { Observed } from "../deployment/service";
import type { Values } from "../deployment/values";
import type { Dialect } from "../dialects";
import { configKeyNear, keysFor, Names } from "./names";
import { ownedArguments } from "./owned";

export interface ImportedSecret {
  readonly name: string;
  /** The key of the stack's configuration that is to hold the value. */
  readonly configKey: string;
}

export interface Imported {
  /** The key in the manifest, which is the logical name. */
  readonly key: string;
  readonly observed: Observed;
  /** What the manifest declares: everything but the secrets. */
  readonly args: Values;
  readonly secrets: readonly ImportedSecret[];
  readonly leftOut: readonly string[];
}

export interface Skipped {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface ImportPlan {
  readonly imported: readonly Imported[];
  readonly skipped: readonly Skipped[];
}

export function planImport(found: readonly Observed[], dialect: Dialect): ImportPlan {
  const skipped = found.flatMap((observed) => {
    const reason = reasonAgainst(observed);
    return reason === undefined ? [] : [{ id: observed.id, name: observed.name, reason }];
  });
  const wanted = found.filter((observed) => reasonAgainst(observed) === undefined).sort(byName);
  const keys = keysFor(wanted.map(({ name }) => name));
  const configKeys = new Names();
  const imported = wanted.map((observed, index): Imported => {
    const key = keys[index]!;
    const names = Object.keys(observed.secrets ?? {}).sort();
    const secrets = names.map((name) => ({ name, configKey: configKeys.take(configKeyNear(key, name)) }));
    return { key, observed, secrets, ...ownedArguments(observed, dialect) };
  });
  return { imported, skipped };
}

function reasonAgainst(observed: Observed): string | undefined {
  if (isDeleting(observed)) return `is being deleted (status ${observed.status})`;
  if (!observed.name) return "has no name, and a deployment is declared by its name";
  const isKnown = (sources as readonly string[]).includes(observed.source);
  return isKnown ? undefined : `has the source ${observed.source}, which this version does not know`;
}

function byName(a: Observed, b: Observed): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
}
