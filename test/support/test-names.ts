/** The names of the tests in a file, as vitest prints them, placeholders as they are written: `a suite > a test %s`. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export function testNamesIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  return namesBelow(source, []);
}

function namesBelow(node: ts.Node, suites: readonly string[]): string[] {
  const { kind, name } = declarationIn(node);
  const here = name === undefined ? suites : [...suites, name];
  if (kind === "test" && name !== undefined) return [here.join(" > ")];
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children.flatMap((child) => namesBelow(child, here));
}

const kinds = new Map<string | undefined, "test" | "suite">([
  ["it", "test"],
  ["test", "test"],
  ["describe", "suite"],
  // Of the table of laws that both providers are held to.
  ["law", "test"],
  ["onlyDynamic", "test"],
  ["onlyPackaged", "test"],
]);

/** `it("…", …)`, `it.each(…)("…", …)` and the same of `test` and `describe`; what is skipped is no test. */
function declarationIn(node: ts.Node): { kind?: "test" | "suite"; name?: string } {
  if (!ts.isCallExpression(node)) return {};
  const words = wordsOf(node.expression);
  // A law of one provider alone begins with the reason for that.
  const [first, body] = node.arguments.slice(words[0]?.startsWith("only") ? 1 : 0);
  const kind = kinds.get(words[0]);
  const isSkipped = words.includes("skip") || words.includes("todo");
  if (kind === undefined || body === undefined || isSkipped) return {};
  const name = first && textOf(first);
  return name === undefined ? {} : { kind, name };
}

/** What is filled in stands as `%s`. */
function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `%s${literal.text}`).join("");
}

/** `it.each(…)` as `it`, `each`. */
function wordsOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...wordsOf(node.expression), node.name.text];
  return ts.isCallExpression(node) ? wordsOf(node.expression) : [];
}
