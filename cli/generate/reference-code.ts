/** Converts strings with references to expressions that the program evaluates at run time. */
import { outputs, type Output } from "../../schema/outputs";
import { escapeUnprintable } from "../../provider/text/sanitize";
import type { Part, Reference } from "../../provider/manifest/reference";
import type { Type } from "../../provider/manifest/types";
import { quote } from "./code";

/** The code generation context: imports and variables of the program. */
export interface CodeContext {
  /** Imports the SDK or a helper function. */
  use(name: Helper | "pulumi"): void;
  /** The variable with the configuration of a namespace, or of the project without one. */
  configFor(namespace: string | undefined): string;
  variableOf(deployment: string): string;
}

/** The package's functions that read values as `fromManifest` does. */
export const helpers = ["fromConfig", "plainConfig", "fromEnv", "fromOutput", "fromText"] as const;
export type Helper = (typeof helpers)[number];

/**
 * The place of an expression:
 * - `secret`: in `secrets`, where every value is secret;
 * - `option`: in the resource options, which must be known at once;
 * - `open`: elsewhere.
 */
export type Position = "secret" | "option" | "open";

/** An expression, and whether it is an output. */
export interface Expression {
  readonly code: string;
  readonly isOutput: boolean;
}

type Kind = Type["kind"];

export function expressionFor(
  parts: readonly Part[],
  kind: Kind,
  around: CodeContext,
  position: Position,
): Expression {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "object") return whole(only, kind, around, position);
  const inner = parts.map((part) => (typeof part === "string" ? part : asText(part, around, position)));
  const isOutput = inner.some((part) => typeof part !== "string" && part.isOutput);
  const text = inner.map((part) => (typeof part === "string" ? escape(part) : `\${${part.code}}`)).join("");
  if (isOutput) around.use("pulumi");
  return { code: convert(`${isOutput ? "pulumi.interpolate" : ""}\`${text}\``, kind, around), isOutput };
}

/** Converts a string that is a single reference. */
function whole(reference: Reference, kind: Kind, around: CodeContext, position: Position): Expression {
  const type = typeName(kind);
  if (type !== undefined && reference.kind === "config") return config(reference.key, type, around, position);
  if (type !== undefined && reference.kind === "env" && reference.default === undefined) {
    return { code: helper("fromEnv", around, quote(reference.name), type), isOutput: false };
  }
  const { code, isOutput } = asText(reference, around, position);
  return { code: convert(code, kind, around), isOutput };
}

function asText(reference: Reference, around: CodeContext, position: Position): Expression {
  switch (reference.kind) {
    case "stack":
      around.use("pulumi");
      return { code: "pulumi.getStack()", isOutput: false };
    case "project":
      around.use("pulumi");
      return { code: "pulumi.getProject()", isOutput: false };
    case "env": {
      const { name, default: fallback } = reference;
      if (fallback === undefined) return { code: helper("fromEnv", around, quote(name)), isOutput: false };
      const { code, isOutput } = fallbackCode(fallback, around, position);
      const either = `process.env.${name} || ${code}`;
      if (isOutput) around.use("pulumi");
      return { code: isOutput ? `pulumi.output(${either})` : either, isOutput };
    }
    case "config":
      return config(reference.key, undefined, around, position);
    case "output":
      return { code: output(reference, around), isOutput: true };
  }
}

function fallbackCode(parts: readonly Part[], around: CodeContext, position: Position): Expression {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return { code: quote(only), isOutput: false };
  return expressionFor(parts, "text", around, position);
}

function config(key: string, type: string | undefined, around: CodeContext, position: Position): Expression {
  if (position === "option")
    return { code: helper("plainConfig", around, quote(key), type), isOutput: false };
  if (position === "open") return { code: helper("fromConfig", around, quote(key), type), isOutput: true };
  const [name = "", namespace] = key.split(":").reverse();
  return { code: `${around.configFor(namespace)}.requireSecret(${quote(name)})`, isOutput: true };
}

function output({ deployment, output: name }: Reference & { kind: "output" }, around: CodeContext): string {
  const variable = around.variableOf(deployment);
  if ((outputs as Readonly<Record<string, Output>>)[name]?.nullable)
    return helper("fromOutput", around, variable, quote(name));
  return `${variable}.${name === "generation" ? "generation.apply(String)" : name}`;
}

/** Wraps a string expression so that it yields the expected kind. */
function convert(text: string, kind: Kind, around: CodeContext): string {
  const type = typeName(kind);
  return type === undefined ? text : helper("fromText", around, text, type);
}

function typeName(kind: Kind): "Number" | "Boolean" | undefined {
  return kind === "number" ? "Number" : kind === "boolean" ? "Boolean" : undefined;
}

function helper(name: Helper, around: CodeContext, ...args: (string | undefined)[]): string {
  around.use(name);
  return `${name}(${args.filter((arg) => arg !== undefined).join(", ")})`;
}

function escape(text: string): string {
  return escapeUnprintable(JSON.stringify(text).slice(1, -1))
    .replace(/\\"/g, '"')
    .replace(/`/g, "\\`")
    .replace(/\$\{/g, "\\${");
}
