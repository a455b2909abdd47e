/** What a command finds out about the dialect: that it lacks something, or is not the service's. */
import type { Observed } from "../deployment/service";
import { dialectOfSource, dialectsWith, type Dialect, type Paths } from "../dialects";
import { settingNamed } from "../settings/table";
import { sanitize } from "../text/sanitize";

/**
 * Throws where a service of this dialect has no such endpoint.
 *
 * @param what it lacks then: `logs to ask for`
 */
export function requirePath(path: keyof Paths, what: string, dialect: Dialect): void {
  if (dialect.paths[path] !== undefined) return;
  const others = dialectsWith(path).join(" or ");
  throw new Error(
    `a service of dialect ${dialect.name} has no ${what}. If the service speaks dialect ${others}, set ${settingNamed("dialect")}`,
  );
}

/** Says that the service's responses are in another dialect's words; undefined where they are not. */
export function otherDialect(found: readonly Observed[], dialect: Dialect): string | undefined {
  for (const { name, source } of found) {
    const spoken = dialectOfSource(source, dialect);
    if (spoken === undefined) continue;
    return (
      `the service speaks dialect ${spoken} (the source of ${sanitize(name)} is ${source}), and the dialect is set to ` +
      `${dialect.name}: set \`dialect: ${spoken}\`, which is ${settingNamed("dialect")}`
    );
  }
  return undefined;
}
