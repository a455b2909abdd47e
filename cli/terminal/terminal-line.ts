/** Standard error. On a terminal, a line of progress stays below the text, until the next text or line replaces it. */
import type { WriteStream } from "node:tty";
import type { Io } from "../command";
import { cut, wrap } from "./text-table";

/** Clears the line of the cursor. */
const clear = "\r\u001b[K";

export function standardError(
  stream: Pick<WriteStream, "write" | "columns" | "isTTY">,
  env: Io["env"],
): Io["stderr"] {
  const isTerminal = stream.isTTY && !env["CI"] && env["TERM"] !== "dumb";
  if (!isTerminal) return stream;
  const columns = () => stream.columns || 80;
  // Excerpts of files are indented or coloured, and stay as they are.
  const wrapped = (line: string) =>
    /^ | {2}/.test(line) || line.includes("\u001b") ? line : wrap(line, columns()).join("\n");
  let isShown = false;
  const write = (text: string) => stream.write((isShown ? clear : "") + text);
  return {
    write: (text) => {
      write(text.split("\n").map(wrapped).join("\n"));
      isShown = false;
    },
    line: (text) => {
      // In the last column, some terminals would begin another line.
      write(cut(text, columns() - 1));
      isShown = text !== "";
    },
  };
}
