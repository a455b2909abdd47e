/** Rules between fields. They look at values that may be incomplete, so that a file shows all its problems at once. */
import type { Problem } from "./problems";
import { sourcesOf } from "./sources";

export function rulesOf(deployment: Readonly<Record<string, unknown>>): Problem[] {
  return [...rulesOfReferences(deployment), ...rulesOfDirectory(deployment)];
}

function rulesOfDirectory(deployment: Readonly<Record<string, unknown>>): Problem[] {
  const { source, sourceDirectory, sourceRevisionConfig, revisionSource } = deployment;
  if (sourceDirectory === undefined || sourceDirectory === null) return [];
  const problem = (message: string): Problem => ({ path: ["sourceDirectory"], message, rule: "fields" });
  const { sourceTarballPath = null } = (sourceRevisionConfig ?? {}) as { sourceTarballPath?: unknown };
  return [
    ...(typeof source === "string" && source !== "internal_source"
      ? [problem(`only source internal_source takes a folder, this one is ${source}`)]
      : []),
    ...(sourceTarballPath !== null
      ? [
          problem(
            "cannot stand beside sourceRevisionConfig.sourceTarballPath: the upload of the folder decides that path",
          ),
        ]
      : []),
    ...(typeof revisionSource === "string" && revisionSource !== "internal_source"
      ? [problem(`cannot stand beside revisionSource ${revisionSource}: its revisions are internal_source`)]
      : []),
  ];
}

function rulesOfReferences(deployment: Readonly<Record<string, unknown>>): Problem[] {
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
