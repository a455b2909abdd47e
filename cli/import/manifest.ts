/** Writes the manifest of imported deployments, as a person would. */
import { Document, isMap, isScalar, Scalar, visit, type YAMLMap } from "yaml";
import { commit } from "../../schema/fields";
import { manifestVersion } from "../../schema/manifest";
import { isEqual, isObject, mapValues, valueAt, type Values } from "../../schema/tree";
import { escapeUnprintable } from "../../provider/text/sanitize";
import { configKeyNear } from "./keys";
import type { Imported, ImportedSecret } from "./choice";

export const schemaLine =
  "yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json";

const explanation = [
  "Secrets are on the service but not managed yet, so their values are not in any file. To manage one, run the",
  "command next to it, then uncomment its line and those of `secrets` around it.",
];

/** One deployment of a manifest, as values and as unindented YAML. */
export interface ManifestEntry {
  readonly key: string;
  readonly declaration: Values;
  readonly text: string;
}

/** A new manifest, which mentions the dialect if there is one. */
export function manifestText(imported: readonly Imported[], dialect?: string): string {
  const hasSecrets = imported.some(({ secrets }) => secrets.length > 0);
  const document = new Document({ version: manifestVersion, ...(dialect !== undefined && { dialect }) });
  document.commentBefore = [schemaLine, ...(hasSecrets ? ["", ...explanation] : [])]
    .map(commented)
    .join("\n");
  const entries = imported.map((each) => indented(manifestEntry(each).text, 2));
  return `${printYaml(document)}deployments:\n${entries.join("")}`;
}

/** @param defaults the manifest's `defaults` */
export function manifestEntry(imported: Imported, defaults: Values = {}): ManifestEntry {
  const { key, args, secrets, leftOut } = imported;
  const { name, ...rest } = args;
  const isNamed = name !== key || (defaults["name"] ?? null) !== null;
  const declaration = differenceFrom(defaults, literal({ ...(isNamed && { name }), ...rest }) as Values);
  const document = new Document({ [key]: declaration });
  const map = document.get(key);
  if (isMap(map)) {
    addRemarks(map, imported);
    if (leftOut.length > 0) addLeftOut(map, leftOut);
    if (secrets.length > 0) addSecrets(map, secrets);
  }
  return { key, declaration, text: printYaml(document) };
}

export function indented(text: string, columns: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(columns));
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
      const lines = node.value.replaceAll("\n", "");
      // Unquoted, it would be a merge key.
      if (node.value === "<<") node.type = Scalar.QUOTE_DOUBLE;
      if (escapeUnprintable(lines) !== lines || lines.includes("\t")) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeUnprintable(document.toString({ lineWidth: 0 }));
}

/** The command that sets a secret. It prompts for the value, which keeps it out of the shell history. */
export function commandText({ configKey }: Pick<ImportedSecret, "configKey">): string {
  return `pulumi config set --secret ${configKey}`;
}

/** Escapes strings that look like references. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(literal);
  return isObject(value) ? mapValues(value, literal) : value;
}

/** What to declare, in addition to the defaults, to get exactly these values. */
function differenceFrom(defaults: Values, own: Values): Values {
  const { options: _, ...inherited } = defaults;
  const changed = Object.entries(inherited).flatMap(([key, theirs]): [string, unknown][] => {
    const ours = Object.hasOwn(own, key) ? own[key] : undefined;
    if (isEqual(theirs, ours) || (theirs === null && ours === undefined)) return [];
    if (!isObject(theirs) || !isObject(ours)) return [[key, ours ?? null]];
    const inner = differenceFrom(theirs, ours);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  const added = Object.entries(own).filter(([key]) => !Object.hasOwn(inherited, key));
  return Object.fromEntries([...changed, ...added].sort(inOrderOf(own)));
}

function inOrderOf(own: Values) {
  const order = new Map(Object.keys(own).map((key, index) => [key, index]));
  const rankOf = (key: string) => order.get(key) ?? order.size;
  return ([a]: [string, unknown], [b]: [string, unknown]) => rankOf(a) - rankOf(b);
}

/** Adds comments on values that the service returns in another form than they were declared. */
function addRemarks(map: YAMLMap, { args, key, cutAddresses = [] }: Imported): void {
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
  for (const name of cutAddresses) {
    const configKey = configKeyNear(key, name);
    remark(
      map.getIn(["sourceConfig", name], true),
      "without the user, password or token that the service has; to declare it with them, run " +
        `\`${commandText({ configKey })}\` and write \${config.${configKey}} here`,
    );
  }
}

function remark(node: unknown, text: string): void {
  if (isScalar(node)) node.comment = ` ${text}`;
}

function addLeftOut(map: YAMLMap, places: readonly string[]): void {
  const lines = [
    "Is not declared, and stays on the service unchanged:",
    ...places.map((place) => `  ${place}`),
  ];
  map.commentBefore = lines.map((line) => commented(line.replaceAll("\n", " "))).join("\n");
}

/** @param above lines of the comment before the names */
export function addSecrets(
  map: YAMLMap,
  secrets: readonly ImportedSecret[],
  above: readonly string[] = [],
): void {
  const lines = secrets.map((secret) => {
    const line = printYaml(new Document({ [secret.name]: `\${config.${secret.configKey}}` })).trimEnd();
    return `  ${line} # ${commandText(secret)}`;
  });
  const inherited = map.get("secrets", true);
  remark(inherited, "not those of `defaults`; remove this line when you uncomment secrets");
  map.comment = [...above, "secrets:", ...lines].map(commented).join("\n");
}

function commented(line: string): string {
  return line === "" ? "" : ` ${line}`;
}
