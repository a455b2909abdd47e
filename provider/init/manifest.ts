/** Writes declarations as manifests, with an overlay for each stack that differs. */
import { Document, isMap, isScalar, type YAMLMap } from "yaml";
import { manifestVersion } from "../../schema/manifest";
import { isObject, withValueAt, type Values } from "../../schema/tree";
import { addSecrets, literal, printYaml, schemaLine } from "../import/manifest";
import {
  areSecretsManaged,
  PerStack,
  perStackValues,
  stacksWithoutSecrets,
  type Declaration,
} from "./declaration";

/** @param dialect undefined for the usual one */
export function manifestOf(declaration: Declaration, dialect: string | undefined): string {
  const { key, args, secrets, comments } = declaration;
  const references = Object.fromEntries([...secrets].map(([name, each]) => [name, `\${config.${each}}`]));
  const areManaged = areSecretsManaged(declaration);
  const unmanaged = stacksWithoutSecrets(declaration);
  const base = {
    ...(literal(withoutPerStack(args)) as Values),
    ...(areManaged && { secrets: references }),
  };
  const overlays = Object.fromEntries(
    declaration.stacks.flatMap(({ stack, isProtected }, at) => {
      const overlay = {
        ...valuesOfStack(args, at),
        ...(unmanaged.includes(stack) && { secrets: null }),
        ...(isProtected && { options: { protect: true } }),
      };
      return Object.keys(overlay).length === 0 ? [] : [[stack, { deployments: { [key]: overlay } }]];
    }),
  );
  const document = new Document({
    version: manifestVersion,
    ...(dialect !== undefined && { dialect }),
    deployments: { [key]: base },
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
    );
  for (const stack of unmanaged) {
    const kept = "They stay as the service has them. To manage them here too, run";
    const lines = [kept, `\`sh set-secrets.sh ${stack}\` and remove this line.`];
    commentOn(root, ["stacks", stack, "deployments", key, "secrets"], lines);
  }
  return printYaml(document);
}

/** @param at the index of the stack */
function valuesOfStack(args: Values, at: number): Values {
  return perStackValues(args)
    .filter(({ value }) => value.values[at] !== undefined)
    .reduce<Values>((all, { path, value }) => withValueAt(all, path, literal(value.values[at])), {});
}

function withoutPerStack(values: Values): Values {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (value instanceof PerStack) return [];
    if (!isObject(value)) return [[name, value]];
    const inner = withoutPerStack(value);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

/** Returns whether there is such a value. Adds to a comment that is there. */
function commentOn(map: YAMLMap, path: readonly string[], lines: readonly string[]): boolean {
  const [name, ...rest] = path;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (rest.length > 0) return isMap(pair?.value) && commentOn(pair.value, rest, lines);
  if (!isScalar(pair?.key)) return false;
  const { commentBefore } = pair.key;
  pair.key.commentBefore = [
    ...(commentBefore ? [commentBefore] : []),
    ...lines.map((line) => ` ${line}`),
  ].join("\n");
  return true;
}
