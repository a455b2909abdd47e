/**
 * What a program reads from outside of it: the stack's configuration, the environment, outputs of other deployments.
 * A manifest and the program that `generate` makes of it read through here, so that both take and refuse the same.
 */
import * as pulumi from "@pulumi/pulumi";
import { readAs } from "../manifest/types";
import type { Deployment } from "./deployment";

/** What a text is read as. */
export type Reading<T> = ((text: unknown) => T) & (StringConstructor | NumberConstructor | BooleanConstructor);

/** An error whose text is all that the user is shown. */
export class InputError extends pulumi.RunError {}

/** A value of the configuration, and whether it is a secret there. */
export interface Setting {
  readonly text: string;
  readonly isSecret: boolean;
}

/** @param key `KEY`, of the project, or `NAMESPACE:KEY` */
export function settingOf(key: string, project: string = pulumi.getProject()): Setting | undefined {
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
 * @example
 * ```ts
 * new Deployment("chat", { sourceRevisionConfig: { imageUri: fromConfig("image") }, … });
 * ```
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a value that is not the project's
 * @param type what the text is read as: `String` (default), `Number` or `Boolean`
 * @throws where the value is not set, or cannot be read as that
 */
export function fromConfig(key: string): pulumi.Output<string>;
export function fromConfig<T>(key: string, type: Reading<T>): pulumi.Output<T>;
export function fromConfig<T>(key: string, type?: Reading<T>): pulumi.Output<unknown> {
  const value = plainConfig(key, type as Reading<unknown>);
  return required(key).isSecret ? pulumi.secret(value) : pulumi.output(value);
}

/**
 * A value of the stack's configuration in clear, also where it is a secret there: for the options of a resource, which
 * the engine must know and which are never secret.
 *
 * @param key `KEY`, or `NAMESPACE:KEY` for a value that is not the project's
 * @param type what the text is read as: `String` (default), `Number` or `Boolean`
 * @throws where the value is not set, or cannot be read as that
 */
export function plainConfig(key: string): string;
export function plainConfig<T>(key: string, type: Reading<T>): T;
export function plainConfig<T>(key: string, type?: Reading<T>): unknown {
  return read(required(key).text, type, `configuration ${key}`);
}

function required(key: string): Setting {
  const setting = settingOf(key);
  if (setting === undefined) throw new InputError(`configuration ${key} is not set; ${howToSet(key)}`);
  return setting;
}

export function howToSet(key: string): string {
  return `run \`pulumi config set ${key} …\`, with --secret for a secret`;
}
