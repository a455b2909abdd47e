/** Outputs that repeat an argument under another name. */
const copies: Readonly<Record<string, string>> = {
  url: "sourceConfig.customUrl",
  repoCommitSha: "sourceRevisionConfig.repoRef",
  imageVersion: "sourceRevisionConfig.imageUri",
};

/**
 * Whether an output is a secret whatever the engine knows of it. Copies of arguments are as secret as the arguments.
 *
 * @param secretPaths of arguments that the program passed as secrets
 */
export function isSecretOutput(name: string, secretPaths: readonly string[]): boolean {
  if (name === "secrets") return true;
  return Object.hasOwn(copies, name) && secretPaths.some((path) => `${copies[name]}.`.startsWith(`${path}.`));
}
