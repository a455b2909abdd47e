/** What the body of a refusal says. It may also repeat what was sent, which is left out: that may be a secret. */
import { isObject, type Values } from "../../schema/tree";

/** Longer lists and deeper bodies are cut. */
const mostItems = 20;
const deepest = 5;

/** Where a body holds its message: first the one of this service, then those of frameworks and gateways. */
const keys = [
  "detail",
  "message",
  "error_description",
  "error",
  "msg",
  "reason",
  "title",
  "description",
  "fault",
  "faultstring",
];

/** Empty if there is no message. Reads RFC 9457, JSON:API, and what is common besides. */
export function errorWords(body: unknown, depth = 0): string {
  if (typeof body === "string") return body;
  if (depth > deepest) return "";
  if (Array.isArray(body)) {
    const words = (item: unknown) => {
      const own = errorWords(item, depth + 1);
      return isObject(item) ? placed(fieldOf(item), own || "is invalid") : own;
    };
    return joined(body.slice(0, mostItems).map(words));
  }
  if (!isObject(body)) return "";
  let words = "";
  for (const key of keys) words ||= errorWords(body[key], depth + 1);
  const more = errorsWords(body["errors"] ?? body["invalid-params"], depth);
  return [words.replace(/[.:]$/, more === "" ? "$&" : ""), more].filter(Boolean).join(": ");
}

/** A list of errors, or a map of them by field. */
function errorsWords(errors: unknown, depth: number): string {
  if (!isObject(errors)) return errorWords(errors, depth + 1);
  const fields = Object.entries(errors).slice(0, mostItems);
  return joined(fields.map(([name, value]) => placed(name, errorWords(value, depth + 1))));
}

function fieldOf({ loc, source, pointer, name, field }: Values): string {
  if (Array.isArray(loc)) return loc.filter((part) => part !== "body").join(".");
  const given = (isObject(source) ? source["pointer"] : undefined) ?? pointer ?? name ?? field;
  return typeof given === "string" ? given : "";
}

function placed(place: string, words: string): string {
  return [place, words].filter(Boolean).join(": ");
}

function joined(all: readonly string[]): string {
  return all.filter(Boolean).join("; ");
}
