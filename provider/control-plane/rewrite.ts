/**
 * Objects that the service stores as a whole: what is sent replaces all of it. What others set in it, this version's
 * unknown fields included, is sent along as it is.
 */
import { isObject, valueAt, withValueAt, type Values } from "../values";

/**
 * @param places of such objects, on the wire
 * @param readCurrent the deployment as the service answers it; asked for only where it is needed
 */
export async function withWhatOthersSet(
  body: Values,
  places: readonly (readonly string[])[],
  readCurrent: () => Promise<Values | undefined>,
): Promise<Values> {
  const touched = places.filter((place) => isObject(valueAt(body, place)));
  if (touched.length === 0) return body;
  const current = await readCurrent();
  return touched.reduce<Values>((all, place) => {
    const [before, sent] = [valueAt(current, place), valueAt(body, place)];
    const whole = { ...(isObject(before) ? before : {}), ...(sent as Values) };
    const set = Object.entries(whole).filter(([, value]) => value !== null);
    return withValueAt(all, place, Object.fromEntries(set));
  }, body);
}
