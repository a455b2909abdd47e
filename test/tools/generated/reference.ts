/** The reference of all arguments: type, sources, and what a change causes in each dialect. */
import { z } from "zod";
import type { Dialect } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { ruleFor } from "../../../provider/dialects/rule";
import { deployment, type ChangeEffect, type Field, type Fields } from "../../../schema/fields";
import { sourcesOf } from "../../../schema/sources";
import { names, table } from "./table";

const sizes = "sourceConfig.resourceSpec";

/** All arguments but the sizes, which have a table of their own. */
export function argumentRows(): string {
  const rows = rowsOf(deployment, []).filter(([path]) => !path!.startsWith(`\`${sizes}.`));
  return table(["Argument", "Type", "A change causes", "Sources", "Meaning"], rows);
}

export function sizeRows(): string {
  const spec = deployment.sourceConfig.fields.resourceSpec.fields;
  return table(
    ["Argument", "Type", "Meaning"],
    Object.entries(spec).map(([name, field]) => [`\`${name}\``, typeOf(field), field.doc]),
  );
}

function rowsOf(fields: Fields, around: readonly string[]): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...around, name];
    const own = [
      `\`${path.join(".")}\``,
      path.join(".") === "source" ? `${typeOf(field)}, required` : typeOf(field),
      causeOf(path, field),
      sourcesText(path),
      field.doc,
    ];
    return field.kind === "group" ? [own, ...rowsOf(field.fields, path)] : [own];
  });
}

function typeOf(field: Field): string {
  if (field.kind === "group") return "object";
  if (field.list === "object") return "map of object";
  return zodType(field.type);
}

function zodType(type: z.ZodType): string {
  if (type instanceof z.ZodUnknown) return "any";
  if (type instanceof z.ZodArray) return `list of ${zodType(type.element as z.ZodType)}`;
  if (type instanceof z.ZodRecord) return "map of string";
  if (type instanceof z.ZodEnum) return names(type.options.map(String));
  const { type: name, format } = z.toJSONSchema(type, { unrepresentable: "any" });
  return format === "uuid" ? "UUID" : String(name);
}

const causes: Readonly<Record<ChangeEffect, string>> = {
  none: "nothing",
  settings: "settings",
  revision: "**revision**",
  replacement: "**replacement**",
};

function causeOf(path: readonly string[], field: Field): string {
  if (field.kind === "group" && !field.atomic) return "";
  if (field.kind === "leaf" && field.isFolder) return `${causes.revision} if its content changed`;
  const own: ChangeEffect = field.kind === "group" ? "settings" : field.change;
  const other = ruleFor(langsmith.changes, path) ?? own;
  return other === own ? causes[own] : `${causes[own]}; ${causes[other]} in \`langsmith\``;
}

/** Empty where every source takes it. */
function sourcesText(path: readonly string[]): string {
  const rule = (rules: Dialect["sourcesOf"]) => names(ruleFor(rules, path) ?? []);
  const [own, other] = [rule(sourcesOf), rule({ ...sourcesOf, ...langsmith.sourcesOf })];
  if (own === other) return own;
  return [own, `\`langsmith\`: ${other}`].filter(Boolean).join("; ");
}
