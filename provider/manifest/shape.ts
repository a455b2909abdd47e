/** Checks nodes against the schema, with the same messages as the resource's check. */
import { z } from "zod";
import { deployment, type Fields } from "../../schema/fields";
import { ManifestDeployment, manifestVersion, Options } from "../../schema/manifest";
import { problemsOf, unknownKey } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import { isNull, type MapNode, type Node, type Span } from "./node";
import type { Findings, Rule } from "./problem";
import { knownText, parseText, type Bindings } from "./reference";
import { hintForText, parseScalar } from "./scalar";
import { chosen, describeType, unwrap, type Type } from "./types";

export class ShapeChecker {
  constructor(
    readonly problems: Findings,
    readonly known: Bindings,
  ) {}

  /**
   * @param isPart whether a merge can still add missing fields
   */
  check(node: Node, given: z.ZodType, path: Path, isPart = true): void {
    const { type, isNullable } = unwrap(chosen(given, node.kind));
    if (isNullable && isNull(node)) return;
    const described = describeType(type);
    switch (described.kind) {
      case "any":
        return this.#checkAny(node, path);
      case "object":
        if (node.kind === "map") return this.#checkObject(node, described.shape, path, isPart);
        break;
      case "map":
        if (node.kind === "map") return this.#checkMap(node, described, path, isPart);
        break;
      case "list":
        // `#checkLeaf` checks the length of an empty list.
        if (node.kind !== "list" || node.items.length === 0) break;
        // Lists are never merged, so their items must be complete.
        return node.items.forEach((item, index) =>
          this.check(item, described.items, [...path, index], false),
        );
    }
    this.#checkLeaf(node, described, type, path);
  }

  #checkObject(node: MapNode, shape: Readonly<Record<string, z.ZodType>>, path: Path, isPart: boolean): void {
    for (const [key, entry] of node.entries) {
      const type = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (type !== undefined) {
        // Paths are relative to the deployment.
        const isDeployment = unwrap(type).type === ManifestDeployment;
        this.check(entry.value, type, isDeployment ? [] : [...path, key], isPart);
        continue;
      }
      this.problems.add(entry.key, "unknown-key", explainUnknown(key, Object.keys(shape)));
    }
    if (isPart) return;
    for (const { key, message } of missingIn(node, shape)) {
      this.problems.add(node.at, "required", `${formatPath([...path, key])} ${message}`);
    }
  }

  #checkMap(node: MapNode, { keys, values, removable }: Type & { kind: "map" }, path: Path, isPart: boolean) {
    const { type } = unwrap(values);
    for (const [key, entry] of node.entries) {
      for (const { message } of problemsOf(keys, key)) {
        this.problems.add(entry.key, "key", `"${key}": ${message}`);
      }
      if (isPart && removable && isNull(entry.value)) continue;
      const inner = type === ManifestDeployment ? [] : [...path, key];
      this.check(entry.value, values, inner, isPart);
    }
  }

  #checkAny(node: Node, path: Path): void {
    if (node.kind === "list") node.items.forEach((item, index) => this.#checkAny(item, [...path, index]));
    else if (node.kind === "map") {
      for (const [key, entry] of node.entries) this.#checkAny(entry.value, [...path, key]);
    } else if (typeof node.value === "string") this.#checkText(node.at, node.value, path);
  }

  #checkLeaf(node: Node, { kind }: Type, type: z.ZodType, path: Path): void {
    let value = shallowValue(node);
    if (typeof value === "string") {
      const text = this.#checkText(node.at, value, path);
      // An unknown reference can become any scalar, but not a collection or the version.
      if (text === undefined && isReplaceable(kind, type)) return;
      if (text !== undefined) value = text.isReplaced ? parseScalar(kind, text.value) : text.value;
    }
    for (const { path: inner, message, rule } of problemsOf(type, value)) {
      const place = formatPath([...path, ...inner]);
      if (place === "version") {
        const hint = value === String(manifestVersion) ? "; remove the quotes" : "";
        this.problems.add(node.at, "version", `this package reads version ${manifestVersion}${hint}`);
      } else
        this.problems.add(
          node.at,
          rule as Rule,
          `${place && `${place}: `}${message}${hintFor(rule, kind, value)}`,
        );
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

/** The required keys that a map lacks. */
export function missingIn(
  node: MapNode,
  shape: Readonly<Record<string, z.ZodType>>,
): { key: string; message: string }[] {
  return Object.entries(shape).flatMap(([key, type]) => {
    if (unwrap(type).isOptional || node.entries.has(key)) return [];
    return problemsOf(type, undefined).map(({ message }) => ({ key, message }));
  });
}

/** The value for messages, which do not depend on the content of collections. */
function shallowValue(node: Node): unknown {
  if (node.kind === "scalar") return node.value;
  return node.kind === "list" ? [] : {};
}

function isReplaceable(kind: Type["kind"], type: z.ZodType): boolean {
  return (kind === "text" && !(type instanceof z.ZodLiteral)) || kind === "number" || kind === "boolean";
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
collectHomes(deployment, []);

function collectHomes(fields: Fields, path: readonly string[]): void {
  for (const [name, field] of Object.entries(fields)) {
    if (path.length > 0) homes.set(name, path.join("."));
    if (field.kind === "group") collectHomes(field.fields, [...path, name]);
  }
}

/** Suggests a similar key, the right place for the key, or the few accepted keys. */
function explainUnknown(key: string, accepted: readonly string[]): string {
  const message = unknownKey(key, accepted);
  if (message.includes("did you mean")) return message;
  const home = homes.get(key);
  if (home !== undefined) return `${message}; it belongs in ${home}`;
  if (accepted.length > 5) return message;
  return `${message}; expected ${accepted.length > 1 ? "one of " : ""}${accepted.join(", ")}`;
}
