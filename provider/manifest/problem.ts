import type { Problem } from "../../schema/problems";
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
export interface Details {
  /** Default: `error`. */
  readonly severity?: Severity;
  /** What makes two problems of one place and rule the same one. Default: the message. */
  readonly identity?: string;
  /** The place in the stack's overlay, for a problem that the lower layers do not have by themselves. */
  readonly inOverlay?: Span | undefined;
}

/** Receives problems. */
export interface Findings {
  add(at: Span, rule: Rule, message: string, details?: Details): void;
}

type Place = Pick<ManifestProblem, "at" | "message">;

interface Found extends Pick<ManifestProblem, "rule" | "severity"> {
  /** In the base or in the selected stack. */
  selected?: Place;
  readonly others: (Place & { readonly stack: string })[];
}

/** Collects the problems of one file. Joins those that several stacks have at the same place. */
export class Problems implements Findings {
  readonly #found = new Map<string, Found>();
  /** The text of each other stack's overlay. */
  readonly #overlays = new Map<string, Span>();

  add(at: Span, rule: Rule, message: string, details: Details = {}): void {
    this.#join(at, rule, message, details).selected ??= { at: details.inOverlay ?? at, message };
  }

  /**
   * Receives the problems of a stack that is not selected.
   * @param overlay its text
   */
  inStack(stack: string, overlay: Span): Findings {
    this.#overlays.set(stack, overlay);
    return {
      add: (at, rule, message, details = {}) => {
        this.#join(at, rule, message, details).others.push({ stack, at: details.inOverlay ?? at, message });
      },
    };
  }

  #join(at: Span, rule: Rule, message: string, { severity = "error", identity = message }: Details): Found {
    const key = `${at.start} ${rule} ${identity}`;
    const found = this.#found.get(key) ?? { rule, severity, others: [] };
    this.#found.set(key, found);
    return found;
  }

  /**
   * In file order.
   * @param stack the selected one, if there is one: then other stacks only matter for their own text
   */
  sorted(stack: string | undefined): ManifestProblem[] {
    const problems = new Map<string, ManifestProblem>();
    for (const { rule, severity, selected, others } of this.#found.values()) {
      const inOverlays = others.filter(({ stack: key, at }) => isInside(at, this.#overlays.get(key)!));
      const inherited = stack === undefined ? others.filter((each) => !inOverlays.includes(each)) : [];
      const named = inherited.slice(0, 1).map((place) => ({
        ...place,
        message: `${place.message} (in ${stackNames(inherited)})`,
      }));
      const places = selected ? [selected] : [...inOverlays, ...named];
      for (const { at, message } of places)
        problems.set(`${at.start} ${message}`, { at, rule, severity, message });
    }
    return [...problems.values()].sort((a, b) => a.at.start - b.at.start);
  }

  /** Whether the file breaks one of these rules. */
  has(rules: readonly Rule[]): boolean {
    return [...this.#found.values()].some(({ rule }) => rules.includes(rule));
  }
}

function stackNames(found: Found["others"]): string {
  const names = [...new Set(found.map(({ stack }) => stack))];
  return `${names.length > 1 ? "stacks" : "stack"} ${names.join(", ")}`;
}
