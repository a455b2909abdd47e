/** Writes declarations as manifests, with an overlay for each stack that differs. */
import { Document, type Scalar, type YAMLMap } from "yaml";
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
  const { key, shared, secrets, comment, stacks } = declaration;
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
  if (comment.length > 0) commentOn(document, ["deployments", key], comment);
  if (secrets.size > 0 && !areManaged)
    addSecrets(
      declared,
      [...secrets].map(([name, configKey]) => ({ name, configKey })),
      unmanagedText(declaration),
    );
  for (const { stack, setSecrets } of unmanaged) {
    const kept = "They stay as the service has them. To manage them here too, run";
    const lines = [kept, `\`${setSecrets}\` and remove this line.`];
    commentOn(document, ["stacks", stack, "deployments", key, "secrets"], lines);
  }
  return printYaml(document);
}

function commentOn(document: Document, path: readonly string[], lines: readonly string[]): void {
  const { items } = document.getIn(path.slice(0, -1)) as YAMLMap<Scalar>;
  const { key } = items.find(({ key }) => key.value === path.at(-1))!;
  key.commentBefore = lines.map((line) => ` ${line}`).join("\n");
}
