/** Reports that the dialect lacks an endpoint, or that the service speaks another dialect. */
import type { Observed } from "../deployment/service";
import { dialectOfSource, dialectsWith, type Dialect, type Paths } from "../dialects";
import { settingNamed } from "../settings/table";
import { sanitize } from "../text/sanitize";

/**
 * Throws if the dialect has no such endpoint.
 * @param what the name of the missing feature: `logs`
 */
export function requirePath(path: keyof Paths, what: string, dialect: Dialect): void {
  if (dialect.paths[path] !== undefined) return;
  const others = dialectsWith(path).join(" or ");
  throw new Error(
    `dialect ${dialect.name} does not support ${what}. If the service speaks dialect ${others}, set ${settingNamed("dialect")}`,
  );
}

/** The message for a service that speaks another dialect; undefined if it speaks the configured one. */
export function otherDialect(found: readonly Observed[], dialect: Dialect): string | undefined {
  for (const { name, source } of found) {
    const spoken = dialectOfSource(source, dialect);
    if (spoken === undefined) continue;
    return (
      `the service speaks dialect ${spoken} (the source of ${sanitize(name)} is ${source}), but the configured dialect is ` +
      `${dialect.name}: set ${settingNamed("dialect")} to ${spoken}`
    );
  }
  return undefined;
}
