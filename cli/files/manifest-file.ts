/** Reads and checks the manifest that the user named. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileErrorText } from "../../provider/agent/source-error";
import { checkManifest, type CheckedManifest } from "../../provider/manifest/check-manifest";
import type { Bindings } from "../../provider/manifest/bindings";
import { readRegularFile } from "../../provider/files/regular-file";
import { SourceText } from "../../provider/manifest/source";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError, type Io } from "../command";

/** The manifest of a command that names none. */
export const usualManifest = "deployments.yaml";

export interface CheckedFile extends CheckedManifest {
  readonly source: SourceText;
}

/**
 * @param file a path, or `-` for standard input
 * @param known the selected stack, and the environment if it should be checked
 */
export async function checkFile(file: string, known: Bindings, io: Io): Promise<CheckedFile> {
  const bytes = await readInput(file, io);
  const source = new SourceText(file === "-" ? "<stdin>" : file, bytes);
  return { source, ...checkManifest(source, known) };
}

/** @param file a path, or `-` for standard input */
export async function readInput(file: string, io: Io): Promise<Uint8Array> {
  return file === "-" ? await io.stdin() : readBytes(file, io);
}

export function readBytes(file: string, { cwd }: Pick<Io, "cwd">): Buffer {
  try {
    const path = resolve(cwd, file);
    // A shell hands over a pipe by its number: `<(command)`.
    return /^\/(?:dev\/fd\/|dev\/stdin$|proc\/)/.test(path) ? readFileSync(path) : readRegularFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const hint = code === "ENXIO" ? ". `-` reads standard input" : "";
    throw new UsageError(`cannot read ${sanitize(file)}: ${fileErrorText(error)}${hint}`);
  }
}
