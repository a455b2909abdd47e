/** Translates the comments of an import that become YAML when they are uncommented, so that they become code in a program. */
import type { Comment } from "../../provider/manifest/comments";
import { isMap, isScalar, parseDocument } from "yaml";
import { keyText, quote } from "./code";

/** The lines of a block of secrets in a program, to be uncommented one by one: each stays on its line, whatever its length. */
export const opening = "secrets: {";
export const closing = "},";
/** @param key of the configuration; `namespace:key` if it is not the project's */
export function secretLine(name: string, key: string, note?: string): string {
  return `  ${keyText(name)}: ${configCode(key)},${note === undefined ? "" : ` // ${note}`}`;
}

/** The block `secrets:` in code, and closed by a line more. Other comments stay as they are. */
export function inCode(comments: readonly Comment[]): Comment[] {
  let isOpen = false;
  return comments.flatMap((comment, index) => {
    const next = comments[index + 1];
    const goesOn = next?.isAlone && next.line === comment.line + 1 && entryCode(next.text) !== undefined;
    const isOpening = comment.isAlone && comment.text === "secrets:" && goesOn;
    const code = isOpen ? entryCode(comment.text) : isOpening ? opening : undefined;
    isOpen = code !== undefined && goesOn === true;
    if (code === undefined) return [comment];
    return [{ ...comment, text: code }, ...(isOpen ? [] : [{ ...comment, text: closing }])];
  });
}

/** Whether a comment contains code that needs the import of `pulumi`. It needs no variable, which would be unused before. */
export function needsPulumi({ text }: Comment): boolean {
  return text.includes("new pulumi.Config(");
}

/** `  NAME: ${config.key} # command` as a member of an object; undefined for any other line. */
function entryCode(text: string): string | undefined {
  if (!/^ {2}\S.*\$\{config\./.test(text)) return undefined;
  const { contents, errors } = parseDocument(text.trim());
  const [item, more] = isMap(contents) ? contents.items : [];
  if (errors.length > 0 || more !== undefined || !isScalar(item?.key) || !isScalar(item.value))
    return undefined;
  const [, key] = /^\$\{config\.([\w.:-]+)\}$/.exec(String(item.value.value)) ?? [];
  return key === undefined ? undefined : secretLine(String(item.key.value), key, item.value.comment?.trim());
}

function configCode(reference: string): string {
  const [key = "", namespace] = reference.split(":").reverse();
  return `new pulumi.Config(${namespace === undefined ? "" : quote(namespace)}).requireSecret(${quote(key)})`;
}
