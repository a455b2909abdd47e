/** The tables of the documents, from the tables in code. */
import { langsmith } from "../../../provider/dialects/langsmith";
import { settingsTable } from "../../../provider/settings/table";
import { deployment, type Field, type Fields } from "../../../schema/fields";
import { outputs } from "../../../schema/outputs";
import { reservedNames, ruleRows, sourceRows } from "./dialect";
import { argumentRows, sizeRows } from "./reference";
import { names, table } from "./table";

const tables: Readonly<Record<string, () => string>> = {
  settings: settingsRows,
  arguments: argumentRows,
  sizes: sizeRows,
  outputs: outputRows,
  changes: changeRows,
  "rules of langsmith": () => ruleRows(langsmith),
  "sources of langsmith": () => sourceRows(langsmith),
  "names reserved by langsmith": () => reservedNames(langsmith),
};

const marked = /(<!-- table: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;

/** A document with its tables as they should be. */
export function withTables(text: string): string {
  return text.replace(marked, (_, start: string, name: string, end: string) => {
    const rows = tables[name];
    if (rows === undefined) throw new Error(`there is no table of ${name}`);
    return `${start}\n${rows()}\n${end}`;
  });
}

export function hasTables(text: string): boolean {
  return text.search(marked) !== -1;
}

function settingsRows(): string {
  return table(
    ["Key", "Environment", "Meaning", "Default"],
    Object.entries(settingsTable).map(([name, setting]) => [
      `\`${name}\``,
      `\`${setting.env}\``,
      setting.doc + ("secret" in setting ? " Secret." : ""),
      "default" in setting ? `\`${setting.default}\`` : "required" in setting ? "required" : "",
    ]),
  );
}

function outputRows(): string {
  return table(
    ["Output", "Meaning"],
    Object.entries(outputs).map(([name, { doc, nullable }]) => [
      `\`${name}\``,
      nullable ? `${doc} May be \`null\`.` : doc,
    ]),
  );
}

const causes = [
  ["replacement", "a replacement: another deployment, with another id"],
  ["revision", "a new revision, which `up` waits for"],
  ["settings", "a change in place, without a revision"],
  ["none", "nothing on the service"],
] as const;

/** The last part of a path says enough: no two arguments share it. */
function changeRows(): string {
  const changed = (kind: string) =>
    leavesOf(deployment)
      .filter(([, change]) => change === kind)
      .map(([name]) => name);
  return table(
    ["A change of", "causes"],
    causes.map(([kind, text]) => [names(changed(kind)), text]),
  );
}

function leavesOf(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, field]): [string, string][] => {
    if (field.kind === "leaf") return [[name, field.isFolder ? "revision" : field.change]];
    if (isLocal(field)) return [[name, "none"]];
    return field.atomic ? [[name, "settings"]] : leavesOf(field.fields);
  });
}

/** Whether no body of a request holds it. */
function isLocal(field: Field): boolean {
  if (field.kind === "group") return Object.values(field.fields).every(isLocal);
  return ["onDelete", "never"].includes(field.sent);
}
