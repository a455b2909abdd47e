/** Texts with references as expressions: what is read at run time in the program. */
import { outputs, type Output } from "../../../schema/outputs";
import { escaped } from "../../presentable";
import type { Part, Reference } from "../reference";
import type { Type } from "../types";
import { atom, call, quote, type Code } from "./code";

/** What an expression needs from the program around it. */
export interface Surroundings {
  /** Marks the SDK as needed. */
  usePulumi(): void;
  /** Marks the function that reads a variable as needed. */
  useEnvironment(): void;
  /** The variable with the configuration of a namespace; of the project without one. */
  configFor(namespace: string | undefined): string;
  isSecret(key: string): boolean;
  variableOf(deployment: string): string;
}

/** An expression and whether its value is only known later. */
export interface Expression {
  readonly code: Code;
  readonly isOutput: boolean;
}

type Kind = Type["kind"];

/**
 * @param isPlain whether the place takes nothing that is known later, as the options of a resource do
 */
export function expressionFor(
  parts: readonly Part[],
  kind: Kind,
  around: Surroundings,
  isPlain: boolean,
): Expression {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "object") return whole(only, kind, around, isPlain);
  const inner = parts.map((part) => (typeof part === "string" ? part : raw(part, around, isPlain)));
  const isOutput = inner.some((part) => typeof part !== "string" && part.isOutput);
  const template = `\`${inner.map((part) => (typeof part === "string" ? escape(part) : `\${${part.text}}`)).join("")}\``;
  if (isOutput) around.usePulumi();
  const text = isOutput ? `pulumi.interpolate${template}` : template;
  return { code: read(text, kind, isOutput), isOutput };
}

function whole(reference: Reference, kind: Kind, around: Surroundings, isPlain: boolean): Expression {
  if (reference.kind === "config") {
    const { getter, isOutput } = configGetter(reference.key, kind, around, isPlain);
    return { code: call(getter, atom(quote(nameIn(reference.key)))), isOutput };
  }
  if (reference.kind === "output") {
    return { code: atom(outputText(reference, kind, around)), isOutput: true };
  }
  const { text } = raw(reference, around, isPlain);
  return { code: read(text, kind, false), isOutput: false };
}

function raw(
  reference: Reference,
  around: Surroundings,
  isPlain: boolean,
): { text: string; isOutput: boolean } {
  switch (reference.kind) {
    case "stack":
    case "project":
      around.usePulumi();
      return {
        text: reference.kind === "stack" ? "pulumi.getStack()" : "pulumi.getProject()",
        isOutput: false,
      };
    case "env": {
      const { name, default: fallback } = reference;
      if (fallback !== undefined)
        return { text: `process.env.${name} || ${quote(fallback)}`, isOutput: false };
      around.useEnvironment();
      return { text: `requireEnv(${quote(name)})`, isOutput: false };
    }
    case "config": {
      const { getter, isOutput } = configGetter(reference.key, "text", around, isPlain);
      return { text: `${getter}(${quote(nameIn(reference.key))})`, isOutput };
    }
    case "output":
      return { text: `${around.variableOf(reference.deployment)}.${reference.output}`, isOutput: true };
  }
}

function configGetter(key: string, kind: Kind, around: Surroundings, isPlain: boolean) {
  const [, namespace] = key.split(":").reverse();
  const isSecret = !isPlain && around.isSecret(key);
  const type = kind === "number" ? "Number" : kind === "boolean" ? "Boolean" : "";
  return {
    getter: `${around.configFor(namespace)}.require${isSecret ? "Secret" : ""}${type}`,
    isOutput: isSecret,
  };
}

function nameIn(key: string): string {
  return key.split(":").at(-1)!;
}

function outputText(
  { deployment, output }: Reference & { kind: "output" },
  kind: Kind,
  around: Surroundings,
): string {
  const path = `${around.variableOf(deployment)}.${output}`;
  if (kind === "number") return output === "generation" ? path : `${path}.apply(Number)`;
  if (kind === "boolean") return `${path}.apply((${output}) => ${output} === "true")`;
  if (output === "generation") return `${path}.apply(String)`;
  return mayBeNull(output) ? `${path}.apply((${output}) => ${output}!)` : path;
}

/** A text as what is expected in its place. */
function read(text: string, kind: Kind, isOutput: boolean): Code {
  if (kind === "number") return isOutput ? atom(`${text}.apply(Number)`) : call("Number", atom(text));
  if (kind === "boolean")
    return atom(isOutput ? `${text}.apply((text) => text === "true")` : comparison(text));
  return atom(text, text.startsWith("`") || text.startsWith("pulumi.interpolate") ? "never" : "before");
}

function comparison(text: string): string {
  return `${text.includes(" || ") ? `(${text})` : text} === "true"`;
}

function escape(text: string): string {
  return escaped(JSON.stringify(text).slice(1, -1))
    .replace(/\\"/g, '"')
    .replace(/`/g, "\\`")
    .replace(/\$\{/g, "\\${");
}

function mayBeNull(output: string): boolean {
  return (outputs as Readonly<Record<string, Output>>)[output]?.nullable ?? false;
}
