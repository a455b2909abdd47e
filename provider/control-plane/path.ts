import { DeploymentError } from "../errors";

/** A path with its places filled in, each escaped: `/v2/deployments/{id}`. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => partOf(values[name] ?? ""));
}

function partOf(value: string): string {
  // No escape keeps these from being a step to another path.
  if (/^\.{0,2}$/.test(value)) throw new DeploymentError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}
