/** Writes the manifest of imported deployments, as a person would. */
import { Document, isMap, isScalar, Scalar, visit, type YAMLMap } from "yaml";
import { commit } from "../../schema/fields";
import { manifestVersion } from "../../schema/manifest";
import { isObject, mapValues, valueAt, type Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { checkManifest } from "../../provider/manifest/check-manifest";
import { SourceText } from "../../provider/manifest/source";
import { settingsTable } from "../../provider/settings/table";
import { escapeUnprintable } from "../../provider/text/sanitize";
import { filled } from "../files/package-texts";
import { stackWords } from "../connection/stack-configuration";
import type { Imported, ImportedSecret } from "./choice";

export const schemaLine =
  "yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json";

/**
 * A new manifest. Existing deployments may predate some of the dialect's rules: it then does not mention the dialect.
 *
 * @param stack that the deployments are imported into
 */
export function newManifest(imported: readonly Imported[], dialect: Dialect, stack?: string): string {
  const isUsual = dialect.name === settingsTable.dialect.default;
  const text = manifestText(imported, stack, isUsual ? undefined : dialect.name);
  const { problems } = checkManifest(new SourceText("", text), {});
  return problems.some(({ severity }) => severity === "error") ? manifestText(imported, stack) : text;
}

function manifestText(imported: readonly Imported[], stack?: string, dialect?: string): string {
  const entries = imported.map((each) => entryText(each, stack).replace(/^(?=.)/gm, "  "));
  return filled("cli/import/templates/manifest.txt", {
    schemaLine,
    hasSecrets: imported.some(({ secrets }) => secrets.length > 0),
    version: String(manifestVersion),
    dialect: dialect === undefined ? "" : `dialect: ${dialect}\n`,
    entries: entries.join("").trimEnd(),
  });
}

function entryText(imported: Imported, stack: string | undefined): string {
  const { key, args, secrets, leftOut } = imported;
  const { name, ...rest } = args;
  const document = new Document({ [key]: literal({ ...(name !== key && { name }), ...rest }) });
  const map = document.get(key);
  if (isMap(map)) {
    addRemarks(map, imported);
    if (leftOut.length > 0) addLeftOut(map, leftOut);
    if (secrets.length > 0) addSecrets(map, secrets, [], stack);
  }
  return printYaml(document);
}

/** A manifest snippet to paste: `deployments:` with its content. */
export function snippetText(deployments: Readonly<Record<string, Values>>): string {
  return printYaml(new Document({ deployments: mapValues(deployments, literal) }));
}

/** Prints a document. Escapes invisible characters, for which YAML needs double quotes. */
export function printYaml(document: Document): string {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      // Unquoted, it would be a merge key.
      if (node.value === "<<") node.type = Scalar.QUOTE_DOUBLE;
      // Also what could become a command for a CI runner together with what stands beside it.
      if (escapeUnprintable(node.value) !== node.value || /\t|::|##/.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeUnprintable(document.toString({ lineWidth: 0 }));
}

/** The command that sets a secret. It prompts for the value, which keeps it out of the shell history. */
export function commandText({ configKey }: Pick<ImportedSecret, "configKey">, stack?: string): string {
  return `pulumi config set --secret ${configKey}${stackWords(stack)}`;
}

/** Escapes strings that look like references. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(literal);
  return isObject(value) ? mapValues(value, literal) : value;
}

/** Adds comments on values that the service returns in another form than they were declared. */
function addRemarks(map: YAMLMap, { args }: Imported): void {
  const ref = valueAt(args, ["sourceRevisionConfig", "repoRef"]);
  if (typeof ref === "string" && commit.test(ref)) {
    remark(
      map.getIn(["sourceRevisionConfig", "repoRef"], true),
      "the service returns this commit, not the branch: to follow a branch, write its name here",
    );
  }
  remark(
    map.getIn(["sourceRevisionConfig", "sourceTarballPath"], true),
    "the last uploaded archive; to deploy a folder instead, replace this line by `sourceDirectory: FOLDER` next to " +
      "`source`: the first `pulumi up` then uploads it once",
  );
  remark(map.get("adopt", true), "it exists already; a new one could not be created like this");
}

function remark(node: unknown, text: string): void {
  if (isScalar(node)) node.comment = ` ${text}`;
}

function addLeftOut(map: YAMLMap, places: readonly string[]): void {
  const lines = [
    "Is not declared, and stays on the service unchanged:",
    ...places.map((place) => `  ${place}`),
  ];
  map.commentBefore = lines.map((line) => ` ${line.replaceAll("\n", " ")}`).join("\n");
}

/** @param above lines of the comment before the names */
export function addSecrets(
  map: YAMLMap,
  secrets: readonly ImportedSecret[],
  above: readonly string[] = [],
  stack?: string,
): void {
  const lines = secrets.map((secret) => {
    const line = printYaml(new Document({ [secret.name]: `\${config.${secret.configKey}}` })).trimEnd();
    return `  ${line} # ${commandText(secret, stack)}`;
  });
  map.comment = [...above, "secrets:", ...lines].map((line) => ` ${line}`).join("\n");
}
