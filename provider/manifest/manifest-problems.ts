/** The problems of a manifest, collected over its stacks and reported once. */
import type { Problem } from "../../schema/problem";
import { isInside, type Span } from "./places";

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

/** The severity is `error` by default. */
export type Report = (at: Span, rule: Rule, message: string, severity?: Severity) => void;

/** A stack that is not selected, with the text of its overlay. */
interface OtherStack {
  readonly name: string;
  readonly at: Span;
}

interface Reported extends ManifestProblem {
  readonly stack: OtherStack | undefined;
}

/** Collects the problems of one file. */
export class Problems {
  readonly #reported: Reported[] = [];

  readonly add = this.inStack();

  /** Receives the problems of a stack that is not selected. */
  inStack(stack?: OtherStack): Report {
    return (at, rule, message, severity = "error") =>
      void this.#reported.push({ at, rule, severity, message, stack });
  }

  /**
   * In file order, each once: what other stacks share with the base or with the selected stack is the same text in the same place.
   * @param stack the selected one, if there is one: then a problem of another stack counts only if it lies in that stack's overlay
   */
  sorted(stack: string | undefined): ManifestProblem[] {
    const shared = new Set(this.#reported.flatMap((each) => (each.stack ? [] : [identityOf(each)])));
    const problems = this.#reported.flatMap(({ stack: other, ...problem }) => {
      if (other !== undefined && shared.has(identityOf(problem))) return [];
      if (other === undefined || isInside(problem.at, other.at)) return [problem];
      return stack === undefined
        ? [{ ...problem, message: `${problem.message} (in stack ${other.name})` }]
        : [];
    });
    const unique = new Map(problems.map((each) => [identityOf(each), each]));
    return [...unique.values()].sort((a, b) => a.at.start - b.at.start);
  }

  /** Whether the file breaks one of these rules. */
  has(rules: readonly Rule[]): boolean {
    return this.#reported.some(({ rule }) => rules.includes(rule));
  }
}

function identityOf({ at, message }: ManifestProblem): string {
  return `${at.start} ${message}`;
}
