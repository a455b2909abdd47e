/** Reads the emulator's initial state from a file, and locates its problems there. */
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import { formatPath } from "../../schema/tree";
import { decode } from "../text/decode";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";
import { readBytes } from "./manifest-file";

interface EmulatorProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export function readSeed(file: string, io: Pick<Io, "cwd">) {
  const lines = new LineCounter();
  const { text, brokenAt } = decode(readBytes(file, io));
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return sanitize(`${file}:${line}:${col}: ${message}`);
  };
  if (brokenAt !== undefined) throw new UsageError(at(brokenAt, "this is not UTF-8: save the file as UTF-8"));
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(at(error.pos[0], error.message));
  return {
    /** Converted to plain JSON, as the service would receive it. */
    value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {})) as Record<string, never>,
    /** The emulator's problems, located in this file. */
    refusedBy(problems: string | readonly EmulatorProblem[]): UsageError {
      if (typeof problems === "string") return new UsageError(sanitize(`${file}: ${problems}`));
      const lines = problems.map(({ loc, msg }) =>
        at(offsetOf(document, loc), [formatPath(loc), msg].filter(Boolean).join(": ")),
      );
      return new UsageError(lines.join("\n"));
    },
  };
}

/** The offset of the value, or of its innermost existing parent. */
function offsetOf(document: Document, loc: EmulatorProblem["loc"]): number {
  for (let length = loc.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(loc.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
