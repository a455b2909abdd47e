/** What the YAML parser has to say, in our own words where it speaks of YAML's grammar. */
import type { Document, ErrorCode } from "yaml";
import type { Problems, Rule } from "./problem";

const words: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "a tab cannot indent; use spaces",
  MULTIPLE_DOCS: "a manifest is one document; remove what begins with this `---`",
  BLOCK_AS_IMPLICIT_KEY:
    'a value that holds ": " or more lines needs quotes, or a key above it ends too early',
  MULTILINE_IMPLICIT_KEY: 'expected "key: value"',
  BAD_SCALAR_START: "a value cannot begin with this character; put it in quotes",
};

const rules: Partial<Record<ErrorCode, Rule>> = { MULTIPLE_DOCS: "documents", TAG_RESOLVE_FAILED: "tag" };

export function addSyntaxProblems(document: Document, problems: Problems): void {
  const { errors, warnings, directives } = document;
  // What follows from a first error is no news: one problem for each line, and no leftovers.
  const [first, ...rest] = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const telling = rest.filter(({ code }) => code === "TAB_AS_INDENT" || code === "MULTIPLE_DOCS");
  for (const { code, pos, message } of first ? [first, ...telling] : []) {
    const text = words[code] ?? `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
    problems.add({ start: pos[0], end: pos[1] }, rules[code] ?? "syntax", text);
  }
  for (const { code, pos } of warnings) {
    if (code !== "TAG_RESOLVE_FAILED") continue;
    problems.add({ start: pos[0], end: pos[1] }, "tag", "tags are not known here; remove it");
  }
  if (directives?.yaml.explicit && directives.yaml.version !== "1.2") {
    problems.add({ start: 0, end: 0 }, "syntax", "a manifest is YAML 1.2; remove the %YAML directive");
  }
}
