/**
 * Loaded when a connection is made, which is before anything is sent: a check or a preview needs none of its hundred files.
 */
import type * as Undici from "undici";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a constructor cannot wait for an import
export const loadUndici = () => require("undici") as typeof Undici;
