import type { Dialect } from "./dialect";
import { langsmith } from "./langsmith";
import { standard } from "./standard";

export type { Dialect, Removal } from "./dialect";

/** All dialects, by the name that the setting `dialect` takes. */
export const dialects: Readonly<Record<string, Dialect>> = { standard, langsmith };

/** A dialect as the service at an address speaks it: a public service reserves more names than one's own. */
export function dialectAt(dialect: Dialect, baseUrl: string): Dialect {
  const { reservedSecrets } = dialect;
  if (reservedSecrets === undefined) return dialect;
  const { names, onPublicHosts } = reservedSecrets;
  const { hostname } = new URL(baseUrl);
  const isPublic = onPublicHosts.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isPublic) return dialect;
  return { ...dialect, reservedSecrets: { onPublicHosts, names: [...names, ...onPublicHosts.names] } };
}
