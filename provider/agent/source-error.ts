/** Why a folder cannot be archived, in words. */
import { DeploymentError } from "../errors";
import { sanitize } from "../text/sanitize";

/** Thrown if the folder cannot be archived. The message mentions the file and the reason. */
export class SourceError extends DeploymentError {
  override readonly name = "SourceError";

  constructor(message: string, cause?: unknown) {
    super(sanitize(message, 2_000), { cause });
  }
}

/** The file system's reason in words, or its error code. */
export function fileErrorText(error: unknown): string {
  const { code = "unknown reason", path = "" } = error as NodeJS.ErrnoException;
  // Node.js reads such a name with this mark in it, which no file has.
  if (code === "ENOENT" && path.includes("\ufffd"))
    return "its name is not UTF-8: rename it, or exclude it with an ignore file";
  return words[code] ?? code;
}

const words: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it is a link",
  EMLINK: "it is a link",
  ENOTDIR: "part of its path is not a folder",
  ENOSPC: "no space is left on the device",
  EISDIR: "it is not a regular file",
  ENXIO: "it is not a regular file",
  EMFILE: "too many files are open",
};
