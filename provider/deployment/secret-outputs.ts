import { isWithin, type Path } from "../../schema/tree";

/** Outputs that repeat an argument under another name. */
const copies: Readonly<Record<string, Path>> = {
  url: ["sourceConfig", "customUrl"],
  repoCommitSha: ["sourceRevisionConfig", "repoRef"],
  imageVersion: ["sourceRevisionConfig", "imageUri"],
};

/**
 * Whether an output must be marked as secret. Copies of arguments are as secret as the arguments.
 *
 * @param secretPaths of arguments that the program passed as secrets
 */
export function isSecretOutput(name: string, secretPaths: readonly Path[] = []): boolean {
  if (name === "secrets") return true;
  const original = Object.hasOwn(copies, name) ? copies[name] : undefined;
  return original !== undefined && secretPaths.some((path) => isWithin(original, path));
}
