/** Turns the YAML parser's errors into problems. */
import { isCollection, isScalar, visit, type Document, type ErrorCode, type YAMLError } from "yaml";
import type { Span } from "./places";
import type { Problems, Rule } from "./manifest-problems";

export const depthLimit = 50;
export const tooDeep = `nested more than ${depthLimit} levels deep`;

/** Replaces the parser's messages that are about its grammar or quote the file, because a quote may contain a secret. */
const words: Partial<Record<ErrorCode, string>> = {
  BAD_COLLECTION_TYPE: "tags are not supported; remove it",
  BAD_DIRECTIVE: "directives (%) are not supported; remove it",
  BAD_DQ_ESCAPE: 'unknown escape sequence; write "\\\\" for a "\\"',
  BAD_INDENT: "this line is indented differently from its neighbours",
  BAD_PROP_ORDER: "an anchor or a tag belongs after this character",
  BAD_SCALAR_START: "a value cannot begin with this character; put it in quotes",
  BLOCK_AS_IMPLICIT_KEY:
    'a value that holds ": " or more lines needs quotes, or a key above it ends too early',
  IMPOSSIBLE: "this is not YAML",
  MULTILINE_IMPLICIT_KEY: 'expected "key: value"',
  MULTIPLE_DOCS: "a manifest is one document; remove what begins with this `---`",
  NON_STRING_KEY: "a key must be a string",
  // The parser recurses, and the call stack was exhausted.
  RESOURCE_EXHAUSTION: tooDeep,
  TAB_AS_INDENT: "indent with spaces, not with tabs",
  TAG_RESOLVE_FAILED: "tags are not supported; remove it",
  UNEXPECTED_TOKEN: "this cannot stand here; a quote, a comma or a line break may be missing before it",
};

const rules: Partial<Record<ErrorCode, Rule>> = { MULTIPLE_DOCS: "documents", RESOURCE_EXHAUSTION: "depth" };

export function addSyntaxProblems(document: Document, text: string, problems: Problems): void {
  const { errors, warnings, directives } = document;
  // Most later errors only follow from the first one. These do not.
  const [first, ...rest] = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const independent = rest.filter(({ code }) => code === "TAB_AS_INDENT" || code === "MULTIPLE_DOCS");
  for (const error of first ? [first, ...independent] : []) {
    const { at, message } = explain(error, document, text);
    problems.add(at, rules[error.code] ?? "syntax", message);
  }
  for (const { code, pos } of warnings) {
    if (code !== "TAG_RESOLVE_FAILED") continue;
    problems.add({ start: pos[0], end: pos[1] }, "tag", "tags are not supported; remove it");
  }
  if (directives?.yaml.explicit && directives.yaml.version !== "1.2") {
    problems.add({ start: 0, end: 0 }, "syntax", "a manifest is YAML 1.2; remove the %YAML directive");
  }
}

function explain(
  { code, pos, message }: YAMLError,
  document: Document,
  text: string,
): { at: Span; message: string } {
  const [start, end] = pos;
  // An unclosed bracket or quote is reported where it opens. The parser reports it where it misses the end.
  const bracket = /^Flow (sequence|map) .*end with a (.)$/.exec(message);
  if (bracket !== null) {
    const isList = bracket[1] === "sequence";
    const opening = lastOf(document, start, (at) => text[at] === (isList ? "[" : "{"));
    const what = `this ${isList ? "list" : "object"} is not closed; expected "${bracket[2]}"`;
    if (opening !== undefined) return { at: { start: opening, end: opening + 1 }, message: what };
  }
  if (/^Missing closing .quote$/.test(message)) {
    const opening = lastOf(document, start, (at) => text[at] === '"' || text[at] === "'");
    if (opening !== undefined) {
      return { at: { start: opening, end: opening + 1 }, message: "this quote is not closed" };
    }
  }
  const explanation = words[code] ?? `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
  if (code !== "BAD_INDENT") return { at: { start, end }, message: explanation };
  const indent = /^ */.exec(text.slice(start))![0].length;
  return { at: { start: start + indent, end: Math.max(end, start + indent) }, message: explanation };
}

/** The start of the last node before an offset whose first character fits. */
function lastOf(
  document: Document,
  before: number,
  isWanted: (start: number) => boolean,
): number | undefined {
  let found: number | undefined;
  visit(document, {
    Node: (_, node) => {
      if (!isScalar(node) && !isCollection(node)) return;
      const start = node.range?.[0];
      if (start !== undefined && start < before && isWanted(start) && start > (found ?? -1)) found = start;
    },
  });
  return found;
}
