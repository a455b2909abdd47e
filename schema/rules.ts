/** Rules between fields. They also check incomplete values, so that a file shows all its problems at once. */
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
      ? [problem(`only source internal_source supports a folder, but the source is ${source}`)]
      : []),
    ...(sourceTarballPath !== null
      ? [
          problem(
            "cannot be combined with sourceRevisionConfig.sourceTarballPath: the folder's upload determines that path",
          ),
        ]
      : []),
    ...(typeof revisionSource === "string" && revisionSource !== "internal_source"
      ? [
          problem(
            `cannot be combined with revisionSource ${revisionSource}: its revisions are internal_source`,
          ),
        ]
      : []),
  ];
}

function rulesOfReferences(deployment: Readonly<Record<string, unknown>>): Problem[] {
  const { source, secrets, secretReferences } = deployment;
  if (secretReferences === undefined || secretReferences === null) return [];
  const takers: readonly string[] = sourcesOf["secretReferences"]!;
  if (typeof source === "string" && !takers.includes(source)) {
    const message = `only source ${takers.join(", ")} supports secret references, but the source is ${source}; use secrets`;
    return [{ path: ["secretReferences"], message, rule: "fields" }];
  }
  const taken = new Set(namesIn(secrets));
  return namesIn(secretReferences)
    .filter((name) => taken.has(name))
    .map((name) => ({
      path: ["secretReferences", name],
      message: "is also in `secrets`; use only one of them",
      rule: "fields",
    }));
}

function namesIn(map: unknown): string[] {
  return typeof map === "object" && map !== null ? Object.keys(map) : [];
}

/** The message for two resources with the same name on the service. */
export function hasNameOf(resource: string, other: string): string {
  return `"${resource}" has the name that "${other}" has`;
}
