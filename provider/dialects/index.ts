import type { Dialect } from "./dialect";
import { standard } from "./standard";

export type { Dialect } from "./dialect";

/** All dialects, by the name that the setting `dialect` takes. */
export const dialects: Readonly<Record<string, Dialect>> = { standard };
