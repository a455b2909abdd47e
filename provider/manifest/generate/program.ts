/** A manifest as the TypeScript program that a person would have written for it. */
import { z } from "zod";
import { deployment as fields } from "../../../schema/fields";
import { ManifestDeployment, Options } from "../../../schema/manifest";
import { credential } from "../credential";
import { mentionsIn } from "../graph";
import type { Layered, View } from "../layers";
import { entriesOf, entryOf, isNull, type Entry, type ListNode, type MapNode, type Node } from "../node";
import { inOrderOfDependency } from "../order";
import { parseText } from "../reference";
import type { Source } from "../source";
import { describeType, unwrap, type Type } from "../types";
import { atom, call, comment, expand, print, quote, widest, type Code, type Member } from "./code";
import { commentsOf } from "./comments";
import { NoteBook } from "./note-book";
import { Names } from "./names";
import { expressionFor, type Surroundings } from "./reference-code";

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

/** Where an expression stands. */
interface Context {
  /** Where nothing can stand that is only known later: in the options of a resource. */
  readonly isPlain: boolean;
  /** In an object that is an output as a whole. */
  readonly isWrapped: boolean;
}

const later: Context = { isPlain: false, isWrapped: false };
const plain: Context = { isPlain: true, isWrapped: false };

class Program implements Surroundings {
  readonly #variables = new Map<string, string>();
  readonly #configs = new Map<string | undefined, string>();
  readonly #imports = new Set<string>();
  readonly #secretKeys: ReadonlySet<string>;
  readonly #names: Names;
  #usesPulumi = false;
  #usesEnvironment = false;

  constructor(
    readonly root: Node,
    readonly view: View,
    readonly notes: NoteBook,
  ) {
    this.#names = new Names(["config", "pulumi", "requireEnv", "Deployment", ...wordTypes.values()]);
    for (const { key } of view.all()) this.#variables.set(key, this.#names.take(key, "Deployment"));
    this.#secretKeys = new Set(view.all().flatMap(secretKeysOf));
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

  useEnvironment(): void {
    this.#usesEnvironment = true;
  }

  configFor(namespace: string | undefined): string {
    this.usePulumi();
    const found = this.#configs.get(namespace);
    if (found !== undefined) return found;
    const name = namespace === undefined ? "config" : this.#names.take(`${namespace}-config`, "2");
    this.#configs.set(namespace, name);
    return name;
  }

  isSecret(key: string): boolean {
    return this.#secretKeys.has(key) || credential.test(key);
  }

  variableOf(key: string): string {
    return this.#variables.get(key)!;
  }

  /** Comments on what is no part of the program: the frame of the file. */
  #header(): string {
    const stack = this.view.stack && entryOf(entryOf(this.root, "stacks")?.value, this.view.stack.name);
    const frame = [
      ...["version", "defaults", "deployments", "stacks"].map((key) => entryOf(this.root, key)),
      stack,
      entryOf(stack?.value, "deployments"),
    ];
    const notes = frame.map((entry) => this.notes.of(entry)).filter((found) => found !== undefined);
    return notes
      .flatMap(({ before, beside, after }) => [...before, ...beside, ...after])
      .map(comment)
      .join("\n");
  }

  #importText(): string {
    const names = ["Deployment", ...[...this.#imports].sort().map((name) => `type ${name}`)].join(", ");
    const own = `import { ${names} } from "pulumi-deployment-service";`;
    return this.#usesPulumi ? `import * as pulumi from "@pulumi/pulumi";\n${own}` : own;
  }

  #preamble(): string {
    const configs = [...this.#configs].map(
      ([namespace, name]) =>
        `const ${name} = new pulumi.Config(${namespace === undefined ? "" : quote(namespace)});`,
    );
    const parts = [configs.join("\n"), this.#usesEnvironment ? requireEnv : ""];
    return parts.filter((part) => part !== "").join("\n\n");
  }

  #resource({ key, at, below, node }: Layered): string {
    const order = Object.keys(fields);
    const args = this.#object(node as MapNode, ManifestDeployment, later)
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
    const members = this.#object(node, Options, plain);
    const notes = this.notes.of(entry);
    const [first, ...rest] = members;
    if (notes === undefined || first === undefined) return members;
    const before = [...notes.before, ...notes.beside, ...notes.after, ...(first.notes?.before ?? [])];
    const merged = { before, beside: first.notes?.beside ?? [], after: first.notes?.after ?? [] };
    return [{ ...first, notes: merged }, ...rest];
  }

  #object(node: MapNode, given: z.ZodType, context: Context): Member[] {
    const type = describeType(unwrap(given).type);
    const typeOfEntry = (key: string) =>
      type.kind === "object" ? type.shape[key]! : type.kind === "map" ? type.values : z.unknown();
    return [...node.entries].flatMap(([key, entry]): Member[] => {
      const inner = typeOfEntry(key);
      const isAbsent =
        isNull(entry.value) && (unwrap(inner).isNullable || (type.kind === "map" && type.removable));
      if (isAbsent || (inner === ManifestDeployment.shape["options"] && key === "options")) return [];
      if (context.isPlain && key === "dependsOn") {
        return [{ key, value: this.#dependsOn(entry.value as ListNode), notes: this.notes.of(entry) }];
      }
      return [{ key, value: this.#code(entry.value, inner, context).code, notes: this.notes.of(entry) }];
    });
  }

  #dependsOn({ items }: ListNode): Code {
    const variables = items.map((item) => this.variableOf(String((item as { value?: unknown }).value)));
    return { kind: "array", items: variables.map((name) => ({ value: atom(name) })), isNumbers: false };
  }

  #code(node: Node, given: z.ZodType, context: Context): { code: Code; isOutput: boolean } {
    const { type } = unwrap(given);
    const described = describeType(type);
    if (node.kind === "map") {
      return {
        code: { kind: "object", members: this.#object(node, type, context) },
        isOutput: this.#holdsOutput(node),
      };
    }
    if (node.kind === "list")
      return { code: this.#list(node, described, context), isOutput: this.#holdsOutput(node) };
    if (typeof node.value !== "string") return { code: atom(literal(node.value)), isOutput: false };
    const { parts } = parseText(node.value);
    const [only] = parts;
    if (parts.length === 1 && typeof only === "string") return { code: atom(quote(only)), isOutput: false };
    const expression = expressionFor(parts, described.kind, this, context.isPlain);
    const word = wordTypes.get(type);
    if (word === undefined) return expression;
    this.#imports.add(word);
    const text = print(expression.code, "", 0, -Infinity);
    const cast = expression.isOutput ? `${text}.apply((word) => word as ${word})` : `${text} as ${word}`;
    return {
      code: atom(text.includes(" || ") ? cast.replace(text, `(${text})`) : cast),
      isOutput: expression.isOutput,
    };
  }

  #list({ items }: ListNode, type: Type, context: Context): Code {
    const typeOfItem = type.kind === "list" ? type.items : z.unknown();
    const isTyped = type.kind === "list" && describeType(unwrap(typeOfItem).type).kind === "object";
    const values = items.map((item) => {
      const inner = isTyped ? { ...context, isWrapped: true } : context;
      const { code, isOutput } = this.#code(item, typeOfItem, inner);
      // Inside of these objects the types know plain values only.
      const mustWrap = isOutput && isTyped && !context.isWrapped;
      if (mustWrap) this.usePulumi();
      const value = mustWrap ? call("pulumi.output", code) : code;
      return { value, notes: this.notes.at(item.at.start) };
    });
    const isNumbers =
      items.length > 1 && items.every((item) => item.kind === "scalar" && typeof item.value === "number");
    return { kind: "array", items: values, isNumbers };
  }

  #holdsOutput(node: Node): boolean {
    return mentionsIn(node).some(
      ({ reference }) =>
        reference.kind === "output" || (reference.kind === "config" && this.isSecret(reference.key)),
    );
  }
}

const requireEnv = `function requireEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`\${name} is not set\`);
  return value;
}`;

function literal(value: number | boolean | null): string {
  return String(value).replace("e+", "e");
}

/** The keys of the configuration that the deployment's secrets are made of. */
function secretKeysOf({ node }: Layered): string[] {
  return [...entriesOf(entryOf(node, "secrets")?.value).values()].flatMap(({ value }) =>
    mentionsIn(value).flatMap(({ reference }) => (reference.kind === "config" ? [reference.key] : [])),
  );
}
