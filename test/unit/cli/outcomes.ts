import { expect } from "vitest";

/** A text that holds this one, or matches it. */
export const holding = (text: string | RegExp): string =>
  typeof text === "string"
    ? (expect.stringContaining(text) as string)
    : (expect.stringMatching(text) as string);

/** The outcome of a command that prints nothing but the reason. */
export const refused = (reason: string | RegExp, code = 2) => ({ code, stdout: "", stderr: holding(reason) });
