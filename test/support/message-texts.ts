/** The texts of a source file as users see them, with `…` for inserted values. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export const filledIn = "…";

export function messageTextsIn(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isText(node.parent)) found.push(textOf(node).replace(/…+/g, filledIn));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A literal, a template, or several of them joined with `+`. */
function isText(node: ts.Node): node is ts.Expression {
  if (ts.isParenthesizedExpression(node)) return isText(node.expression);
  if (ts.isBinaryExpression(node)) {
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right));
  }
  return (
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
  );
}

function textOf(node: ts.Expression): string {
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isBinaryExpression(node) && isText(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return filledIn;
  return node.head.text + node.templateSpans.map(({ literal }) => filledIn + literal.text).join("");
}
