import { sameNameText } from "../../schema/rules";
import type { Failure } from "../deployment/check";
import { logicalName } from "../text/urn";

/** The names that a run declares. Two resources of one name would share a deployment, or one of them would fail. */
export class DeclaredNames {
  readonly #resources = new Map<string, string>();

  /** @param provider the connection: two services may have deployments of the same name */
  declare(name: unknown, provider: string, resource: string): Failure[] {
    if (typeof name !== "string") return [];
    const key = JSON.stringify([provider, name]);
    const other = this.#resources.get(key) ?? resource;
    this.#resources.set(key, other);
    if (other === resource) return [];
    return [{ property: "name", reason: sameNameText(logicalName(resource), logicalName(other)) }];
  }
}
