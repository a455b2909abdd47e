/** One thing that a connection needs. */
export interface Finding {
  /** A short name, which does not change: `address`. */
  readonly check: string;
  /** Whether it is as it should be. */
  readonly ok: boolean;
  /** What was found, and where it comes from. */
  readonly text: string;
  /** What to do about it; null if there is nothing to do. */
  readonly todo: string | null;
}

export function good(check: string, text: string, todo: string | null = null): Finding {
  return { check, ok: true, text, todo };
}

export function wrong(check: string, text: string, todo: string): Finding {
  return { check, ok: false, text, todo };
}
