/** The service's secrets: those that the program has never declared, and what a service shows in place of a value. */
import { asObject, formatPath, type Values } from "../../schema/tree";
import type { State } from "./state";

type Before = Pick<State, "arguments" | "private">;

/** Names of those secrets that are not declared. */
export function undeclaredAmong(secrets: object | undefined, declared: Values): string[] {
  const names = Object.keys(asObject(declared["secrets"]));
  return Object.keys(secrets ?? {}).filter((name) => !names.includes(name));
}

/** Names of the service's secrets that the program has never declared. */
export function secretsOfOthers({ arguments: old, private: { shown } }: Before, declared: Values): string[] {
  const secrets = { ...asObject(old["secrets"]), ...asObject(declared["secrets"]) };
  return undeclaredAmong(asObject(shown?.["secrets"]), { secrets });
}

const masks =
  /^[xX.\-_]{3,}$|[*•●]{3,}|^(\S{0,16}|[^]{0,4})(\.{3}|…)(\S{0,16}|[^]{0,4})$|^\W+(redacted|hidden|masked|secret|sensitive)\W+$|^(redacted|masked)$/i;

/** Whether a service hides a secret: shows no value, or a mask. */
export function isHidden(shown: unknown): boolean {
  return typeof shown !== "string" || shown === "" || masks.test(shown);
}

/** Whether a service shows something in place of a secret: a mask, or the text that it showed for a declared one. */
export function isMasked(value: unknown, { arguments: old, private: { shown } }: Before): boolean {
  const texts = asObject(shown?.["secrets"]);
  const names = Object.keys(asObject(old["secrets"]));
  return isHidden(value) || names.some((name) => texts[name] === value);
}

/** Why an update is refused, and the ways out. Only `ignoreChanges` keeps a declared secret from being sent as it is declared. */
export function hiddenSecretsText(names: readonly string[], { secrets }: Values): string {
  const ignored = names.filter((name) => Object.hasOwn(asObject(secrets), name));
  const paths = ignored.map((name) => `\`${formatPath(["secrets", name])}\``).join(", ");
  const ways = [
    ...(names.length > ignored.length ? ["Declare those that the program does not declare"] : []),
    ...(paths ? [`Remove ${paths} from \`ignoreChanges\`, so that the declared values are sent`] : []),
  ];
  return (
    `the service replaces all secrets at once and hides the values of ${names.join(", ")}, which this update would lose. ` +
    ways.join(". ")
  );
}
