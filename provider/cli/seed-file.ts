/** Reads what the emulator is to hold from the beginning, and says where in the file something is wrong. */
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import { formatPath } from "../../schema/tree";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";
import { readBytes } from "./manifest-file";

interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export function readSeed(file: string, io: Pick<Io, "cwd">) {
  const lines = new LineCounter();
  const text = readBytes(file, io).toString("utf8");
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return sanitize(`${file}:${line}:${col}: ${message}`);
  };
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(at(error.pos[0], error.message));
  return {
    /** As JSON would hold it: that is what the service would get. */
    value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {})) as Record<string, never>,
    /** What the emulator said, with its places in this file. */
    refusedBy(problems: string | readonly Problem[]): UsageError {
      if (typeof problems === "string") return new UsageError(sanitize(`${file}: ${problems}`));
      const told = problems.map(({ loc, msg }) =>
        at(offsetOf(document, loc), [formatPath(loc), msg].filter(Boolean).join(": ")),
      );
      return new UsageError(told.join("\n"));
    },
  };
}

/** Where the value stands, or the innermost one around it that is there. */
function offsetOf(document: Document, loc: Problem["loc"]): number {
  for (let length = loc.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(loc.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
