import type { Dialect } from "./dialect";

/** Where the service at an address shows a deployment: `{tenant_id}` and `{id}` are replaced. Undefined if it has no such page. */
export function dashboardAt({ dashboard }: Dialect, baseUrl: string): string | undefined {
  if (dashboard === undefined) return undefined;
  const address = Object.entries(dashboard.addresses).reduce(
    (text, [pattern, replacement]) => text.replace(new RegExp(pattern), replacement),
    baseUrl,
  );
  return address + dashboard.path;
}
