/** Writes the types of a deployment's outputs from the tables, so that an editor shows the meaning of each. */
import { deploymentStatuses } from "../../../schema/enums";
import { deployment, type Field } from "../../../schema/fields";
import { outputs } from "../../../schema/outputs";
import { comment } from "./arguments";

/** Arguments that are no outputs. */
const inputsOnly = ["adopt", "ready", "skipAwait"];

/** Of those that are neither a text, nor a boolean, nor a group. */
const types: Readonly<Record<string, string>> = {
  name: "string",
  source: "Source",
  secrets: "Record<string, string> | undefined",
  secretReferences: "Record<string, Unwrap<SecretReference>> | undefined",
  triggers: "unknown",
  generation: "number",
  status: "DeploymentStatus",
  latestRevisionStatus: "string | null | undefined",
};

const uses: Readonly<Record<string, string>> = {
  url: ' Null until it does. Where a string is required: `fromOutput(chat, "url")`, which fails if it is null.',
};

export function outputsFile(): string {
  const declared = Object.entries(deployment as Readonly<Record<string, Field>>)
    .filter(([name]) => !inputsOnly.includes(name))
    .map(([name, field]) => member(name, field.doc, types[name] ?? declaredType(name, field)));
  const observed = Object.entries(outputs).map(([name, { doc }]) =>
    member(name, doc + (uses[name] ?? ""), types[name] ?? "string | null"),
  );
  return [
    "// Generated from schema/fields.ts and schema/outputs.ts by `npm run generate`; a test fails when it is stale.\n",
    'import type { Output, Unwrap } from "@pulumi/pulumi";\n',
    'import type { SecretReference, Source, SourceConfig, SourceRevisionConfig } from "./arguments";\n\n',
    "/** Status of a deployment as the service reports it. Newer services may report other values. */\n",
    `export type DeploymentStatus = ${deploymentStatuses.map((each) => `"${each}"`).join(" | ")} | `,
    "(string & Record<never, never>);\n\n",
    `/** What the service reports. */\nexport interface ObservedOutputs {\n${observed.join("")}}\n\n`,
    "/** The outputs of a `Deployment`: what it declares, and what the service reports. */\n",
    `export interface DeploymentOutputs extends ObservedOutputs {\n${declared.join("")}}\n`,
  ].join("");
}

function member(name: string, doc: string, type: string): string {
  return `${comment(doc, "  ")}  readonly ${name}: Output<${type}>;\n`;
}

function declaredType(name: string, field: Field): string {
  if (field.kind === "group") return `Unwrap<${name[0]!.toUpperCase()}${name.slice(1)}> | undefined`;
  return `${field.type.def.type === "boolean" ? "boolean" : "string"} | undefined`;
}
