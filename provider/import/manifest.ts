/** The manifest of what is imported, as a person would write it. */
import { Document, isMap, isScalar, Scalar, visit, type YAMLMap } from "yaml";
import { commit } from "../../schema/fields";
import { manifestVersion } from "../../schema/manifest";
import { isEqual, isObject, mapValues, valueAt, type Values } from "../../schema/tree";
import { escapeUnprintable, markUnprintable } from "../text/sanitize";
import { configKeyNear } from "./names";
import type { Imported, ImportedSecret } from "./plan";

const schemaLine =
  "yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json";

const explanation = [
  "Secrets are on the service and not managed yet, so their values are in no file. To manage one, set it with the",
  "command beside it and take its line, and the line `secrets:` above it, out of the comment.",
];

/** One deployment of a manifest: its values, and the lines that say them, not indented. */
export interface Entry {
  readonly key: string;
  readonly declaration: Values;
  readonly text: string;
}

/** A manifest of its own. */
export function manifestOf(imported: readonly Imported[]): string {
  const hasSecrets = imported.some(({ secrets }) => secrets.length > 0);
  const document = new Document({ version: manifestVersion });
  document.commentBefore = [schemaLine, ...(hasSecrets ? ["", ...explanation] : [])]
    .map(commented)
    .join("\n");
  const entries = imported.map((each) => indented(entryOf(each).text, 2));
  return `${textOf(document)}deployments:\n${entries.join("")}`;
}

/** @param defaults what every deployment of the manifest has unless it says otherwise */
export function entryOf(imported: Imported, defaults: Values = {}): Entry {
  const { key, args, secrets, leftOut } = imported;
  const { name, ...rest } = args;
  const isNamed = name !== key || (defaults["name"] ?? null) !== null;
  const declaration = beside(defaults, literal({ ...(isNamed && { name }), ...rest }) as Values);
  const document = new Document({ [key]: declaration });
  const map = document.get(key);
  if (isMap(map)) {
    addRemarks(map, imported);
    if (leftOut.length > 0) addLeftOut(map, leftOut);
    if (secrets.length > 0) addSecrets(map, secrets);
  }
  return { key, declaration, text: textOf(document) };
}

export function indented(text: string, columns: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(columns));
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
      // Plain, it would merge.
      if (node.value === "<<") node.type = Scalar.QUOTE_DOUBLE;
      if (markUnprintable(lines) !== lines || lines.includes("\t")) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeUnprintable(document.toString({ lineWidth: 0 }));
}

/** The command that sets a secret, which asks for the value: it is in no history and on no screen. */
export function commandFor({ configKey }: Pick<ImportedSecret, "configKey">): string {
  return `pulumi config set --secret ${configKey}`;
}

/** Values as the manifest reads them back: what looks like a reference is none. */
function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(literal);
  return isObject(value) ? mapValues(value, literal) : value;
}

/** What has to be said, once the defaults say theirs, to declare exactly this. */
function beside(defaults: Values, own: Values): Values {
  const { options: _, ...inherited } = defaults;
  const changed = Object.entries(inherited).flatMap(([key, theirs]): [string, unknown][] => {
    const ours = Object.hasOwn(own, key) ? own[key] : undefined;
    if (isEqual(theirs, ours) || (theirs === null && ours === undefined)) return [];
    if (!isObject(theirs) || !isObject(ours)) return [[key, ours ?? null]];
    const inner = beside(theirs, ours);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  const added = Object.entries(own).filter(([key]) => !Object.hasOwn(inherited, key));
  return Object.fromEntries([...changed, ...added].sort(inOrderOf(own)));
}

function inOrderOf(own: Values) {
  const order = new Map(Object.keys(own).map((key, index) => [key, index]));
  const placeOf = (key: string) => order.get(key) ?? order.size;
  return ([a]: [string, unknown], [b]: [string, unknown]) => placeOf(a) - placeOf(b);
}

/** What the service answered says less than what somebody once chose. */
function addRemarks(map: YAMLMap, { args, key, cutAddresses = [] }: Imported): void {
  const ref = valueAt(args, ["sourceRevisionConfig", "repoRef"]);
  if (typeof ref === "string" && commit.test(ref)) {
    remark(
      map.getIn(["sourceRevisionConfig", "repoRef"], true),
      "the service names this commit and no branch: to follow a branch, write its name here",
    );
  }
  remark(
    map.getIn(["sourceRevisionConfig", "sourceTarballPath"], true),
    "the archive that was uploaded last; to deploy a folder from here on, write `sourceDirectory: FOLDER` beside `source` in " +
      "place of this line: the first `pulumi up` then uploads it once",
  );
  for (const name of cutAddresses) {
    const configKey = configKeyNear(key, name);
    remark(
      map.getIn(["sourceConfig", name], true),
      "without the user, password or token that the service has; to declare it with them, write " +
        `\${config.${configKey}} here, after: ${commandFor({ configKey })}`,
    );
  }
}

function remark(node: unknown, text: string): void {
  if (isScalar(node)) node.comment = ` ${text}`;
}

function addLeftOut(map: YAMLMap, places: readonly string[]): void {
  const lines = [
    "Cannot be declared, and stays on the service as it is:",
    ...places.map((place) => `  ${place}`),
  ];
  map.commentBefore = lines.map((line) => commented(line.replaceAll("\n", " "))).join("\n");
}

function addSecrets(map: YAMLMap, secrets: readonly ImportedSecret[]): void {
  const lines = secrets.map((secret) => {
    const line = textOf(new Document({ [secret.name]: `\${config.${secret.configKey}}` })).trimEnd();
    return `  ${line} # ${commandFor(secret)}`;
  });
  const inherited = map.get("secrets", true);
  remark(inherited, "not those of `defaults`; take this line away when secrets are taken out of the comment");
  map.comment = ["secrets:", ...lines].map(commented).join("\n");
}

function commented(line: string): string {
  return line === "" ? "" : ` ${line}`;
}
