/** Links in a terminal (OSC 8). */
import type { Io } from "./command";

/** Terminals that show links, by the variables that they set. Others might print the escape sequence. */
const terminals: Readonly<Record<string, RegExp>> = {
  TERM_PROGRAM: /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|Tabby|rio)$/,
  TERM: /^(xterm-kitty|xterm-ghostty|alacritty|foot)/,
  // From GNOME Terminal and others of its family, since version 0.50.
  VTE_VERSION: /^([5-9]\d{3}|\d{5,})$/,
  WT_SESSION: /./,
  KONSOLE_VERSION: /./,
  DOMTERM: /./,
};

export function hasLinks({ isTerminal, env }: Pick<Io, "isTerminal" | "env">): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced) return forced !== "0";
  if (!isTerminal || env["TERM"] === "dumb") return false;
  return Object.entries(terminals).some(([name, pattern]) => pattern.test(env[name] ?? ""));
}

/** @param address a valid URL, so that it contains no control characters */
export function linked(text: string, address: string): string {
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}
