/** What an import needs to know about an existing manifest. */
import type { Values } from "../../schema/tree";
import { layersOf, type Layered } from "../../provider/manifest/layers";
import { entryOf, type Node } from "../../provider/manifest/node";
import { parseText, type Part } from "../../provider/manifest/reference";

/** A deployment of the manifest that matches, or may match, one on the service. */
export interface Match {
  readonly key: string;
  /** The declared values, with references unresolved. */
  readonly declared: Values;
  /** Why the match is uncertain; undefined if every stack declares this deployment. */
  readonly doubt: string | undefined;
}

export class Existing {
  readonly defaults: Values;
  readonly keys: ReadonlySet<string>;
  /** The configuration keys that the file mentions, also in comments. */
  readonly configKeys: ReadonlySet<string>;
  readonly #byName = new Map<string, Match>();
  readonly #patterns: { readonly pattern: RegExp; readonly match: Match }[] = [];

  /** @param root the root of the file; undefined for a new file */
  constructor(root?: Node, text = "") {
    const { base, stacks } = layersOf(root);
    const changed = stacks.flatMap(({ stack, deployments }) =>
      [...deployments.values()].filter(({ upper }) => upper !== undefined).map((each) => ({ stack, each })),
    );
    this.defaults = plainObject(entryOf(root, "defaults")?.value);
    this.keys = new Set([
      ...base.deployments.keys(),
      ...changed.map(({ each }) => each.key),
      ...stacks.flatMap(({ removed }) => [...removed.keys()]),
    ]);
    this.configKeys = new Set(Array.from(text.matchAll(/\$\{config\.([^}]*)\}/g), ([, key]) => key!));
    for (const each of base.deployments.values()) {
      const removing = stacks.find(({ removed }) => removed.has(each.key));
      this.#add(each, removing && `the stack ${removing.stack!.name} removes it`);
    }
    for (const { stack, each } of changed) this.#add(each, `only the stack ${stack!.name} has it`);
  }

  /** Finds the manifest's deployment for a name on the service. */
  find(name: string): Match | undefined {
    return this.#byName.get(name) ?? this.#patterns.find(({ pattern }) => pattern.test(name))?.match;
  }

  #add({ key, node }: Layered, doubt: string | undefined): void {
    const { parts, name } = writtenName(key, node);
    const match: Match = { key, declared: plainObject(node), doubt };
    const texts = parts.filter((part) => typeof part === "string");
    if (texts.length === parts.length) {
      // The base comes first and wins.
      if (!this.#byName.has(texts.join(""))) this.#byName.set(texts.join(""), match);
    } else if (texts.some((text) => /[\p{L}\p{N}]/u.test(text))) {
      // A name of references alone would match anything.
      const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`, "s");
      this.#patterns.push({ pattern, match: { ...match, doubt: `its name is ${name}` } });
    }
  }
}

function writtenName(key: string, node: Node): { parts: readonly Part[]; name: string } {
  const given = entryOf(node, "name")?.value;
  const name = given?.kind === "scalar" && typeof given.value === "string" ? given.value : key;
  return { parts: name === key ? [key] : parseText(name).parts, name };
}

function patternOf(part: Part): string {
  return typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : ".*";
}

function plainObject(node: Node | undefined): Values {
  return node?.kind === "map" ? (plainValue(node) as Values) : {};
}

function plainValue(node: Node): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plainValue);
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plainValue(value)]));
}
