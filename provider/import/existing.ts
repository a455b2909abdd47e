/** What a manifest holds already, as far as an import has to know it. */
import type { Values } from "../../schema/tree";
import { layersOf, type Layered, type Layers } from "../manifest/layers";
import { entryOf, type Node } from "../manifest/node";
import { parseText, type Part } from "../manifest/reference";

/** A deployment of the manifest that an existing deployment is, or may be. */
export interface Match {
  readonly key: string;
  /** What the manifest declares, references as they are written. */
  readonly declared: Values;
  /** Why nobody can say that every stack declares this deployment; undefined where all do. */
  readonly doubt: string | undefined;
}

export class Existing {
  /** What every deployment has unless it says otherwise. */
  readonly defaults: Values;
  readonly keys: ReadonlySet<string>;
  /** Keys of the configuration that the file speaks of, comments included. */
  readonly configKeys: ReadonlySet<string>;
  /** Deployments with a name that may be any, as it is written. Nothing is compared with them. */
  readonly nameless: { readonly key: string; readonly name: string }[] = [];
  readonly #byName = new Map<string, Match>();
  readonly #patterns: { readonly pattern: RegExp; readonly match: Match }[] = [];

  /** @param root of the file; without one, nothing is there yet */
  constructor(root?: Node, text = "") {
    const layers: Layers = root ? layersOf(root) : { base: new Map(), stacks: new Map() };
    const overlays = [...layers.stacks.values()];
    this.defaults = plainObject(entryOf(root, "defaults")?.value);
    this.keys = new Set([
      ...layers.base.keys(),
      ...overlays.flatMap(({ changed, removed }) => [...changed.keys(), ...removed.keys()]),
    ]);
    this.configKeys = new Set(Array.from(text.matchAll(/\$\{config\.([^}]*)\}/g), ([, key]) => key!));
    for (const each of layers.base.values()) {
      const removing = overlays.find(({ removed }) => removed.has(each.key));
      this.#add(each, removing && `the stack ${removing.name} does not have it`);
    }
    for (const { name, changed } of overlays) {
      for (const each of changed.values()) this.#add(each, `only the stack ${name} has it`);
    }
  }

  /** The deployment of the manifest that a name of the service belongs to. */
  find(name: string): Match | undefined {
    return this.#byName.get(name) ?? this.#patterns.find(({ pattern }) => pattern.test(name))?.match;
  }

  #add({ key, node }: Layered, doubt: string | undefined): void {
    const { parts, name } = nameOf(key, node);
    const match: Match = { key, declared: plainObject(node), doubt };
    const texts = parts.filter((part) => typeof part === "string");
    if (texts.length === parts.length) {
      // What all stacks have comes first.
      if (!this.#byName.has(texts.join(""))) this.#byName.set(texts.join(""), match);
    } else if (texts.some((text) => /[\p{L}\p{N}]/u.test(text))) {
      const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`, "s");
      this.#patterns.push({ pattern, match: { ...match, doubt: `its name is ${name}` } });
    } else if (!this.nameless.some((other) => other.key === key)) {
      this.nameless.push({ key, name });
    }
  }
}

function nameOf(key: string, node: Node): { parts: readonly Part[]; name: string } {
  const given = entryOf(node, "name")?.value;
  const name = given?.kind === "scalar" && typeof given.value === "string" ? given.value : key;
  return { parts: name === key ? [key] : parseText(name).parts, name };
}

function patternOf(part: Part): string {
  return typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : ".*";
}

function plainObject(node: Node | undefined): Values {
  return node?.kind === "map" ? (plain(node) as Values) : {};
}

function plain(node: Node): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]));
}
