import { sameNameText } from "../../schema/rules";
import { asObject, type Values } from "../../schema/tree";
import type { Failure } from "../deployment/check";
import type { Dialect } from "../dialects";
import { databaseVariables, sharedDatabaseText } from "../dialects/databases";
import { logicalName } from "../text/urn";

/** What a run declares that only one resource may have. Two resources of one name would share a deployment, or one of them would fail. */
export class DeclaredOnce {
  readonly #resources = new Map<string, string>();

  /** @param provider the connection: two services may have deployments of the same name */
  declare(args: Values, provider: string, resource: string, dialect: Dialect): Failure[] {
    const { name } = args;
    const other = typeof name === "string" ? this.#otherWith([provider, name], resource) : undefined;
    const sameName = other && { property: "name", reason: sameNameText(logicalName(resource), other) };
    const sameDatabases = databaseVariables(dialect).flatMap((variable) => {
      const address = asObject(args["secrets"])[variable];
      const isKnown = typeof address === "string" && address !== "";
      const owner = isKnown ? this.#otherWith(["secrets", variable, address], resource) : undefined;
      return owner ? [{ property: `secrets.${variable}`, reason: sharedDatabaseText(owner) }] : [];
    });
    return [...(sameName ? [sameName] : []), ...sameDatabases];
  }

  /** The logical name of another resource that has declared the same. */
  #otherWith(declared: readonly unknown[], resource: string): string | undefined {
    const key = JSON.stringify(declared);
    const other = this.#resources.get(key) ?? resource;
    this.#resources.set(key, other);
    return other === resource ? undefined : logicalName(other);
  }
}
