/** Whether the nodes have the shape that the schema asks for, in the words in which the resource's check says it. */
import { z } from "zod";
import { deployment, type Fields } from "../../schema/fields";
import { ManifestDeployment, manifestVersion, Options } from "../../schema/manifest";
import { problemsOf, unknownKey } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import { isNull, type MapNode, type Node, type Span } from "./node";
import type { Findings, Rule } from "./problem";
import { knownText, parseText, type Bindings } from "./reference";
import { hintForText, readAs } from "./scalar";
import { chosen, describeType, unwrap, type Type } from "./types";

export class ShapeChecker {
  constructor(
    readonly problems: Findings,
    readonly known: Bindings,
  ) {}

  /**
   * @param isPart whether a merge may still bring what is missing here
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
        // Of an empty list, only its length can be wrong.
        if (node.kind !== "list" || node.items.length === 0) break;
        // Lists are replaced and never merged, so that what is in them is complete.
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
        // Places in a deployment are told from the deployment on.
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
    let value = valueOf(node);
    if (typeof value === "string") {
      const text = this.#checkText(node.at, value, path);
      // Whatever a reference becomes, it is no collection, and the version is no choice.
      if (text === undefined && isReplaceable(kind, type)) return;
      if (text !== undefined) value = text.isReplaced ? readAs(kind, text.value) : text.value;
    }
    for (const { path: inner, message, rule } of problemsOf(type, value)) {
      const place = formatPath([...path, ...inner]);
      if (place === "version") {
        const hint = value === String(manifestVersion) ? "; take the quotes away" : "";
        this.problems.add(node.at, "version", `this package reads version ${manifestVersion}${hint}`);
      } else
        this.problems.add(
          node.at,
          rule as Rule,
          `${place && `${place}: `}${message}${hintFor(rule, kind, value)}`,
        );
    }
  }

  /** The text after replacing; undefined where it is not known yet or wrong. */
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

/** The keys that a map lacks, or has as `null` where that says the same. */
export function missingIn(
  node: MapNode,
  shape: Readonly<Record<string, z.ZodType>>,
): { key: string; message: string }[] {
  return Object.entries(shape).flatMap(([key, type]) => {
    if (unwrap(type).isOptional || node.entries.has(key)) return [];
    return problemsOf(type, undefined).map(({ message }) => ({ key, message }));
  });
}

/** A value as the texts of problems name it: what is in a collection does not matter. */
function valueOf(node: Node): unknown {
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
  return readAs(expected, value) === value ? hintForText(expected, value) : "; take the quotes away";
}

const homes = new Map(Object.keys(Options.shape).map((name) => [name, "options"]));
collectHomes(deployment, []);

function collectHomes(fields: Fields, path: readonly string[]): void {
  for (const [name, field] of Object.entries(fields)) {
    if (path.length > 0) homes.set(name, path.join("."));
    if (field.kind === "group") collectHomes(field.fields, [...path, name]);
  }
}

/** What else the key may be: another word, a field in the wrong place, or one of a few. */
function explainUnknown(key: string, accepted: readonly string[]): string {
  const message = unknownKey(key, accepted);
  if (message.includes("did you mean")) return message;
  const home = homes.get(key);
  if (home !== undefined) return `${message}; it belongs in ${home}`;
  if (accepted.length > 5) return message;
  return `${message}; expected ${accepted.length > 1 ? "one of " : ""}${accepted.join(", ")}`;
}
