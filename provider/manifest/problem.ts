/** The problems of a manifest, collected over its stacks and reported once. */
import type { Problem } from "../../schema/problem";
import { isInside, type Span } from "./node";

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

/** What is said of a problem, beyond its place and its message. */
export interface ProblemDetails {
  /** Default: `error`. */
  readonly severity?: Severity;
  /** What makes two problems of one place and rule the same one. Default: the message. */
  readonly identity?: string;
  /** The place in the stack's overlay, for a problem that the lower layers do not have by themselves. */
  readonly inOverlay?: Span | undefined;
}

export type Report = (at: Span, rule: Rule, message: string, details?: ProblemDetails) => void;

/** A stack that is not selected, with the text of its overlay. */
interface OtherStack {
  readonly name: string;
  readonly at: Span;
}

interface Reported extends ManifestProblem {
  readonly identity: string;
  readonly stack: OtherStack | undefined;
}

/** Collects the problems of one file. */
export class Problems {
  readonly #reported: Reported[] = [];

  readonly add = this.inStack();

  /** Receives the problems of a stack that is not selected. */
  inStack(stack?: OtherStack): Report {
    return (at, rule, message, { severity = "error", identity = message, inOverlay = at } = {}) => {
      const same = identityOf(at, rule, identity);
      this.#reported.push({ at: inOverlay, rule, severity, message, identity: same, stack });
    };
  }

  /**
   * In file order. Problems that other stacks share with the base or with the selected stack are not repeated.
   * @param stack the selected one, if there is one: then a problem of another stack counts only if it lies in that stack's overlay
   */
  sorted(stack: string | undefined): ManifestProblem[] {
    const shared = new Set(this.#reported.flatMap((each) => (each.stack ? [] : [each.identity])));
    const problems = this.#reported.flatMap(({ identity, stack: other, ...problem }) => {
      if (other === undefined) return [problem];
      if (shared.has(identity)) return [];
      if (isInside(problem.at, other.at)) return [problem];
      return stack === undefined
        ? [{ ...problem, message: `${problem.message} (in stack ${other.name})` }]
        : [];
    });
    const unique = new Map(problems.map((each) => [`${each.at.start} ${each.message}`, each]));
    return [...unique.values()].sort((a, b) => a.at.start - b.at.start);
  }

  /** Whether the file breaks one of these rules. */
  has(rules: readonly Rule[]): boolean {
    return this.#reported.some(({ rule }) => rules.includes(rule));
  }
}

function identityOf(at: Span, rule: Rule, identity: string): string {
  return `${at.start} ${rule} ${identity}`;
}
