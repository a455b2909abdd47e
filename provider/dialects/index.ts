import type { Conflict, Dialect, NameRule, Paths, PlaceRules } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Paths, Removal, Scaling, VendorTools } from "./dialect";

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

const unknownHere = "whether this applies in your own cloud is not known";

/** The dialect with the rules of the place where the service at an address runs. */
export function dialectAt(dialect: Dialect, baseUrl: string, dashboard = ""): Dialect {
  const address = new URL(baseUrl).href.replace(/\/$/, "");
  const place = dialect.places.find(
    (each) => new RegExp(each.address).test(address) && new RegExp(each.dashboard ?? "").test(dashboard),
  );
  if (place === undefined) return dialect;
  const { rules, perhaps } = place;
  const doubtful = <T extends Conflict | NameRule>(rule: T): T => ({
    ...rule,
    reason: `${rule.reason}; ${unknownHere}`,
    isWarning: true,
  });
  const namesOf = (all: readonly PlaceRules[]) => all.flatMap((each) => Object.entries(each.namesOf ?? {}));
  const conflictsOf = (all: readonly PlaceRules[]) => all.flatMap(({ conflicts = [] }) => conflicts);
  const reserved = dialect.reservedSecrets;
  return {
    ...dialect,
    conflicts: [...dialect.conflicts, ...conflictsOf(rules), ...conflictsOf(perhaps).map(doubtful)],
    namesOf: Object.fromEntries([
      ...namesOf(rules),
      ...namesOf(perhaps).map(([source, rule]) => [source, doubtful(rule)] as const),
    ]),
    reservedSecrets: reserved && {
      names: [...reserved.names, ...reservedIn(rules)],
      perhaps: reservedIn(perhaps),
    },
  };
}

/** Names that the platform sets itself in some places, not everywhere. */
export function reservedInPlaces({ places }: Dialect): string[] {
  return [...new Set(reservedIn(places.flatMap(({ rules }) => rules)))];
}

function reservedIn(rules: readonly PlaceRules[]): string[] {
  return rules.flatMap(({ reservedSecrets = [] }) => reservedSecrets);
}

/** The address of the control plane, given that of the API or its own. */
export function controlPlaneAt({ vendor }: Dialect, address: string): string {
  for (const [pattern, replacement] of Object.entries(vendor?.apiAddresses ?? {}))
    if (new RegExp(pattern).test(address)) return address.replace(new RegExp(pattern), replacement);
  return address;
}
