/** What a new project declares: the same values become a program or a manifest, and the configuration of its stacks. */
import { isEqual, isObject, type Values } from "../../schema/tree";
import type { ProjectStack } from "./stacks";
import { configKeysForVariables } from "./variables";

/** A value that differs between stacks, so that each has it in its configuration. */
export class PerStack {
  constructor(
    readonly configKey: string,
    /** In the order of the stacks; undefined where a stack has none. */
    readonly values: readonly unknown[],
  ) {}
}

export interface Declaration {
  /** The logical name, and the key in a manifest. */
  readonly key: string;
  /** May contain a `PerStack` instead of any value. Without secrets. */
  readonly args: Values;
  /** Comments by path: `sourceConfig`. */
  readonly comments: Readonly<Record<string, readonly string[]>>;
  /** The configuration key of each secret, by its name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly stacks: readonly ProjectStack[];
}

/** Whether a stack manages the secrets, because it has no deployment yet. Otherwise, they are a comment. */
export function areSecretsManaged({ secrets, stacks }: Declaration): boolean {
  return secrets.size > 0 && stacks.some(({ existing }) => existing === undefined);
}

/** The stacks that leave the managed secrets to the service at first, because it has their deployments already. */
export function stacksWithoutSecrets(declaration: Declaration): string[] {
  if (!areSecretsManaged(declaration)) return [];
  return declaration.stacks.flatMap(({ stack, existing }) => (existing ? [stack] : []));
}

export function protectedStacks({ stacks }: Declaration): string[] {
  return stacks.filter(({ isProtected }) => isProtected).map(({ stack }) => stack);
}

/** Arguments whose values belong to a stack, even if all stacks have the same at first. */
const ofStack = ["name", "deploymentType", "deploymentTier"];

/** @param stacks the arguments in each stack */
export function mergedArguments(stacks: readonly Values[]): Values {
  const names = [...new Set(stacks.flatMap((each) => Object.keys(each)))];
  const merged = (name: string): unknown => {
    const values = stacks.map((each) => each[name]);
    const [first] = values;
    if (values.some(isObject)) return mergedArguments(values.map((value) => (isObject(value) ? value : {})));
    const isShared = values.every((value) => isEqual(value, first));
    if (stacks.length === 1 || (isShared && !ofStack.includes(name))) return first;
    return new PerStack(name, values);
  };
  return Object.fromEntries(names.map((name) => [name, merged(name)]));
}

/** The values of one stack, as its overlay or its configuration has them. */
export function perStackValues(args: Values): { path: readonly string[]; value: PerStack }[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (value instanceof PerStack) return [{ path: [name], value }];
    if (!isObject(value)) return [];
    return perStackValues(value).map((each) => ({ ...each, path: [name, ...each.path] }));
  });
}

/** The keys of secrets, which differ from those of other values. */
export function secretKeys(names: readonly string[], args: Values): ReadonlyMap<string, string> {
  return configKeysForVariables(
    names,
    perStackValues(args).map(({ value }) => value.configKey),
  );
}
