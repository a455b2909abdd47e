import type { Dialect } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Removal } from "./dialect";

/** All dialects, by the name that the setting `dialect` takes. */
export const dialects: Readonly<Record<string, Dialect>> = { standard, langsmith };

/** A dialect as the service at an address speaks it: the public one, or an installation of one's own. */
export function dialectAt(dialect: Dialect, baseUrl: string): Dialect {
  const { publicHosts, reservedSecrets, namesOnOwnHosts } = dialect;
  const { hostname } = new URL(baseUrl);
  const isPublic = publicHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isPublic) return { ...dialect, namesOf: namesOnOwnHosts };
  const names = [...(reservedSecrets?.names ?? []), ...(reservedSecrets?.onPublicHosts ?? [])];
  return { ...dialect, reservedSecrets: reservedSecrets && { ...reservedSecrets, names } };
}
