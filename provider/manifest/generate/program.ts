/** A manifest as the TypeScript program that a person would have written for it. */
import { z } from "zod";
import { deployment as fields } from "../../../schema/fields";
import { dialectNames, ManifestDeployment, Options } from "../../../schema/manifest";
import type { Layered, View } from "../layers";
import { entryOf, isNull, type Entry, type ListNode, type MapNode, type Node } from "../node";
import { inOrderOfDependency } from "../order";
import { parseText } from "../reference";
import type { Source } from "../source";
import { describeType, unwrap, type Type } from "../types";
import { atom, call, comment, expand, print, quote, widest, type Code, type Member } from "./code";
import { commentsOf } from "./comments";
import { NoteBook } from "./note-book";
import { Names } from "./names";
import {
  expressionFor,
  helpers,
  type Expression,
  type Helper,
  type Position,
  type Surroundings,
} from "./reference-code";

/** The names of the types of words, which a text from elsewhere is taken for. */
const wordTypes = new Map<z.ZodType, string>([
  [fields.source.type, "Source"],
  [fields.revisionSource.type, "RevisionSource"],
  [fields.sourceConfig.fields.deploymentType.type, "DeploymentType"],
]);

/**
 * @param root the whole file, for its comments
 * @param view the deployments, without a problem
 */
export function generateProgram(source: Source, root: Node, view: View): string {
  return new Program(root, view, new NoteBook(commentsOf(source, root))).print();
}

/** Whether a text begins as programs made here do: comments, then the SDK where it is used, then this package. */
export function isProgram(text: string): boolean {
  const code = text.replace(/^(?:\s*\/\/[^\n]*\n)*\s*/, "");
  return /^(?:import \* as pulumi from "@pulumi\/pulumi";\s+)?import \{[^{}]*\} from "pulumi-deployment-service";/.test(
    code,
  );
}

class Program implements Surroundings {
  readonly #variables = new Map<string, string>();
  readonly #configs = new Map<string | undefined, string>();
  readonly #imports = new Set<string>();
  readonly #names: Names;
  #usesPulumi = false;

  constructor(
    readonly root: Node,
    readonly view: View,
    readonly notes: NoteBook,
  ) {
    this.#names = new Names(["config", "pulumi", "Deployment", ...helpers, ...wordTypes.values()]);
    for (const { key } of view.all()) this.#variables.set(key, this.#names.take(key, "Deployment"));
  }

  print(): string {
    const header = this.#header();
    const resources = inOrderOfDependency(this.view).map((deployment) => this.#resource(deployment));
    const footer = this.notes.footer.map(comment).join("\n");
    const parts = [header, this.#importText(), this.#preamble(), ...resources, footer];
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
  }

  usePulumi(): void {
    this.#usesPulumi = true;
  }

  useFunction(name: Helper): void {
    this.#imports.add(name);
  }

  configFor(namespace: string | undefined): string {
    this.usePulumi();
    const found = this.#configs.get(namespace);
    if (found !== undefined) return found;
    const name = namespace === undefined ? "config" : this.#names.take(`${namespace}-config`, "2");
    this.#configs.set(namespace, name);
    return name;
  }

  variableOf(key: string): string {
    return this.#variables.get(key)!;
  }

  /** Comments on what is no part of the program: the frame of the file. */
  #header(): string {
    const stack = this.view.stack && entryOf(entryOf(this.root, "stacks")?.value, this.view.stack.name);
    const frame = [
      ...["version", "dialect", "defaults", "deployments", "stacks"].map((key) => entryOf(this.root, key)),
      stack,
      entryOf(stack?.value, "deployments"),
    ];
    const notes = frame.map((entry) => this.notes.of(entry)).filter((found) => found !== undefined);
    const lines = notes.flatMap(({ before, beside, after }) => [...before, ...beside, ...after]);
    return [...lines, ...this.#dialect()].map(comment).join("\n");
  }

  /** A program says nothing of the service's dialect: its connection does. */
  #dialect(): string[] {
    const node = entryOf(this.root, "dialect")?.value;
    const name = dialectNames.find((each) => node?.kind === "scalar" && node.value === each);
    return name === undefined
      ? []
      : [`For a service of dialect ${name}: pulumi config set deployment-service:dialect ${name}`];
  }

  #importText(): string {
    const names = ["Deployment", ...[...this.#imports].sort()];
    const line = `import { ${names.join(", ")} } from "pulumi-deployment-service";`;
    const lines = ["import {", ...names.map((name) => `  ${name},`), '} from "pulumi-deployment-service";'];
    const own = line.length <= widest ? line : lines.join("\n");
    return this.#usesPulumi ? `import * as pulumi from "@pulumi/pulumi";\n${own}` : own;
  }

  #preamble(): string {
    const configs = [...this.#configs].map(
      ([namespace, name]) =>
        `const ${name} = new pulumi.Config(${namespace === undefined ? "" : quote(namespace)});`,
    );
    return configs.join("\n");
  }

  #resource({ key, at, below, node }: Layered): string {
    const order = Object.keys(fields);
    const args = this.#object(node as MapNode, ManifestDeployment, "open")
      .filter((member) => member.key !== "options")
      .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
    const options = entryOf(node, "options");
    const members = options?.value.kind === "map" ? this.#options(options, options.value) : [];
    const under = below && { key: below, value: node };
    const notes = this.notes.of({ key: at, value: node, below: under });
    const { before = [], beside = [], after = [] } = notes ?? {};
    const head = `export const ${this.variableOf(key)} = new Deployment(`;
    const first = `${head}${quote(key)}, {`;
    const text =
      members.length === 0 && first.length <= widest
        ? `${first.slice(0, -1)}${expand(args, "")});`
        : [
            head,
            `  ${quote(key)},`,
            `  ${expand(args, "  ")},`,
            ...(members.length === 0 ? [] : [`  ${print({ kind: "object", members }, "  ", 2, 1)},`]),
            ");",
          ].join("\n");
    return [...before.map(comment), ...beside.map(comment), text, ...after.map(comment)].join("\n");
  }

  #options(entry: Entry, node: MapNode): Member[] {
    const members = this.#object(node, Options, "option");
    const notes = this.notes.of(entry);
    const [first, ...rest] = members;
    if (notes === undefined || first === undefined) return members;
    const before = [...notes.before, ...notes.beside, ...notes.after, ...(first.notes?.before ?? [])];
    const merged = { before, beside: first.notes?.beside ?? [], after: first.notes?.after ?? [] };
    return [{ ...first, notes: merged }, ...rest];
  }

  #object(node: MapNode, given: z.ZodType, position: Position): Member[] {
    const type = describeType(unwrap(given).type);
    const typeOfEntry = (key: string) =>
      type.kind === "object" ? type.shape[key]! : type.kind === "map" ? type.values : z.unknown();
    return [...node.entries].flatMap(([key, entry]): Member[] => {
      const inner = typeOfEntry(key);
      const isAbsent =
        isNull(entry.value) && (unwrap(inner).isNullable || (type.kind === "map" && type.removable));
      if (isAbsent || (inner === ManifestDeployment.shape["options"] && key === "options")) return [];
      if (position === "option" && key === "dependsOn") {
        return [{ key, value: this.#dependsOn(entry.value as ListNode), notes: this.notes.of(entry) }];
      }
      const isSecret = inner === ManifestDeployment.shape["secrets"] && key === "secrets";
      const value = this.#code(entry.value, inner, isSecret ? "secret" : position);
      return [{ key, value, notes: this.notes.of(entry) }];
    });
  }

  #dependsOn({ items }: ListNode): Code {
    const variables = items.map((item) => this.variableOf(String((item as { value?: unknown }).value)));
    return { kind: "array", items: variables.map((name) => ({ value: atom(name) })), isNumbers: false };
  }

  #code(node: Node, given: z.ZodType, position: Position): Code {
    const { type } = unwrap(given);
    const described = describeType(type);
    if (node.kind === "map") return { kind: "object", members: this.#object(node, type, position) };
    if (node.kind === "list") return this.#list(node, described, position);
    if (typeof node.value !== "string") return atom(literal(node.value));
    const { parts } = parseText(node.value);
    const [only] = parts;
    if (parts.length === 1 && typeof only === "string") return atom(quote(only));
    const expression = expressionFor(parts, described.kind, this, position);
    const word = wordTypes.get(type);
    return word === undefined ? expression.code : this.#word(expression, word);
  }

  /** A text that is one of a few words, as the types know it. */
  #word({ code, isOutput }: Expression, word: string): Code {
    this.#imports.add(`type ${word}`);
    const text = print(code, "", 0, -Infinity);
    if (isOutput) return call(`${text}.apply`, atom(`(word) => word as ${word}`));
    return atom(`${text.includes(" || ") ? `(${text})` : text} as ${word}`);
  }

  #list({ items }: ListNode, type: Type, position: Position): Code {
    const typeOfItem = type.kind === "list" ? type.items : z.unknown();
    const values = items.map((item) => ({
      value: this.#code(item, typeOfItem, position),
      notes: this.notes.at(item.at.start),
    }));
    const isNumbers =
      items.length > 1 && items.every((item) => item.kind === "scalar" && typeof item.value === "number");
    return { kind: "array", items: values, isNumbers };
  }
}

function literal(value: number | boolean | null): string {
  return String(value).replace("e+", "e");
}
