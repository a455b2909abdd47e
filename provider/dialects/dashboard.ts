import type { Dialect } from "./dialect";

/**
 * Where the service at an address shows a deployment: `{tenant_id}` and `{id}` are replaced. Undefined if it has no such page.
 *
 * @param given the address of its pages, where that of the service does not tell
 */
export function dashboardAt({ dashboard }: Dialect, baseUrl: string, given?: string): string | undefined {
  if (dashboard === undefined) return undefined;
  const address = Object.entries(dashboard.addresses).reduce(
    (text, [pattern, replacement]) => text.replace(new RegExp(pattern), replacement),
    baseUrl,
  );
  return (given ?? address) + dashboard.path;
}
