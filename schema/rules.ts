/** Rules between fields. They look at values that may be incomplete, so that a file shows all its problems at once. */
import type { Problem } from "./problems";

export function rulesOf(deployment: Readonly<Record<string, unknown>>): Problem[] {
  const { source, secretReferences } = deployment;
  const problems: Problem[] = [];
  const hasReferences = secretReferences !== undefined && secretReferences !== null;
  if (hasReferences && typeof source === "string" && source !== "external_container") {
    problems.push({
      path: ["secretReferences"],
      message: `only source external_container takes secret references, this one is ${source}; use secrets`,
      rule: "fields",
    });
  }
  return problems;
}
