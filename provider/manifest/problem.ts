import type { Problem } from "../../schema/problems";
import type { Span } from "./node";

export type Severity = "error" | "warning";

/** Stable names of the rules that a manifest can break. */
export type Rule =
  | Problem["rule"]
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
  | "key"
  | "version"
  | "reference"
  | "cycle"
  | "environment"
  | "configuration"
  | "credential"
  | "name"
  | "dialect";

export interface ManifestProblem {
  readonly at: Span;
  readonly severity: Severity;
  readonly rule: Rule;
  readonly message: string;
}

/** Receives problems. */
export interface Findings {
  /** @param identity what makes two problems the same one, if it is not the message */
  add(at: Span, rule: Rule, message: string, severity?: Severity, identity?: string): void;
}

interface Found extends ManifestProblem {
  /** The affected stacks; undefined if the problem does not depend on a stack. */
  stacks: Set<string> | undefined;
}

/** Collects the problems of one file, without duplicates. */
export class Problems implements Findings {
  readonly #found = new Map<string, Found>();

  add(at: Span, rule: Rule, message: string, severity: Severity = "error"): void {
    this.#add({ at, rule, message, severity, stacks: undefined });
  }

  /** Receives problems of one stack. One that also occurs without a stack is reported without one. */
  in(stack: string): Findings {
    return {
      add: (at, rule, message, severity = "error") =>
        this.#add({ at, rule, message, severity, stacks: new Set([stack]) }),
    };
  }

  #add(found: Found): void {
    const { at, message, stacks } = found;
    const key = `${at.start} ${message}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, found);
    else if (stacks === undefined) known.stacks = undefined;
    else stacks.forEach((stack) => known.stacks?.add(stack));
  }

  /** In file order. */
  sorted(): ManifestProblem[] {
    return [...this.#found.values()]
      .sort((a, b) => a.at.start - b.at.start)
      .map(({ stacks, message, ...rest }) => ({
        ...rest,
        message: stacks === undefined ? message : `${message} (in ${stackNames(stacks)})`,
      }));
  }

  /** Whether the file breaks one of these rules. */
  has(rules: readonly Rule[]): boolean {
    return [...this.#found.values()].some(({ rule }) => rules.includes(rule));
  }
}

function stackNames(stacks: ReadonlySet<string>): string {
  return `${stacks.size > 1 ? "stacks" : "stack"} ${[...stacks].join(", ")}`;
}
