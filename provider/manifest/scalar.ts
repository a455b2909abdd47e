/** Parses strings as numbers and booleans, for the manifest and for programs generated from it. */
import { typeName } from "../../schema/wording";
import type { Type } from "./types";

const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;

/** Parses the text as the expected kind. Returns the text itself if that fails. */
export function parseScalar(kind: Type["kind"], text: string): string | number | boolean {
  if (kind === "number" && decimal.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** A hint for a text that is not a valid boolean. */
export function hintForText(kind: Type["kind"], text: string): string {
  const word = kind === "boolean" ? /^(?:(yes|on|y)|no|off|n)$/i.exec(text) : null;
  return word === null ? "" : `; write ${word[1] === undefined ? "false" : "true"}`;
}

const expected = { number: "a number", boolean: "true or false" };

/** Parses the text as the expected kind, or returns the same message as the check. */
export function parseExactly(
  kind: keyof typeof expected,
  text: string,
): { readonly value: number | boolean } | { readonly problem: string } {
  const value = parseScalar(kind, text);
  if (typeof value === "boolean" || Number.isFinite(value)) return { value: value as number | boolean };
  return { problem: `expected ${expected[kind]}, got ${typeName(value)}${hintForText(kind, text)}` };
}
