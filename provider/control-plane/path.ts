/** A path with its places filled in, each escaped: `/v2/deployments/{id}`. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
