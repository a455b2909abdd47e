/** Writes declarations as manifests, with an overlay for each stack that differs. */
import { Document, isMap, isScalar, type YAMLMap } from "yaml";
import { manifestVersion } from "../../schema/manifest";
import type { Values } from "../../schema/tree";
import { addSecrets, literal, printYaml, schemaLine } from "../import/imported-manifest";
import {
  areSecretsManaged,
  argumentsWith,
  stacksWithoutSecrets,
  unmanagedText,
  type Declaration,
} from "./declaration";

/** @param dialect undefined for the usual one */
export function manifestOf(declaration: Declaration, dialect: string | undefined): string {
  const { key, shared, secrets, comments, stacks } = declaration;
  const references = Object.fromEntries([...secrets].map(([name, each]) => [name, `\${config.${each}}`]));
  const areManaged = areSecretsManaged(declaration);
  const unmanaged = stacksWithoutSecrets(declaration);
  const args = stacks.length === 1 ? argumentsWith(stacks[0]!.args, declaration) : shared;
  const overlays = Object.fromEntries(
    stacks.flatMap(({ stack, args, isProtected }) => {
      const overlay = {
        ...(stacks.length > 1 && (literal(args) as Values)),
        ...(unmanaged.some((each) => each.stack === stack) && { secrets: null }),
        ...(isProtected && { options: { protect: true } }),
      };
      return Object.keys(overlay).length === 0 ? [] : [[stack, { deployments: { [key]: overlay } }]];
    }),
  );
  const document = new Document({
    version: manifestVersion,
    ...(dialect !== undefined && { dialect }),
    deployments: { [key]: { ...(literal(args) as Values), ...(areManaged && { secrets: references }) } },
    ...(Object.keys(overlays).length > 0 && { stacks: overlays }),
  });
  document.commentBefore = ` ${schemaLine}`;
  const declared = document.getIn(["deployments", key]) as YAMLMap;
  const root = document.contents as YAMLMap;
  for (const [path, lines] of Object.entries(comments))
    if (!commentOn(declared, path.split("."), lines)) commentOn(root, ["stacks"], lines);
  if (secrets.size > 0 && !areManaged)
    addSecrets(
      declared,
      [...secrets].map(([name, configKey]) => ({ name, configKey })),
      unmanagedText(declaration),
    );
  for (const { stack, setSecrets } of unmanaged) {
    const kept = "They stay as the service has them. To manage them here too, run";
    const lines = [kept, `\`${setSecrets}\` and remove this line.`];
    commentOn(root, ["stacks", stack, "deployments", key, "secrets"], lines);
  }
  return printYaml(document);
}

/** Returns whether there is such a value. Adds to a comment that is there. */
function commentOn(map: YAMLMap, path: readonly string[], lines: readonly string[]): boolean {
  const [name, ...rest] = path;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (rest.length > 0) return isMap(pair?.value) && commentOn(pair.value, rest, lines);
  if (!isScalar(pair?.key)) return false;
  const before = pair.key.commentBefore ?? "";
  pair.key.commentBefore = [before, ...lines.map((line) => ` ${line}`)].filter(Boolean).join("\n");
  return true;
}
