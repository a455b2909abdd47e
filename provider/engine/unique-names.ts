import { hasNameOf } from "../../schema/rules";
import type { Failure } from "../deployment/check";
import { logicalName } from "../urn";

/**
 * The names that the resources of one run declare. A service knows a deployment by its name: two resources of one name would
 * be one deployment, or one of them none.
 */
export class UniqueNames {
  readonly #resources = new Map<string, string>();

  /**
   * @param name undefined where it is not known yet
   * @param provider the connection: two services may both have the name
   * @param resource its URN, which ends with its name in the program
   */
  declare(name: unknown, provider: string, resource: string): Failure[] {
    if (typeof name !== "string") return [];
    const place = JSON.stringify([provider, name]);
    const other = this.#resources.get(place) ?? resource;
    this.#resources.set(place, other);
    if (other === resource) return [];
    return [{ property: "name", reason: hasNameOf(logicalName(resource), logicalName(other)) }];
  }
}
