import type { Dialect, Paths } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Paths, Removal } from "./dialect";

/** All dialects, by name. */
export const dialects: Readonly<Record<string, Dialect>> = { standard, langsmith };

/** Names of the dialects that define a path. */
export function dialectsWith(path: keyof Paths): string[] {
  return Object.values(dialects)
    .filter(({ paths }) => paths[path] !== undefined)
    .map(({ name }) => name);
}

/** The other dialect that has a source which this one lacks. Undefined if this dialect has it, or none does. */
export function dialectOfSource(source: string, { vocabulary, name }: Dialect): string | undefined {
  const isOwn =
    Object.hasOwn(vocabulary.sources, source) || Object.values(vocabulary.sources).includes(source);
  const others = Object.values(dialects).filter((other) => other.name !== name && !isOwn);
  return others.find((other) => Object.values(other.vocabulary.sources).includes(source))?.name;
}

/** The variables of all vendors' own tools for a setting. */
export function vendorVariablesFor(setting: string): string[] {
  return Object.values(dialects).flatMap(({ vendorVariables }) => vendorVariables[setting] ?? []);
}

/** The vendor's own variable for a setting; undefined for every address that is not the public service's. */
export function vendorVariable(dialect: Dialect, baseUrl: string, setting: string): string | undefined {
  const isPublic = Object.values(dialect.regions).some((region) => region === new URL(baseUrl).origin);
  return isPublic ? dialect.vendorVariables[setting] : undefined;
}

/** The dialect with the rules for an address: the public service, or a self-hosted installation. */
export function dialectAt(dialect: Dialect, baseUrl: string): Dialect {
  const { publicHosts, reservedSecrets, namesOnOwnHosts } = dialect;
  const { hostname } = new URL(baseUrl);
  const isPublic = publicHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isPublic) return { ...dialect, namesOf: namesOnOwnHosts };
  const conflicts = [...dialect.conflicts, ...dialect.conflictsOnPublicHosts];
  const names = [...(reservedSecrets?.names ?? []), ...(reservedSecrets?.onPublicHosts ?? [])];
  return { ...dialect, conflicts, reservedSecrets: reservedSecrets && { ...reservedSecrets, names } };
}
