/** What a new project declares: the same values become a program or a manifest, and the configuration of its stacks. */
import { asObject, type Values } from "../../schema/tree";
import { configKeyNear } from "../import/keys";
import { uniqueNames } from "../unique-names";
import type { ProjectStack } from "./stacks";

export interface Declaration {
  /** The logical name, and the key in a manifest. */
  readonly key: string;
  /** The arguments that all stacks share, without secrets. */
  readonly shared: Values;
  /** The lines of the comment above it. */
  readonly comment: readonly string[];
  /** The configuration key of each secret, by its name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Each has its own arguments, next to the shared ones. */
  readonly stacks: readonly ProjectStack[];
}

/** The shared arguments and those of a stack, in their usual order. */
export function argumentsWith({ name, ...own }: Values, { shared }: Declaration): Values {
  const { source, ...others } = shared;
  return { ...(name !== undefined && { name }), source, ...own, ...others };
}

/** The arguments of a stack as its configuration has them: those of `sourceConfig` next to the others. */
export function configOf({ args: { sourceConfig, ...others } }: Pick<ProjectStack, "args">): Values {
  return { ...others, ...asObject(sourceConfig) };
}

/** Whether a stack manages the secrets, because it has no deployment yet. Otherwise, they are a comment. */
export function areSecretsManaged({ secrets, stacks }: Declaration): boolean {
  return secrets.size > 0 && stacks.some(({ existing }) => existing === undefined);
}

/** What the comment says that declares the secrets of deployments that the service has already. */
export function unmanagedText({ stacks }: Declaration): string[] {
  const commands = stacks.flatMap(({ setSecrets }) =>
    setSecrets === undefined ? [] : [`\`${setSecrets}\``],
  );
  return [
    "Not managed here yet: the service keeps those that it has. To manage them, uncomment them, then run",
    ...(commands.length === 0
      ? ["the command next to each."]
      : [`${commands.join(" and ")}, or the command next to each.`]),
  ];
}

/** The stacks that leave the managed secrets to the service at first, because it has their deployments already. */
export function stacksWithoutSecrets(declaration: Declaration): readonly ProjectStack[] {
  return areSecretsManaged(declaration) ? declaration.stacks.filter(({ existing }) => existing) : [];
}

/** The configuration key of each secret: `modelApiKey` for `MODEL_API_KEY`. Arguments of several stacks have keys of their own. */
export function secretKeys(
  names: readonly string[],
  stacks: readonly ProjectStack[],
): ReadonlyMap<string, string> {
  const take = uniqueNames(stacks.length === 1 ? [] : stacks.flatMap((each) => Object.keys(configOf(each))));
  return new Map(names.map((name) => [name, take(configKeyNear(name))]));
}
