import type { Path, Values } from "../../schema/tree";
import type { Dialect, Paths } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Owner, Paths, Removal, VendorTools } from "./dialect";

/** All dialects, by name. */
export const dialects: Readonly<Record<string, Dialect>> = { standard, langsmith };

/** Names of the dialects that define a path. */
export function dialectsWith(path: keyof Paths): string[] {
  return Object.values(dialects)
    .filter(({ paths }) => paths[path] !== undefined)
    .map(({ name }) => name);
}

/** The dialect that spells a source this way in responses. Undefined if that does not distinguish them. */
export function dialectSpelling(source: string): string | undefined {
  const all = Object.values(dialects);
  const isOurs = all.some(({ vocabulary }) => Object.hasOwn(vocabulary.sources, source));
  return all.find(
    ({ vocabulary: { sources } }) =>
      Object.values(sources).includes(source) || (isOurs && !Object.hasOwn(sources, source)),
  )?.name;
}

/** The dialect with the rules of the place where the service at an address runs. */
export function dialectAt(dialect: Dialect, baseUrl: string, dashboard = ""): Dialect {
  const address = new URL(baseUrl).href.replace(/\/$/, "");
  const place = dialect.places.find(
    (each) => new RegExp(each.address).test(address) && new RegExp(each.dashboard ?? "").test(dashboard),
  );
  if (place === undefined) return dialect;
  const { conflicts = [], namesOf = {}, reservedSecrets = [] } = place;
  return {
    ...dialect,
    conflicts: [...dialect.conflicts, ...conflicts],
    namesOf,
    reservedSecrets: [...dialect.reservedSecrets, ...reservedSecrets],
  };
}

/** Names that the platform sets itself in some places, not everywhere. */
export function reservedInPlaces({ places }: Dialect): string[] {
  return [...new Set(places.flatMap(({ reservedSecrets = [] }) => reservedSecrets))];
}

/** The address of the control plane, given that of the API or its own. */
export function controlPlaneAt({ vendor }: Dialect, address: string): string {
  return rewrite(address, vendor?.apiAddresses);
}

/**
 * Where the service at an address shows a deployment: `{tenant_id}` and `{id}` are replaced. Undefined if it has no such page.
 *
 * @param given the address of its pages, where that of the service does not tell
 */
export function dashboardAt({ dashboard }: Dialect, baseUrl: string, given?: string): string | undefined {
  return dashboard && (given ?? rewrite(baseUrl, dashboard.addresses)) + dashboard.path;
}

/** The address after the first of the replacements whose pattern fits. */
function rewrite(address: string, replacements: Readonly<Record<string, string>> = {}): string {
  const found = Object.entries(replacements).find(([pattern]) => new RegExp(pattern).test(address));
  return found === undefined ? address : address.replace(new RegExp(found[0]), found[1]);
}

export type RevisionOutcome = "failed" | "deployed" | "stopped" | "skipped";

/** How a revision with that status has ended; undefined for one that a dialect does not list, which is in progress. */
export function revisionOutcome(
  status: string,
  { revisionStatuses: known }: Dialect,
): RevisionOutcome | undefined {
  if (known === undefined) return undefined;
  if (Object.hasOwn(known.failed, status)) return "failed";
  if (status === known.stopped) return "stopped";
  if (status === known.skipped) return "skipped";
  return status === known.deployed ? "deployed" : undefined;
}

/** Whether a revision with that status has ended, successfully or not. */
export function hasEnded(status: string, dialect: Dialect): boolean {
  return revisionOutcome(status, dialect) !== undefined;
}

/** What keeps the name after the deployment is deleted, if anything does. */
export function keeperOfName(args: Values, { nameKeeper }: Dialect): Dialect["nameKeeper"] {
  return nameKeeper !== undefined && args[nameKeeper.freedBy] === true ? undefined : nameKeeper;
}

/** The rule for a path: its own, or that of the nearest enclosing path. */
export function ruleFor<T>(rules: Readonly<Record<string, T>>, path: Path): T | undefined {
  const around = path.map((_, index) => path.slice(0, index + 1).join("."));
  const nearest = around.findLast((each) => Object.hasOwn(rules, each));
  return nearest === undefined ? undefined : rules[nearest];
}
