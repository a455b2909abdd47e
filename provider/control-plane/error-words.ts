/** What the body of a refusal says, without what it repeats of the request. */
import { isObject } from "../../schema/tree";

/** Longer lists and deeper bodies are cut. */
const mostItems = 20;
const deepest = 5;

const keys = ["detail", "message", "error", "title"];

/** Empty if it says nothing in a place that is known. */
export function errorWords(body: unknown, depth = 0): string {
  if (typeof body === "string") return body;
  if (depth > deepest) return "";
  if (Array.isArray(body)) {
    const words = body.slice(0, mostItems).map((each) => problemWords(each) ?? errorWords(each, depth + 1));
    return words.filter(Boolean).join("; ");
  }
  if (!isObject(body)) return "";
  let words = "";
  for (const key of keys) words ||= errorWords(body[key], depth + 1);
  return words;
}

/** `secrets.0: too long`: a problem of the service's own list, with its place in the request. */
function problemWords(item: unknown): string | undefined {
  if (!isObject(item) || typeof item["msg"] !== "string") return undefined;
  const { loc, msg } = item;
  const place = Array.isArray(loc) ? loc.filter((part) => part !== "body").join(".") : "";
  return place === "" ? msg : `${place}: ${msg}`;
}
