/** Rules between fields. They look at values that may be incomplete, so that a file shows all its problems at once. */
import type { Problem } from "./problems";
import { sourcesOf } from "./sources";

export function rulesOf(deployment: Readonly<Record<string, unknown>>): Problem[] {
  const { source, secrets, secretReferences } = deployment;
  if (secretReferences === undefined || secretReferences === null) return [];
  const takers: readonly string[] = sourcesOf["secretReferences"]!;
  if (typeof source === "string" && !takers.includes(source)) {
    const message = `only source ${takers.join(", ")} takes secret references, this one is ${source}; use secrets`;
    return [{ path: ["secretReferences"], message, rule: "fields" }];
  }
  const taken = new Set(namesIn(secrets));
  return namesIn(secretReferences)
    .filter((name) => taken.has(name))
    .map((name) => ({
      path: ["secretReferences", name],
      message: "is in `secrets` too, and the application can have only one of them",
      rule: "fields",
    }));
}

function namesIn(map: unknown): string[] {
  return typeof map === "object" && map !== null ? Object.keys(map) : [];
}

/** Two resources of one name; both as the program calls them. */
export function hasNameOf(resource: string, other: string): string {
  return `"${resource}" has the name that "${other}" has`;
}
