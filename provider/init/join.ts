/** How another agent joins a project that exists. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { commandText } from "../import/manifest";
import { configKeyNear } from "../import/keys";
import type { Declaration } from "./declaration";
import { entryOf } from "./manifest";
import { resourceOf } from "./typescript";

/** What to add to the project. The keys of its secrets have the agent's name, since other agents may have a secret of that name. */
export function joinText(declaration: Declaration, folder: string): string {
  const { key, args, secrets } = declaration;
  const stacks = readdirSync(folder).filter((file) => /^Pulumi\..+\.ya?ml$/.test(file));
  const isManifest = existsSync(join(folder, "deployments.yaml"));
  const { name = key, ...others } = args;
  const keys = [...secrets.keys()].map((each) => [each, configKeyNear(key, each)] as const);
  const joining = {
    ...declaration,
    // One name in two stacks would be one deployment.
    ...(stacks.length > 1 && { args: others, namePrefix: String(name) }),
    secrets: new Map(keys),
  };
  const text = isManifest ? entryOf(joining) : resourceOf(joining);
  return [
    `To deploy ${key} with it too, add this to ${isManifest ? "deployments.yaml" : "index.ts"}:`,
    "",
    text.trimEnd(),
    "",
    ...(keys.length === 0
      ? []
      : [
          "Then set its secrets in each stack:",
          ...keys.map(([, configKey]) => `  ${commandText({ configKey })} --stack STACK`),
          "",
        ]),
    "",
  ].join("\n");
}
