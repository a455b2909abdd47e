/**
 * What a program reads from outside of it: the stack's configuration, the environment, outputs of other deployments.
 * A manifest and the program that `generate` makes of it read alike: they take the same, and refuse the same.
 */
import * as pulumi from "@pulumi/pulumi";
import { typeName } from "../../schema/problems";
import { readAs, readExactly } from "../manifest/scalar";
import type { Deployment } from "./deployment";
import { logicalName } from "../urn";
import { InputError } from "./input-error";

/** A value of the configuration. */
export interface ConfigValue {
  readonly text: string;
  /** Whether it is a secret there. */
  readonly isSecret: boolean;
}

/** @param key `KEY`, or `NAMESPACE:KEY` for a value that is not the project's */
export function configValue(key: string, project: string): ConfigValue | undefined {
  const [name = "", namespace = project] = key.split(":").reverse();
  const text = new pulumi.Config(namespace).get(name);
  return text === undefined ? undefined : { text, isSecret: isSecret(`${namespace}:${name}`) };
}

function isSecret(key: string): boolean {
  // Not in the SDK's types. Were it gone, every value would be a secret: too careful, never too careless.
  const { isConfigSecret = () => true } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret(key);
}

/**
 * A value of the stack's configuration: a secret where the configuration is.
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a value that is not the project's
 * @param type `Number` or `Boolean`: what the text is read as
 * @throws where the value is not set, or is no such text
 */
export function fromConfig(key: string): pulumi.Output<string>;
export function fromConfig(key: string, type: NumberConstructor): pulumi.Output<number>;
export function fromConfig(key: string, type: BooleanConstructor): pulumi.Output<boolean>;
export function fromConfig(key: string, type?: ScalarType): pulumi.Output<unknown> {
  const value = parseText(required(key).text, type, `configuration ${key}`);
  return required(key).isSecret ? pulumi.secret(value) : pulumi.output(value);
}

/**
 * A value of the stack's configuration in clear, even where it is a secret there: for the options of a resource, which
 * the engine must know, and which are in the state in clear.
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a value that is not the project's
 * @param type `Number` or `Boolean`: what the text is read as
 * @throws where the value is not set, or is no such text
 */
export function plainConfig(key: string): string;
export function plainConfig(key: string, type: NumberConstructor): number;
export function plainConfig(key: string, type: BooleanConstructor): boolean;
export function plainConfig(key: string, type?: ScalarType): unknown {
  return parseText(required(key).text, type, `configuration ${key}`);
}

/**
 * A variable of the environment.
 *
 * @param type `Number` or `Boolean`: what the text is read as
 * @throws where the variable is not set, or is no such text
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
 * A text that is made of several parts, read as a number or a boolean. Where the text is known only later, the
 * resource says what is wrong with it.
 *
 * @throws where the text is known, and no such text
 */
export function fromText(text: string, type: NumberConstructor): number;
export function fromText(text: string, type: BooleanConstructor): boolean;
export function fromText(text: pulumi.Output<string>, type: NumberConstructor): pulumi.Output<number>;
export function fromText(text: pulumi.Output<string>, type: BooleanConstructor): pulumi.Output<boolean>;
export function fromText(text: string | pulumi.Output<string>, type: ScalarType): unknown {
  if (typeof text !== "string") return text.apply((known) => readAs(kinds.get(type)!, known));
  return parseText(text, type, `this text`);
}

/** The outputs that a deployment may not have. */
export type OptionalOutput = {
  [K in keyof Deployment]: Deployment[K] extends pulumi.Output<infer T>
    ? null extends T
      ? K
      : never
    : never;
}[keyof Deployment];

/**
 * An output that a deployment must have for what is made of it.
 *
 * @example
 * ```ts
 * new Deployment("chat", { secrets: { SEARCH_URL: fromOutput(search, "url") }, … });
 * ```
 *
 * @returns an output that fails where the deployment has none
 */
export function fromOutput(deployment: Deployment, output: OptionalOutput): pulumi.Output<string> {
  return deployment.urn.apply((urn) => {
    return present(deployment[output] as pulumi.Output<string | null>, `${logicalName(urn)}.${output}`);
  });
}

/** @param what the output, and where it is used, for the error */
export function present<T>(output: pulumi.Output<T>, what: string): pulumi.Output<NonNullable<T>> {
  return output.apply((value) => {
    if (value === null || value === undefined) {
      throw new InputError(`${what} is null: the deployment has no such output, or not yet`);
    }
    return value as NonNullable<T>;
  }) as pulumi.Output<NonNullable<T>>;
}

/**
 * A value that a program handed over, once it is known, as a text.
 *
 * @param what the value, and where it is used, for the error
 */
export function requireText(value: unknown, what: string): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  throw new InputError(`${what}: expected a string, got ${typeName(value)}`);
}

type ScalarType = NumberConstructor | BooleanConstructor;

const kinds = new Map<ScalarType, "number" | "boolean">([
  [Number, "number"],
  [Boolean, "boolean"],
]);

function parseText(text: string, type: ScalarType | undefined, what: string): unknown {
  const kind = type && kinds.get(type);
  if (kind === undefined) return text;
  const read = readExactly(kind, text);
  if ("value" in read) return read.value;
  throw new InputError(`${what}: ${read.problem}`);
}

function required(key: string): ConfigValue {
  const setting = configValue(key, pulumi.getProject());
  if (setting !== undefined) return setting;
  throw new InputError(
    `configuration ${key} is not set; run \`pulumi config set ${key} …\`, with --secret for a secret`,
  );
}
