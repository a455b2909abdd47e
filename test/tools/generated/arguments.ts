/** Writes the argument types of `Deployment` from the table of fields, so that an editor shows each field's meaning. */
import { z } from "zod";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import {
  deployment,
  type ChangeEffect,
  type Field,
  type Fields,
  type Group,
  type Leaf,
} from "../../../schema/fields";
import {
  Container,
  ContainerResources,
  EnvironmentVariable,
  ImagePullSecret,
  Volume,
  VolumeMount,
} from "../../../schema/kubernetes";
import { sourceTypes } from "./source-types";

/** Shapes that stand in the types of fields, by the names of their types. */
export const shapes = new Map<z.ZodType, string>([
  [Container, "Container"],
  [ContainerResources, "ContainerResources"],
  [EnvironmentVariable, "EnvironmentVariable"],
  [ImagePullSecret, "ImagePullSecret"],
  [Volume, "Volume"],
  [VolumeMount, "VolumeMount"],
  [deployment.source.type, "Source"],
  [deployment.sourceConfig.fields.deploymentType.type, "DeploymentType"],
  [deployment.sourceConfig.fields.deploymentTier.type, "DeploymentTier"],
  [deployment.revisionSource.type, "RevisionSource"],
]);

/** Groups of the table, by the names of their types. */
export const groups: Readonly<Record<string, Group>> = {
  SourceConfig: deployment.sourceConfig,
  SourceRevisionConfig: deployment.sourceRevisionConfig,
  ListenerConfig: deployment.sourceConfig.fields.listenerConfig,
  ResourceSpec: deployment.sourceConfig.fields.resourceSpec,
  Ready: deployment.ready,
};

export function argumentsFile(): string {
  const unions = [...shapes].flatMap(([type, name]) => {
    const words = wordsOf(type)?.map((word) => JSON.stringify(word));
    if (words === undefined) return [];
    const open = type instanceof z.ZodEnum ? [] : ["(string & Record<never, never>)"];
    const union = [...words, ...open].join(" | ");
    return [`interface ${name}s { all: ${union} }\n`, `export type ${name} = ${name}s["all"];\n`];
  });
  return [
    "// Generated from schema/fields.ts by `npm run generate`; a test fails when it is stale.\n",
    'import type { Input, OutputInstance } from "@pulumi/pulumi";\n',
    'import type { Later, ObjectInput, RequiredString } from "./later";\n\n',
    "// Each a member of an interface, and not a type of its own, so that errors of the compiler list the words.\n",
    ...unions,
    "\n/** A JSON value. Any part of it may be an output or a promise. */\n",
    "export type JsonInput = string | number | boolean | null | undefined | JsonList | JsonObject\n",
    "  | OutputInstance<unknown> | Promise<unknown>;\n",
    "// Interfaces, because the SDK cannot unwrap a type that contains itself.\n",
    "// eslint-disable-next-line @typescript-eslint/no-empty-object-type\n",
    "interface JsonList extends ReadonlyArray<JsonInput> {}\n",
    "interface JsonObject { readonly [key: string]: JsonInput }\n",
    "\n/** A key of a secret in the cluster. */\n",
    "export interface SecretReference {\n  /** Name of the secret. */\n  secretName: Input<string>;\n",
    "  /** Key within the secret. */\n  secretKey: Input<string>;\n}\n",
    sourceTypes(memberLine),
    ...Object.entries(groups).map(groupText),
    ...[...shapes].map(shapeText),
    laterClasses(),
    "\n/** By themselves, for a program that only declares: it does not wait for the table with all its types. */\n",
    `export const argumentNames: readonly (keyof DeploymentArgsOf)[] = ${JSON.stringify(Object.keys(deployment))};\n`,
  ].join("");
}

/** All words, or those that are known where others are taken too. */
export function wordsOf(type: z.ZodType): readonly unknown[] | undefined {
  if (type instanceof z.ZodEnum) return type.options;
  return type.meta()?.["examples"] as readonly unknown[] | undefined;
}

function groupText([name, { doc, fields, required }]: [string, Group]): string {
  const members = Object.entries(fields).map(([key, field]) =>
    memberLine(key, field, inputType(key, field), required.includes(key)),
  );
  return `\n${comment(doc)}export interface ${name} {\n${members.join("")}}\n`;
}

/** A member of an interface, which may be left out unless it is said to be required. */
function memberLine(key: string, field: Field, type = inputType(key, field), isRequired = false): string {
  return `${comment(field.doc + effectAndPlaceOf(field), "  ")}  ${key}${isRequired ? `: ${type}` : `?: ${optional(type)}`};\n`;
}

/** Takes `undefined`, also as an output's value and under `exactOptionalPropertyTypes`: a program often has it in hand. */
function optional(type: string): string {
  const object = /^ObjectInput<(.*), ([^,]+)>$/.exec(type);
  if (object) return `ObjectInput<${object[1]} | undefined, ${object[2]}>`;
  return type.startsWith("Input<") ? `${type.slice(0, -1)} | undefined>` : type;
}

/** Written out instead of inferred: the types of a program shall not load those of the library that checks. */
function shapeText([type, name]: [z.ZodType, string]): string {
  if (!(type instanceof z.ZodObject)) return "";
  const doc = "A member of `ResourceSpec`, with the names of Kubernetes.";
  return `\n${comment(doc)}export interface ${name} ${objectText(type)}\n`;
}

const freeObject = "Record<string, unknown>";

function objectText({ shape }: z.ZodObject): string {
  const members = Object.entries(shape as Record<string, z.ZodType>).map(([key, member]) => {
    const type = memberText(member);
    const rest = member instanceof z.ZodOptional ? `?: ${optional(type)}` : `: ${type}`;
    return `${comment(member.description ?? "", "  ")}  ${key}${rest};\n`;
  });
  return `{\n${members.join("")}}`;
}

function memberText(type: z.ZodType): string {
  if (type instanceof z.ZodOptional) return memberText(type.unwrap() as z.ZodType);
  if (type instanceof z.ZodArray) {
    const element = type.element as z.ZodType;
    return `Input<${element instanceof z.ZodRecord ? objectInput("Element", freeObject) : memberText(element)}[]>`;
  }
  if (type instanceof z.ZodRecord) return objectInput("Object", freeObject);
  return namedInput(type);
}

/** What a change causes, also where that differs in dialect `langsmith`; of a group, only the latter. */
export function effectOf(field: Field): string {
  const sentences: Partial<Record<ChangeEffect, string>> = {
    replacement: "change replaces the deployment.",
    revision: "change creates a new revision.",
  };
  const own = field.kind === "group" || field.sent === "never" ? undefined : sentences[field.change];
  if (own !== undefined) return ` A ${own}`;
  const effect = langsmith.changes[pathOf(field) ?? ""];
  const other = effect && sentences[effect];
  if (other === undefined) return "";
  return field.doc.includes("Only in dialect") ? ` A ${other}` : `${langsmithOnly}a ${other}`;
}

/** The same, and the sources that dialect `langsmith` restricts a field to, unless its text says so. */
function effectAndPlaceOf(field: Field): string {
  const effect = effectOf(field);
  const path = pathOf(field) ?? "";
  const takers = langsmith.sourcesOf[path];
  if (takers === undefined || takers === standard.sourcesOf[path] || takers.length > 2) return effect;
  if (field.doc.includes("Only with")) return effect;
  const place = `${langsmithOnly}only with ${takers.map((name) => `\`${name}\``).join(" or ")}`;
  return effect.startsWith(langsmithOnly)
    ? `${place}; ${effect.slice(langsmithOnly.length)}`
    : `${effect}${place}.`;
}

const langsmithOnly = " In dialect `langsmith`, ";

function pathOf(field: Field, fields: Fields = deployment, above = ""): string | undefined {
  for (const [name, each] of Object.entries(fields)) {
    if (each === field) return above + name;
    const below = each.kind === "group" && pathOf(field, each.fields, `${above}${name}.`);
    if (below) return below;
  }
  return undefined;
}

function inputType(key: string, field: Field): string {
  return field.kind === "group" ? objectInput(`${key[0]!.toUpperCase()}${key.slice(1)}`) : typeText(field);
}

export function objectInput(name: string, type = name): string {
  return `ObjectInput<${type}, ${name}Output>`;
}

function typeText(field: Leaf): string {
  const { type } = field;
  if (field.list === "object")
    return `ObjectInput<Record<string, ${objectInput("SecretReference")}>, SecretReferencesOutput>`;
  if (type instanceof z.ZodRecord) return "ObjectInput<Record<string, Input<string>>, TextsOutput>";
  if (type instanceof z.ZodArray) return `Input<${namedInput(type.element as z.ZodType)}[]>`;
  if (type instanceof z.ZodUnknown) return "JsonInput";
  return namedInput(type);
}

function namedInput(type: z.ZodType): string {
  const name = shapes.get(type);
  if (name !== undefined && type instanceof z.ZodObject) return objectInput(name);
  return `Input<${name ?? primitive(type)}>`;
}

/** See `Later`. */
function laterClasses(): string {
  const names = [...shapes].flatMap(([type, name]) => (type instanceof z.ZodObject ? [name] : []));
  const elements = [...names.filter((name) => name !== "ContainerResources"), "SecretReference"];
  const optional = [...Object.keys(groups), "ContainerResources"];
  const types: [string, string][] = [
    ...elements.map((name): [string, string] => [name, name]),
    ...optional.map((name): [string, string] => [name, `${name} | undefined`]),
    ["Texts", "Record<string, Input<string>> | undefined"],
    ["SecretReferences", `Record<string, ${objectInput("SecretReference")}> | undefined`],
    ["Object", "Record<string, unknown> | undefined"],
    ["Element", "Record<string, unknown>"],
  ];
  const classes = types.map(([name, type]) => `declare class ${name}Output extends Later<${type}> {}`);
  return `\n// One for each type: see \`Later\`.\n${classes.join("\n")}\n`;
}

function primitive(type: z.ZodType): string {
  const { type: name } = z.toJSONSchema(type);
  return name === "integer" ? "number" : String(name);
}

const widest = 140;

/** A doc comment, on several lines if one is too long. */
export function comment(text: string, indent = ""): string {
  const whole = `${indent}/** ${text} */\n`;
  if (whole.length <= widest) return whole;
  const lines = text.split(" ").reduce<string[]>((all, word) => {
    const last = all.at(-1);
    const fits = last !== undefined && indent.length + 4 + last.length + word.length <= widest;
    return fits ? [...all.slice(0, -1), `${last} ${word}`] : [...all, word];
  }, []);
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */\n`].join("\n");
}
