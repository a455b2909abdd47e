import { DeploymentError } from "../errors";

/** Fills in the placeholders of a path such as `/v2/deployments/{id}`, escaped. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ""));
}

function encodeSegment(value: string): string {
  // Escaping does not stop these from changing the path.
  if (/^\.{0,2}$/.test(value)) throw new DeploymentError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}
