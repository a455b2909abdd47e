/** Reads what the emulator is to hold from the beginning, and says where in the file something is wrong. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";
import { unreadable } from "./manifest-file";

export interface SeedFile {
  readonly value: Record<string, never>;
  /** What the emulator said, with its places in this file. */
  refusedBy(problems: string | readonly Problem[]): UsageError;
}

interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export function readSeed(file: string, { cwd }: Pick<Io, "cwd">): SeedFile {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file, cwd), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return sanitize(`${file}:${line}:${col}: ${message}`);
  };
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(at(error.pos[0], error.message));
  return {
    value: (valueOf(document) ?? {}) as Record<string, never>,
    refusedBy: (problems) => {
      if (typeof problems === "string") return new UsageError(sanitize(`${file}: ${problems}`));
      const told = problems.map(({ loc, msg }) => at(offsetOf(document, loc), `${pathText(loc)}${msg}`));
      return new UsageError(told.join("\n"));
    },
  };
}

function textOf(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${sanitize(file)}: ${unreadable[code] ?? code}`);
  }
}

/** As JSON would hold it: that is what the service would get. */
function valueOf(document: Document): unknown {
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
}

/** Where the value stands, or the innermost one around it that is there. */
function offsetOf(document: Document, loc: Problem["loc"]): number {
  for (let length = loc.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(loc.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function pathText(loc: Problem["loc"]): string {
  const path = loc.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return path === "" ? "" : `${path.replace(/^\./, "")}: `;
}
