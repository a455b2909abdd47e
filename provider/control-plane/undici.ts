/**
 * Loads the HTTP library, a hundred files, when a connection is made. A check or a preview does not need it.
 */
import type * as Undici from "undici";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a constructor cannot wait for an import
export const loadUndici = () => require("undici") as typeof Undici;
