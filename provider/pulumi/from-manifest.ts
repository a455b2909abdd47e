/** A manifest as the resources of a program. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { ManifestDeployment } from "../../schema/manifest";
import { checkManifest } from "../manifest/check";
import type { View } from "../manifest/layers";
import { inOrderOfDependency } from "../manifest/order";
import { environmentValue, type Reference } from "../manifest/reference";
import { report, toText } from "../manifest/render";
import { Source } from "../manifest/source";
import { readAs, type Type } from "../manifest/types";
import { valueOf, type Replace } from "../manifest/values";
import type { DeploymentArgs } from "./arguments";
import { Deployment } from "./deployment";

export interface ManifestOptions {
  /** Whose overlay applies, and `${stack}`. Default: the program's stack. */
  stack?: string;
  /** `${project}`, and where `${config.…}` looks. Default: the program's project. */
  project?: string;
  /** `${config.…}` by key. Default: the stack's configuration. */
  config?: Readonly<Record<string, pulumi.Input<string>>>;
  /** `${env.…}`. Default: the process's environment. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** An error whose text is all that the user is shown. */
class ManifestError extends pulumi.RunError {}

/**
 * Registers every deployment of a manifest. A file with a problem registers nothing: all of its problems are shown.
 *
 * @example
 * ```ts
 * export const { chat } = fromManifest("deployments.yaml");
 * ```
 *
 * @param file the manifest, relative to the program's folder
 * @returns the resources by their keys in the manifest
 */
export function fromManifest(file: string, options: ManifestOptions = {}): Record<string, Deployment> {
  const { stack = pulumi.getStack(), project = pulumi.getProject(), env = process.env } = options;
  const lookUp = options.config ? inRecord(options.config) : inConfiguration(project);
  const config = (key: string) => {
    const value = lookUp(key);
    return value === undefined ? undefined : { text: typeof value === "string" ? value : undefined };
  };
  const source = read(file);
  const { problems, mask, view } = checkManifest(source, { stack, project, env, config });
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (view === undefined || errors > 0) {
    const count = `${errors} problem${errors === 1 ? "" : "s"}`;
    throw new ManifestError(`${file} has ${count}\n\n${toText(source, problems, { mask })}`);
  }
  for (const problem of problems) {
    const { line, column, message } = report(source, problem);
    void pulumi.log.warn(`${file}:${line}:${column}: ${message}`);
  }
  return register(view, (reference) => {
    if (reference.kind === "stack") return stack;
    if (reference.kind === "project") return project;
    return reference.kind === "env" ? environmentValue(reference, env) : lookUp(reference.key);
  });
}

type Plain = Exclude<Reference, { kind: "output" }>;
type LookUp = (key: string) => pulumi.Input<string> | undefined;

function register(
  view: View,
  lookUp: (reference: Plain) => pulumi.Input<string> | undefined,
): Record<string, Deployment> {
  const made = new Map<string, Deployment>();
  const part = (reference: Reference): unknown =>
    reference.kind === "output" ? made.get(reference.deployment)![reference.output] : lookUp(reference);
  for (const { key, node } of inOrderOfDependency(view)) {
    const { options, ...args } = valueOf(node, ManifestDeployment, replaceWith(part)) as {
      options?: { dependsOn?: string[] };
    };
    const dependsOn = options?.dependsOn?.map((name) => made.get(name)!);
    made.set(key, new Deployment(key, args as DeploymentArgs, { ...options, dependsOn }));
  }
  return Object.fromEntries(view.keys().map((key) => [key, made.get(key)!]));
}

function replaceWith(valueOfReference: (reference: Reference) => unknown): Replace {
  return (parts, kind) => {
    const values = parts.map((part) => (typeof part === "string" ? part : valueOfReference(part)));
    const [only] = values;
    if (values.length === 1)
      return pulumi.Output.isInstance(only)
        ? only.apply((value) => readOutput(kind, value))
        : readAs(kind, String(only));
    if (!values.some((value) => pulumi.Output.isInstance(value))) return readAs(kind, values.join(""));
    const literals = Object.assign(values.map(() => "").concat(""), { raw: [] });
    return pulumi
      .interpolate(literals, ...(values as pulumi.Input<string>[]))
      .apply((text) => readAs(kind, text));
  };
}

/** What is not there is told by the resource's own check. */
function readOutput(kind: Type["kind"], value: unknown): unknown {
  return value === null || value === undefined ? value : readAs(kind, String(value));
}

function inRecord(config: Readonly<Record<string, pulumi.Input<string>>>): LookUp {
  return (key) => (Object.hasOwn(config, key) ? config[key] : undefined);
}

/** The stack's configuration: a value that is a secret there stays one. */
function inConfiguration(project: string): LookUp {
  return (key) => {
    const [name = "", namespace = project] = key.split(":").reverse();
    const value = new pulumi.Config(namespace).get(name);
    return value !== undefined && isSecret(`${namespace}:${name}`) ? pulumi.secret(value) : value;
  };
}

function isSecret(key: string): boolean {
  // Not in the SDK's types. Were it gone, every value would be a secret: too careful, never too careless.
  const { isConfigSecret = () => true } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret(key);
}

function read(file: string): Source {
  try {
    return new Source(file, readFileSync(resolve(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ManifestError(
      `cannot read ${resolve(file)}: ${code === "ENOENT" ? "there is no such file" : code}`,
    );
  }
}
