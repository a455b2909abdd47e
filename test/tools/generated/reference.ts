/** The reference of all arguments: type, sources, and what a change causes in each dialect. */
import { z } from "zod";
import type { Dialect } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { ruleFor } from "../../../provider/dialects";
import { deployment, type ChangeEffect, type Field, type Fields } from "../../../schema/fields";
import { sourcesOf } from "../../../schema/sources";
import { names, table } from "./table";

const sizes = "sourceConfig.resourceSpec";

/** All arguments but the sizes, which have a separate table. An editor shows their types. */
export function argumentRows(): string {
  const rows = rowsOf(deployment, []).filter(([path]) => !path!.startsWith(`\`${sizes}.`));
  return table(["Argument", "A change causes", "Sources", "Meaning"], rows);
}

const components: readonly (readonly [prefix: string, name: string])[] = [
  ["queue", "Size of the queue."],
  ["orchestrator", "Size of the orchestrator."],
  ["executor", "Size of the executor."],
  ["core", "Size of the core API (`langsmith`)."],
  ["redis", "Size of the cache."],
  ["db", "Size of the database."],
  ["", "Size of the application."],
];

/** Numbers by the component that they size, then the rest with what each means. */
export function sizeRows(): string {
  const spec = Object.entries(deployment.sourceConfig.fields.resourceSpec.fields);
  const numbers = spec.filter(([, field]) => isNumber(field)).map(([name]) => name);
  const componentOf = (size: string) => components.find(([prefix]) => size.startsWith(prefix))![1];
  const used = [...new Set(numbers.map(componentOf))];
  return table(
    ["Arguments", "Meaning"],
    [
      ...used.map((component) => [
        names(numbers.filter((size) => componentOf(size) === component)),
        component,
      ]),
      ...spec.filter(([, field]) => !isNumber(field)).map(([name, { doc }]) => [names([name]), doc]),
    ],
  );
}

const isNumber = (field: Field) => field.kind === "leaf" && field.type instanceof z.ZodNumber;

function rowsOf(fields: Fields, around: readonly string[]): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...around, name];
    const own = [
      names([path.join(".")]),
      causeOf(path, field),
      sourcesText(path),
      `${field.doc}${choicesOf(field)}`,
    ];
    return field.kind === "group" ? [own, ...rowsOf(field.fields, path)] : [own];
  });
}

function choicesOf(field: Field): string {
  const isChoice = field.kind === "leaf" && field.type instanceof z.ZodEnum;
  return isChoice ? ` One of ${names(field.type.options.map(String))}.` : "";
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
