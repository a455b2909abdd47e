import type { Mask } from "./mask";
import type { Span } from "./node";

export type Severity = "error" | "warning";

/** The short, stable names of the rules that a manifest can break. */
export type Rule =
  | "encoding"
  | "empty"
  | "syntax"
  | "documents"
  | "depth"
  | "alias"
  | "expansion"
  | "merge"
  | "tag"
  | "duplicate-key"
  | "unknown-key"
  | "key"
  | "version"
  | "required"
  | "type"
  | "enum"
  | "format"
  | "range"
  | "fields"
  | "reference"
  | "cycle"
  | "environment"
  | "configuration"
  | "credential"
  | "name"
  | "dialect";

export interface Problem {
  readonly at: Span;
  readonly severity: Severity;
  readonly rule: Rule;
  readonly message: string;
}

/** What is said of a place, and what is said where the place must not be shown. */
export type Message = string | { readonly open: string; readonly closed: string };

const longestQuotation = 100;

/** A message that quotes the file, and the same without the quotation. */
export function quoting(text: string, message: (quotation: string) => string): Exclude<Message, string> {
  const short = text.length <= longestQuotation ? text : `${text.slice(0, longestQuotation)}…`;
  return { open: message(` "${short}"`), closed: message("") };
}

const longestWord = 300;
const longestMessage = 2_000;

/** A name is as long as somebody makes it, and a message is for reading. */
function cutShort(message: string): string {
  if (message.length <= longestWord) return message;
  const text = message.replace(/\S+/g, (word) =>
    word.length <= longestWord ? word : `${word.slice(0, 100)}…${word.slice(-50)}`,
  );
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`;
}

/** A key as messages name it: what stands behind a sign that parts names from values may be a value. */
export function nameOf(key: string): string {
  const parting = key.search(/[:=]/);
  return parting === -1 ? key : `${key.slice(0, parting + 1)}…`;
}

/** The name of a secret as messages give it: what is no name may be a part of a value. */
export function secretNameOf(key: string): string {
  return /^[A-Za-z_]\w*(?=[:=]|$)/.exec(key)?.[0] ?? "…";
}

/** Says more of what a message is about. */
export function about(message: Message, more: (message: string) => string): Message {
  if (typeof message === "string") return more(message);
  return { open: more(message.open), closed: more(message.closed) };
}

/** Takes problems. */
export interface Findings {
  add(at: Span, rule: Rule, message: Message, severity?: Severity): void;
}

interface Found {
  readonly at: Span;
  readonly severity: Severity;
  readonly rule: Rule;
  readonly message: Message;
  /** The stacks that the problem is one of; undefined where it is one of the file. */
  stacks: Set<string> | undefined;
}

/** Collects the problems of one file; what is said twice of one place is kept once. */
export class Problems implements Findings {
  readonly #found = new Map<string, Found>();

  add(at: Span, rule: Rule, message: Message, severity: Severity = "error"): void {
    this.#add({ at, rule, message, severity, stacks: undefined });
  }

  /** The problems of one stack: one that the file has anyway is kept as the file's. */
  in(stack: string): Findings {
    return {
      add: (at, rule, message, severity = "error") =>
        this.#add({ at, rule, message, severity, stacks: new Set([stack]) }),
    };
  }

  #add(found: Found): void {
    const { at, stacks } = found;
    const message = about(found.message, cutShort);
    const key = `${at.start} ${typeof message === "string" ? message : message.open}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { ...found, message });
    else if (stacks === undefined) known.stacks = undefined;
    else stacks.forEach((stack) => known.stacks?.add(stack));
  }

  /** In the order of the file. */
  sorted(mask: Mask): Problem[] {
    return [...this.#found.values()]
      .sort((a, b) => a.at.start - b.at.start)
      .map(({ stacks, message, ...rest }) => {
        const text =
          typeof message === "string" ? message : mask.covers(rest.at) ? message.closed : message.open;
        return { ...rest, message: stacks === undefined ? text : `${text} (in ${stackNames(stacks)})` };
      });
  }

  /** Whether the file breaks one of these rules. */
  has(rules: readonly Rule[]): boolean {
    return [...this.#found.values()].some(({ rule }) => rules.includes(rule));
  }
}

function stackNames(stacks: ReadonlySet<string>): string {
  return cutShort(`${stacks.size > 1 ? "stacks" : "stack"} ${[...stacks].join(", ")}`);
}
