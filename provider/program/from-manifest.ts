/** Registers the deployments of a manifest as resources. */
import { dirname, relative, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { ManifestDeployment, Options } from "../../schema/manifest";
import { checkManifest } from "../manifest/check-manifest";
import { withEnvironment, type ConfigValue, type KnownDialect } from "../manifest/bindings";
import type { Reference } from "../manifest/reference";
import { inOrderOfDependency } from "../manifest/dependency-graph";
import type { View } from "../manifest/layers";
import type { Place } from "../manifest/places";
import { locateProblem, problemsToText } from "../manifest/render";
import { rebasePath } from "../manifest/rebase-path";
import { parseScalar } from "../manifest/scalar";
import { SourceText } from "../manifest/source";
import { replaced, type Replace } from "../manifest/values";
import { valueAt, type Values } from "../../schema/tree";
import { longestText, sanitize } from "../text/sanitize";
import { isUrn } from "../text/urn";
import { readRegularFile } from "../files/regular-file";
import { readSettings } from "../settings/reading";
import type { DeploymentArgsOf } from "./arguments";
import { Deployment } from "./deployment";
import { present, configValue } from "./config-values";
import { nameOf, namedAfter } from "./followed-outputs";
import { InputError } from "./input-error";

export interface ManifestOptions {
  /** Stack that selects the overlay, and value of `${stack}`. Default: the program's stack. */
  stack?: string;
}

/** The implementation of `fromManifest` in `on-demand.ts`. */
export function fromManifest(file: string, options: ManifestOptions = {}): Record<string, Deployment> {
  const { stack = pulumi.getStack() } = options;
  const project = pulumi.getProject();
  const config = (key: string) => configValue(key, project);
  const known = { stack, project, config, env: process.env, dialect: stackDialect() };
  const source = readManifest(file);
  const { problems, mask, view } = checkManifest(source, known);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (view === undefined || errors > 0) {
    const count = `${errors} problem${errors === 1 ? "" : "s"}`;
    throw new InputError(`${sanitize(file)} has ${count}\n\n${problemsToText(source, problems, { mask })}`);
  }
  for (const problem of problems) {
    const { line, column, message } = locateProblem(source, problem);
    void pulumi.log.warn(sanitize(`${file}:${line}:${column}: ${message}`, longestText));
  }
  // The check has refused configuration that is not set.
  return register(source, view, (reference) => {
    if (reference.kind === "config") return config(reference.key)!;
    return { text: reference.kind === "stack" ? stack : project, isSecret: false };
  });
}

/** The dialect of the stack's connection. Undefined if the setting is invalid, which the connection itself reports. */
function stackDialect(): KnownDialect | undefined {
  const { rules } = readSettings((key) => pulumi.runtime.getConfig(key), process.env);
  return rules && { ...rules, is: "connection" };
}

/** Without variables, which their values have replaced: the check refuses those that are not set. */
type Known = Exclude<Reference, { kind: "env" }>;
type Plain = Exclude<Known, { kind: "output" }>;
type LookUp = (reference: Plain) => ConfigValue;

interface GivenOptions {
  readonly dependsOn?: readonly string[];
  readonly aliases?: readonly (string | pulumi.Alias)[];
}

function register(source: SourceText, view: View, lookUp: LookUp): Record<string, Deployment> {
  const { file } = source;
  const locationOf = (place: Place) => {
    const { line, column } = source.positionOf(place.at.start);
    return `${file}:${line}:${column}`;
  };
  const made = new Map<string, Deployment>();
  const inArguments = replaceWith((reference, place) => {
    if (reference.kind === "output") {
      const { deployment, output } = reference;
      const what = `${locationOf(place)}: \${deployments.${deployment}.${output}}`;
      const value = made.get(deployment)![output] as pulumi.Output<unknown>;
      return namedAfter(present(value, what), `${deployment}.${output}`);
    }
    const { text, isSecret } = lookUp(reference);
    return isSecret ? pulumi.secret(text) : text;
  });
  // Options are never secret: the engine stores them in plain text.
  const inOptions = replaceWith((reference) => lookUp(reference as Plain).text);
  for (const { key, value } of inOrderOfDependency(view)) {
    const { options: _, ...args } = replaced(value, ManifestDeployment, inArguments) as Values &
      DeploymentArgsOf;
    const given = valueAt(value, ["options"]) ?? undefined;
    const options = (given && replaced(given, Options, inOptions)) as GivenOptions | undefined;
    const dependsOn = options?.dependsOn?.map((name) => made.get(name)!);
    const aliases = options?.aliases?.map((alias) =>
      typeof alias === "string" && !isUrn(alias) ? { name: alias } : alias,
    );
    const placed = { ...args, ...inFolderOf(file, args.sourceDirectory) };
    made.set(key, new Deployment(key, placed, { ...options, dependsOn, aliases }));
  }
  return Object.fromEntries([...view.deployments.keys()].map((key) => [key, made.get(key)!]));
}

/** Folders in a manifest are relative to the manifest; arguments are relative to the program's folder. */
function inFolderOf(
  file: string,
  directory: DeploymentArgsOf["sourceDirectory"],
): Pick<DeploymentArgsOf, "sourceDirectory"> {
  const base = relative(process.cwd(), dirname(resolve(file)));
  if (directory === undefined || base === "") return {};
  return { sourceDirectory: pulumi.output(directory).apply((path) => path && rebasePath(base, path)) };
}

function replaceWith(valueOf: (reference: Known, place: Place) => unknown): Replace {
  return ({ parts }, kind, place) => {
    const values = withEnvironment(parts, process.env).map((part) =>
      typeof part === "string" ? part : valueOf(part as Known, place!),
    );
    const parse = (known: readonly unknown[]) => parseScalar(kind, known.join(""));
    return values.every((value) => typeof value === "string")
      ? parse(values)
      : namedAfter(pulumi.all(values).apply(parse), followedIn(values));
  };
}

function followedIn(values: readonly unknown[]): string | undefined {
  return values.map((value) => (pulumi.Output.isInstance(value) ? nameOf(value) : undefined)).find(Boolean);
}

function readManifest(file: string): SourceText {
  try {
    return new SourceText(file, readRegularFile(resolve(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `cannot read ${sanitize(resolve(file))}: ${code === "ENOENT" ? "there is no such file" : code}`,
    );
  }
}
