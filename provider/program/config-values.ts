/**
 * Reads values from outside the program: the stack's configuration, the environment, outputs of other deployments. A manifest and
 * the program that `generate` writes from it both use these functions, so they accept and refuse the same values.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ConfigValue } from "../manifest/bindings";
import { parseScalar, parseExactly } from "../manifest/scalar";
import type { Deployment } from "./deployment";
import { logicalName } from "../text/urn";
import { InputError } from "./input-error";
import { isConfigSecret } from "./provider";

/** @param key `KEY`, or `NAMESPACE:KEY` for a namespace other than the project's */
export function configValue(key: string, project: string): ConfigValue | undefined {
  const [name = "", namespace = project] = key.split(":").reverse();
  const text = new pulumi.Config(namespace).get(name);
  return text === undefined ? undefined : { text, isSecret: isConfigSecret(`${namespace}:${name}`) };
}

/**
 * Reads a value of the stack's configuration. It is secret if the configuration marks it as secret.
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a namespace other than the project's
 * @param type `Number` or `Boolean`, to parse the text as one
 * @throws if the value is not set, or cannot be parsed
 */
export function fromConfig(key: string): pulumi.Output<string>;
export function fromConfig(key: string, type: NumberConstructor): pulumi.Output<number>;
export function fromConfig(key: string, type: BooleanConstructor): pulumi.Output<boolean>;
export function fromConfig(key: string, type?: ScalarType): pulumi.Output<unknown> {
  const value = parseText(required(key).text, type, `configuration ${key}`);
  return required(key).isSecret ? pulumi.secret(value) : pulumi.output(value);
}

/**
 * Reads a value of the stack's configuration as a plain value, even if it is a secret there. Use it for resource options, which
 * the engine stores in plain text.
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a namespace other than the project's
 * @param type `Number` or `Boolean`, to parse the text as one
 * @throws if the value is not set, or cannot be parsed
 */
export function plainConfig(key: string): string;
export function plainConfig(key: string, type: NumberConstructor): number;
export function plainConfig(key: string, type: BooleanConstructor): boolean;
export function plainConfig(key: string, type?: ScalarType): unknown {
  return parseText(required(key).text, type, `configuration ${key}`);
}

/**
 * Reads an environment variable.
 *
 * @param type `Number` or `Boolean`, to parse the text as one
 * @throws if the variable is not set, or cannot be parsed
 */
export function fromEnv(name: string): string;
export function fromEnv(name: string, type: NumberConstructor): number;
export function fromEnv(name: string, type: BooleanConstructor): boolean;
export function fromEnv(name: string, type?: ScalarType): unknown {
  const text = process.env[name];
  if (text === undefined) throw new InputError(`environment variable ${name} is not set`);
  return parseText(text, type, `environment variable ${name}`);
}

/**
 * Parses a text as a number or a boolean. If the text is an output, the resource reports an invalid value later.
 *
 * @throws if the text is known and cannot be parsed
 */
export function fromText(text: string, type: NumberConstructor): number;
export function fromText(text: string, type: BooleanConstructor): boolean;
export function fromText(text: pulumi.Output<string>, type: NumberConstructor): pulumi.Output<number>;
export function fromText(text: pulumi.Output<string>, type: BooleanConstructor): pulumi.Output<boolean>;
export function fromText(text: string | pulumi.Output<string>, type: ScalarType): unknown {
  if (typeof text !== "string") return text.apply((known) => parseScalar(kindOf(type), known));
  return parseText(text, type, `this text`);
}

/** Names of outputs that may be null. */
export type OptionalOutput = {
  [K in keyof Deployment]: Deployment[K] extends pulumi.Output<infer T>
    ? null extends T
      ? K
      : never
    : never;
}[keyof Deployment];

/**
 * Returns an output of a deployment that must not be null.
 *
 * @example
 * ```ts
 * new Deployment("chat", { secrets: { SEARCH_URL: fromOutput(search, "url") }, … });
 * ```
 *
 * @returns an output that fails if the value is null
 */
export function fromOutput(deployment: Deployment, output: OptionalOutput): pulumi.Output<string> {
  return deployment.urn.apply((urn) => {
    return present(deployment[output] as pulumi.Output<string | null>, `${logicalName(urn)}.${output}`);
  });
}

/** @param what names the output and where it is used, for the error */
export function present<T>(output: pulumi.Output<T>, what: string): pulumi.Output<NonNullable<T>> {
  return output.apply((value) => {
    if (value === null || value === undefined) {
      throw new InputError(
        `${what} is null: the deployment does not have this output, or does not have it yet`,
      );
    }
    return value as NonNullable<T>;
  }) as pulumi.Output<NonNullable<T>>;
}

type ScalarType = NumberConstructor | BooleanConstructor;

function kindOf(type: ScalarType): "number" | "boolean" {
  return type === Number ? "number" : "boolean";
}

function parseText(text: string, type: ScalarType | undefined, what: string): unknown {
  if (type === undefined) return text;
  const read = parseExactly(kindOf(type), text);
  if ("value" in read) return read.value;
  throw new InputError(`${what}: ${read.problem}`);
}

function required(key: string): ConfigValue {
  const setting = configValue(key, pulumi.getProject());
  if (setting !== undefined) return setting;
  throw new InputError(
    `configuration ${key} is not set; run \`pulumi config set ${key}\`, with --secret for a secret`,
  );
}
