/** One's own databases, in the variables that a dialect names. No two deployments may share one. */
import type { Dialect } from "./dialect";

/** Where the platform sets these variables itself, they cannot be declared. */
export function databaseVariables({ databases, reservedSecrets }: Dialect): string[] {
  return databases.filter((name) => !reservedSecrets.includes(name));
}

/** The reason after the variable. @param other the deployment that has it too */
export function sharedDatabaseText(other: string): string {
  return `is the same database as that of "${other}": two deployments must never share one, so give each its own`;
}
