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

/** Splits `PROBLEM: REMEDY`. Without a colon, the remedy is to set or correct what the message names. */
export function inTwo(message: string): [text: string, todo: string] {
  const [, missing] = /^(\S+) is not set(?:;|$)/.exec(message) ?? [];
  const [, wrong = "it"] = /^(.*?) must /.exec(message) ?? [];
  const [, text = message, todo = missing ? `set ${missing}` : `correct ${wrong}`] =
    /^(.*?): (.*)$/s.exec(message) ?? [];
  return [text, `${todo.charAt(0).toUpperCase()}${todo.slice(1)}.`];
}
