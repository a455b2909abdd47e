/** One's own databases, in the variables that a dialect names. No two deployments may share one. */
import { asObject, isObject, unknownValue, valueAt, type Path, type Values } from "../../schema/tree";
import type { Dialect } from "./dialect";

export interface OwnDatabase {
  readonly path: Path;
  /** Equal for equal databases. Never shown, since it may contain a password. */
  readonly identity: string;
}

/** Where the platform sets these variables itself, they cannot be declared. */
export function databaseVariables({ databases, reservedSecrets }: Dialect): string[] {
  return databases.filter((name) => !reservedSecrets.includes(name));
}

/** Those of a deployment whose values are known. */
export function databasesOf(args: Values, dialect: Dialect): OwnDatabase[] {
  return databaseVariables(dialect).flatMap((name) => {
    const text = asObject(args["secrets"])[name];
    if (typeof text === "string" && text !== "") return [{ path: ["secrets", name], identity: text }];
    const reference = asObject(args["secretReferences"])[name];
    if (!isObject(reference)) return [];
    // Names of secrets are those of one namespace.
    const place = ["listenerId", "listenerConfig"].map((each) => valueAt(args, ["sourceConfig", each]));
    const parts = [reference["secretName"], reference["secretKey"], ...place];
    if (parts.includes(unknownValue)) return [];
    return [{ path: ["secretReferences", name], identity: JSON.stringify(parts) }];
  });
}

/** The reason after the variable. @param other the deployment that has it too */
export function sharedDatabaseText(other: string): string {
  return `is the same database as that of "${other}": two deployments must never share one, so give each its own`;
}
