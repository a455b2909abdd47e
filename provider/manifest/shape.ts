/** Checks nodes against the schema, with the same messages as the resource's check. */
import { z } from "zod";
import { rows } from "../../schema/rows";
import { ManifestDeployment, manifestVersion, Options } from "../../schema/manifest";
import { didYouMean, problemsOf, unknownKey } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import { isNull, type MapNode, type Node, type Span } from "./node";
import type { Findings } from "./problem";
import { knownText, type Bindings } from "./bindings";
import { parseText } from "./reference";
import { hintForText, parseScalar } from "./scalar";
import { typeFor, typeOf, type Shape, type Type } from "./types";

export class ShapeChecker {
  constructor(
    readonly problems: Findings,
    readonly known: Bindings,
  ) {}

  /** @param holder where a missing key is reported; undefined if a merge can still add it */
  check(node: Node, given: z.ZodType, path: Path, holder?: Span): void {
    const type = typeFor(given, node);
    if (type.isNullable && isNull(node)) return;
    if (type.kind === "any") this.#checkAny(node, path);
    else if (type.kind === "object" && node.kind === "map") this.#checkObject(node, type.shape, path, holder);
    else if (type.kind === "map" && node.kind === "map") this.#checkMap(node, type, path, holder);
    else if (type.kind === "list" && node.kind === "list" && node.items.length > 0) {
      // Lists are never merged, so their items must be complete.
      node.items.forEach((item, index) => this.check(item, type.items, [...path, index], item.at));
    }
    // Also an empty list, whose length may be wrong.
    else this.#checkLeaf(node, type, path);
  }

  #checkObject(node: MapNode, shape: Shape, path: Path, holder: Span | undefined): void {
    for (const [key, entry] of node.entries) {
      const type = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (type === undefined) {
        this.problems.add(entry.key, "unknown-key", explainUnknown(key, Object.keys(shape)));
      } else this.check(entry.value, type, pathBelow(path, key, type), holder && entry.key);
    }
    if (holder === undefined) return;
    for (const [key, type] of Object.entries(shape)) {
      if (typeOf(type).isOptional || node.entries.has(key)) continue;
      for (const { message } of problemsOf(type, undefined)) {
        this.problems.add(holder, "required", `${formatPath([...path, key])} ${message}`);
      }
    }
  }

  #checkMap(node: MapNode, type: Type & { kind: "map" }, path: Path, holder: Span | undefined): void {
    const { keys, values, removable } = type;
    for (const [key, entry] of node.entries) {
      for (const { message } of problemsOf(keys, key)) {
        this.problems.add(entry.key, "key", `"${key}": ${message}`);
      }
      const inner = pathBelow(path, key, values);
      if (!removable || !isNull(entry.value)) this.check(entry.value, values, inner, holder && entry.key);
      else if (holder !== undefined && entry.below === undefined) {
        const hint = didYouMean(
          key,
          [...node.entries.keys()].filter((name) => name !== key),
        );
        for (const { message } of problemsOf(values, null)) {
          this.problems.add(entry.value.at, "type", `${formatPath(inner)}: ${message}${hint}`);
        }
      }
    }
  }

  #checkAny(node: Node, path: Path): void {
    if (node.kind === "list") node.items.forEach((item, index) => this.#checkAny(item, [...path, index]));
    else if (node.kind === "map") {
      for (const [key, entry] of node.entries) this.#checkAny(entry.value, [...path, key]);
    } else if (typeof node.value === "string") this.#checkText(node.at, node.value, path);
    else if (node.isRounded) {
      const message = "JavaScript cannot hold this number exactly; write it as a text, in quotes";
      this.problems.add(node.at, "fields", `${formatPath(path)}: ${message}`);
    }
  }

  #checkLeaf(node: Node, { kind, schema }: Type, path: Path): void {
    let value = shallowValue(node);
    if (typeof value === "string") {
      const text = this.#checkText(node.at, value, path);
      // An unknown reference can become any scalar, but not a collection or the version.
      if (text === undefined && isReplaceable(kind, schema)) return;
      if (text !== undefined) value = text.isReplaced ? parseScalar(kind, text.value) : text.value;
    }
    for (const { path: inner, message, rule } of problemsOf(schema, value)) {
      const place = formatPath([...path, ...inner]);
      if (place === "version") {
        const hint = value === String(manifestVersion) ? "; remove the quotes" : "";
        this.problems.add(node.at, "version", `this package reads version ${manifestVersion}${hint}`);
      } else {
        const text = `${place && `${place}: `}${message}${hintFor(rule, kind, value)}`;
        this.problems.add(node.at, rule, text);
      }
    }
  }

  /** The text with its references replaced; undefined if it is invalid or not known yet. */
  #checkText(at: Span, value: string, path: Path): { value: string; isReplaced: boolean } | undefined {
    if (!value.includes("${")) return { value, isReplaced: false };
    const { parts, problems } = parseText(value);
    for (const problem of problems) {
      const place = path.length > 0 ? `${formatPath(path)}: ` : "";
      this.problems.add(at, "reference", place + problem);
    }
    const isReplaced = parts.some((part) => typeof part !== "string");
    const text = problems.length === 0 ? knownText(parts, this.known) : undefined;
    return text === undefined ? undefined : { value: text, isReplaced };
  }
}

/** Paths are relative to the deployment. */
function pathBelow(path: Path, key: string, schema: z.ZodType): Path {
  return typeOf(schema).schema === ManifestDeployment ? [] : [...path, key];
}

/** The value for messages, which do not depend on the content of collections. */
function shallowValue(node: Node): unknown {
  if (node.kind === "scalar") return node.value;
  return node.kind === "list" ? [] : {};
}

function isReplaceable(kind: Type["kind"], schema: z.ZodType): boolean {
  return (kind === "text" && !(schema instanceof z.ZodLiteral)) || kind === "number" || kind === "boolean";
}

function hintFor(rule: string, expected: Type["kind"], value: unknown): string {
  if (rule !== "type") return "";
  if (expected === "text" && (typeof value === "number" || typeof value === "boolean")) {
    return "; put it in quotes";
  }
  if (typeof value !== "string") return "";
  return parseScalar(expected, value) === value ? hintForText(expected, value) : "; remove the quotes";
}

const homes = new Map(Object.keys(Options.shape).map((name) => [name, "options"]));
for (const { path } of rows) if (path.length > 1) homes.set(path.at(-1)!, path.slice(0, -1).join("."));

/** Suggests a similar key, the right place for the key, or the few accepted keys. */
function explainUnknown(key: string, accepted: readonly string[]): string {
  const message = unknownKey(key, accepted);
  if (message.includes("did you mean")) return message;
  const home = homes.get(key);
  if (home !== undefined) return `${message}; it belongs in ${home}`;
  if (accepted.length > 5) return message;
  return `${message}; expected ${accepted.length > 1 ? "one of " : ""}${accepted.join(", ")}`;
}
