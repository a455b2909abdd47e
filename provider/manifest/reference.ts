/** Parses the references `${…}` in the manifest's strings. */
import { referable, type Referable } from "../../schema/manifest";
import { didYouMeanText } from "../../schema/wording";
import type { Span } from "./places";

export type Reference =
  | { readonly kind: "stack" }
  | { readonly kind: "project" }
  | { readonly kind: "config"; readonly key: string }
  | { readonly kind: "env"; readonly name: string; readonly default: readonly Part[] | undefined }
  | { readonly kind: "output"; readonly deployment: string; readonly output: Referable };

export type Part = string | Reference;

export interface Text {
  /** The literal strings and references, in order. */
  readonly parts: readonly Part[];
  readonly problems: readonly string[];
  /** The characters of the references themselves, without the literal text of their defaults. */
  readonly marks: readonly Span[];
}

const forms =
  "${config.KEY}, ${env.NAME}, ${env.NAME:-default}, ${stack}, ${project}, ${deployments.KEY.url}";

const roots = ["config", "env", "stack", "project", "deployments"];

const deepest = 20;

const openDefault =
  'the default in "${env.NAME:-default}" does not end: it needs a "}" for each "{" in it, and one more at its end';

export function hasReference(text: string): boolean {
  return parseText(text).parts.some((part) => typeof part !== "string");
}

/** `$${` is a literal `${`; a single `$` stays. */
export function parseText(text: string): Text {
  return text.includes("${") ? new TextParser(text).parse() : { parts: [text], problems: [], marks: [] };
}

class TextParser {
  readonly #problems: string[] = [];
  readonly #marks: Span[] = [];
  #at = 0;

  constructor(readonly text: string) {}

  parse(): Text {
    return { parts: this.#parts(0)!, problems: this.#problems, marks: this.#marks };
  }

  /** The parts up to the end of the text or, inside a default, to its closing brace; undefined if that is missing. */
  #parts(depth: number): Part[] | undefined {
    const parts: Part[] = [];
    let literal = "";
    let braces = 0;
    const end = () => (literal === "" && parts.length > 0 ? parts : [...parts, literal]);
    while (this.#at < this.text.length) {
      const rest = this.#take(depth === 0 ? /[^$]*/y : /[^${}]*/y);
      literal += rest;
      if (this.text.startsWith("${", this.#at)) {
        const reference = this.#reference(depth);
        if (reference === undefined) return depth === 0 ? end() : undefined;
        if (literal !== "") parts.push(literal);
        literal = "";
        parts.push(...reference);
        continue;
      }
      const escaped = this.#take(/\$\$\{/y) !== "";
      const next = escaped ? "${" : this.#take(/[^]?/y);
      if (depth > 0 && next === "}" && braces === 0) return end();
      if (next.endsWith("{")) braces++;
      else if (next === "}") braces--;
      literal += next;
    }
    return depth === 0 ? end() : undefined;
  }

  /** The reference that begins here, or nothing if it is wrong; undefined if it does not end. */
  #reference(depth: number): Reference[] | undefined {
    const start = this.#at;
    const head = this.#take(/\$\{(?:(?!:-)[^}])*/y).slice(2);
    const hasDefault = this.#take(/:-/y) !== "";
    const opening = { start, end: this.#at };
    let fallback: Part[] | undefined;
    if (hasDefault && depth === deepest) {
      this.#problems.push(`references in defaults are nested more than ${deepest} levels deep`);
      return undefined;
    }
    if (hasDefault) {
      fallback = this.#parts(depth + 1);
      if (fallback === undefined) {
        if (this.#problems.length === 0) this.#problems.push(openDefault);
        return undefined;
      }
    } else if (this.#take(/\}/y) === "") {
      this.#problems.push('"${" is not closed; write "$${" for a literal "${"');
      return undefined;
    }
    this.#marks.push(opening, { start: this.#at - 1, end: this.#at });
    const reference = parseReference(head, fallback);
    if (typeof reference !== "string") return [reference];
    this.#problems.push(reference);
    return [];
  }

  /** What the pattern matches here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.text) ?? [""];
    this.#at += found.length;
    return found;
  }
}

/** The reference, or a message about what is wrong. */
function parseReference(head: string, fallback: readonly Part[] | undefined): Reference | string {
  const [, root = "", rest = ""] = /^([^.:]*)(.*)$/s.exec(head) ?? [];
  // A default may be a secret, and is never the problem.
  const text = fallback === undefined ? head : `${head}:-***`;
  if (fallback !== undefined && root !== "env" && roots.includes(root)) {
    return wrong(text, "; only ${env.NAME:-default} accepts a default");
  }
  if (text === "stack" || text === "project") return { kind: text };
  switch (root) {
    case "config": {
      const key = /^\.([\w.-]+(?::[\w.-]+)?)$/.exec(rest)?.[1];
      return key === undefined ? wrong(text, "; expected ${config.KEY}") : { kind: "config", key };
    }
    case "env": {
      const name = /^\.([A-Za-z_]\w*)$/.exec(rest)?.[1];
      if (name === undefined) return wrong(text, "; expected ${env.NAME} or ${env.NAME:-default}");
      return { kind: "env", name, default: fallback };
    }
    case "deployments":
      return parseOutput(text, rest);
    default:
      return wrong(text, hintForRoot(head, root, fallback !== undefined) || `; expected one of ${forms}`);
  }
}

/** Other tools write `${NAME}`, which in lower case may also be a misspelled root. */
function hintForRoot(head: string, root: string, hasDefault: boolean): string {
  const name = /^[A-Za-z_]\w*$/.exec(head.trim())?.[0];
  const similar = name !== undefined && head === head.toUpperCase() ? "" : didYouMeanText(root, roots);
  if (similar !== "" || name === undefined) return similar;
  return `; for an environment variable, use \${env.${name}${hasDefault ? ":-default" : ""}}`;
}

function parseOutput(text: string, rest: string): Reference | string {
  // Keys can contain dots; output names cannot.
  const match = /^\.(.+)\.([^.]*)$/s.exec(rest);
  if (match === null)
    return wrong(text, "; expected ${deployments.KEY.OUTPUT}, such as ${deployments.search.url}");
  const [, deployment = "", name = ""] = match;
  const output = referable.find((candidate) => candidate === name);
  if (output !== undefined) return { kind: "output", deployment, output };
  const hint = didYouMeanText(name, referable) || `; it has ${referable.join(", ")}`;
  return wrong(text, `: a deployment has no such output${hint}`);
}

function wrong(text: string, hint: string): string {
  return `unknown reference "\${${text}}"${hint}`;
}
