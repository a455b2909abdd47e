/** Texts read as numbers and booleans, as the manifest and the program that is made of it both do. */
import { typeName } from "../../schema/problems";
import type { Type } from "./types";

const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;

/** A text read as what is expected; the text itself where it cannot be. */
export function parseScalar(kind: Type["kind"], text: string): string | number | boolean {
  if (kind === "number" && decimal.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** What to write for a text that is not read as what is expected. */
export function hintForText(kind: Type["kind"], text: string): string {
  const word = kind === "boolean" ? /^(?:(yes|on|y)|no|off|n)$/i.exec(text) : null;
  return word === null ? "" : `; write ${word[1] === undefined ? "false" : "true"}`;
}

const expected = { number: "a number", boolean: "true or false" };

/** A text read as what is expected, or what is wrong with it, in the words of the check. */
export function parseExactly(
  kind: keyof typeof expected,
  text: string,
): { readonly value: number | boolean } | { readonly problem: string } {
  const value = parseScalar(kind, text);
  if (typeof value === "boolean" || Number.isFinite(value)) return { value: value as number | boolean };
  return { problem: `expected ${expected[kind]}, got ${typeName(value)}${hintForText(kind, text)}` };
}
