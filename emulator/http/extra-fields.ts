import { isObject, type Json } from "../json";
import type { Shape } from "../shape";

/** What a later version of the service might add: a reader must not mind it. */
const later: Json = { added_later: { since: "v3", items: [1, null] } };

/**
 * Adds a key to each object that has a known shape. Objects whose keys are the user's own (labels,
 * annotations and the like) stay as they are: a key there would be drift, not a newer version.
 */
export function addExtraFields(value: Json, shape?: Shape): Json {
  if (Array.isArray(value)) {
    const items = shape?.kind === "list" ? shape.of : shape;
    return value.map((item) => addExtraFields(item, items));
  }
  if (!isObject(value) || shape?.kind === "free") return value;
  const fields = shape?.kind === "object" ? shape.fields : {};
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    addExtraFields(member, fields[key]),
  ]);
  return { ...Object.fromEntries(members), ...structuredClone(later as object) };
}
