/** The manifest of what is imported, as a person would write it. */
import { Document, isMap, Scalar, visit, type YAMLMap } from "yaml";
import { manifestVersion } from "../../schema/manifest";
import { isObject, mapValues, type Values } from "../deployment/values";
import { escaped, printable } from "../presentable";
import type { Imported, ImportedSecret } from "./plan";

const schemaLine =
  "yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json";

const explanation = [
  "Secrets are on the service and not managed yet, so their values are in no file. To manage one, set it with the",
  "command beside it and take its line, and the line `secrets:` above it, out of the comment.",
];

export function manifestOf(imported: readonly Imported[]): string {
  const hasSecrets = imported.some(({ secrets }) => secrets.length > 0);
  const deployments = Object.fromEntries(imported.map((each) => [each.key, declarationOf(each)]));
  const document = new Document({ version: manifestVersion, deployments });
  document.commentBefore = [schemaLine, ...(hasSecrets ? ["", ...explanation] : [])]
    .map(commented)
    .join("\n");
  for (const { key, secrets } of imported) {
    const map = document.getIn(["deployments", key]);
    if (secrets.length > 0 && isMap(map)) addSecrets(map, secrets);
  }
  return textOf(document);
}

/** A part of a manifest to paste: `deployments:` and what is below it. */
export function snippetOf(deployments: Readonly<Record<string, Values>>): string {
  return textOf(new Document({ deployments: mapValues(deployments, literal) }));
}

/** Names of the service may hold characters that are not seen: those are escaped, for which YAML wants double quotes. */
function textOf(document: Document): string {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      const lines = node.value.replaceAll("\n", "");
      if (printable(lines) !== lines || lines.includes("\t")) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escaped(document.toString({ lineWidth: 0 }));
}

/** The command that sets a secret, which asks for the value: it is in no history and on no screen. */
export function commandFor({ configKey }: ImportedSecret): string {
  return `pulumi config set --secret ${configKey}`;
}

function declarationOf({ key, args }: Imported): unknown {
  const { name, ...rest } = args;
  return literal({ ...(name !== key && { name }), ...rest });
}

/** Values as the manifest reads them back: what looks like a reference is none. */
function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(literal);
  return isObject(value) ? mapValues(value, literal) : value;
}

function addSecrets(map: YAMLMap, secrets: readonly ImportedSecret[]): void {
  const lines = secrets.map((secret) => {
    const line = textOf(new Document({ [secret.name]: `\${config.${secret.configKey}}` })).trimEnd();
    return `  ${line} # ${commandFor(secret)}`;
  });
  map.comment = ["secrets:", ...lines].map(commented).join("\n");
}

function commented(line: string): string {
  return line === "" ? "" : ` ${line}`;
}
