/** Chooses the dialect whose rules apply to a manifest. */
import { dialectAt, dialects, type Dialect } from "../dialects";
import { textOf, valueIn, type Node } from "./node";
import type { Problems } from "./problem";
import { knownText, type Bindings } from "./bindings";
import { parseText } from "./reference";

/** @returns undefined if no dialect is given, or an unknown one */
export function dialectOf(root: Node, known: Bindings, problems: Problems): Dialect | undefined {
  const given = known.dialect;
  const node = valueIn(root, "dialect");
  const declared = nameIn(node, known);
  if (given?.is === "connection" && declared !== undefined && declared !== given.name) {
    const message =
      `dialect: the file is for dialect ${declared}, but the stack's connection uses ${given.name}; ` +
      `run \`pulumi config set deployment-service:dialect ${declared}\`, or change the file`;
    problems.add(node!.at, "dialect", message);
    return undefined;
  }
  const name = given?.is === "chosen" ? given.name : (declared ?? given?.name);
  if (name === undefined || !Object.hasOwn(dialects, name)) return undefined;
  return given?.baseUrl === undefined ? dialects[name] : dialectAt(dialects[name]!, given.baseUrl);
}

/** The file's dialect; undefined if it names none, or an unknown one. */
function nameIn(node: Node | undefined, known: Bindings): string | undefined {
  const name = knownText(parseText(textOf(node) ?? "").parts, known);
  return name !== undefined && Object.hasOwn(dialects, name) ? name : undefined;
}
