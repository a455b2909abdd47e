import type { Dialect, Paths } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Paths, Removal } from "./dialect";

/** All dialects, by the name that the setting `dialect` takes. */
export const dialects: Readonly<Record<string, Dialect>> = { standard, langsmith };

/** The dialects that have a path. */
export function dialectsWith(path: keyof Paths): string[] {
  return Object.values(dialects)
    .filter(({ paths }) => paths[path] !== undefined)
    .map(({ name }) => name);
}

/** The dialect to which a source belongs that is none of this one's; undefined where all is well, or nobody knows it. */
export function dialectOfSource(source: string, { vocabulary, name }: Dialect): string | undefined {
  const isOwn =
    Object.hasOwn(vocabulary.sources, source) || Object.values(vocabulary.sources).includes(source);
  const others = Object.values(dialects).filter((other) => other.name !== name && !isOwn);
  return others.find((other) => Object.values(other.vocabulary.sources).includes(source))?.name;
}

/** A dialect as the service at an address speaks it: the public one, or an installation of one's own. */
export function dialectAt(dialect: Dialect, baseUrl: string): Dialect {
  const { publicHosts, reservedSecrets, namesOnOwnHosts } = dialect;
  const { hostname } = new URL(baseUrl);
  const isPublic = publicHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isPublic) return { ...dialect, namesOf: namesOnOwnHosts };
  const names = [...(reservedSecrets?.names ?? []), ...(reservedSecrets?.onPublicHosts ?? [])];
  return { ...dialect, reservedSecrets: reservedSecrets && { ...reservedSecrets, names } };
}
