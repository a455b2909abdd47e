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
  | "circle"
  | "environment"
  | "configuration"
  | "credential";

export interface Problem {
  readonly at: Span;
  readonly severity: Severity;
  readonly rule: Rule;
  readonly message: string;
}

/** Collects the problems of one file; what is said twice of one place is kept once. */
export class Problems {
  readonly #seen = new Map<string, Problem>();

  add(at: Span, rule: Rule, message: string, severity: Severity = "error"): void {
    const key = `${at.start} ${message}`;
    if (!this.#seen.has(key)) this.#seen.set(key, { at, severity, rule, message });
  }

  /** In the order of the file. */
  sorted(): Problem[] {
    return [...this.#seen.values()].sort((a, b) => a.at.start - b.at.start);
  }
}
