/** Reads a file with patterns of what to exclude. */
import { decodeUtf8 } from "../agent/open-file";
import { fileErrorText, SourceError } from "../agent/source-error";
import { readRegularFile } from "../files/regular-file";
import { patternsIn, type Pattern, type Reading } from "./pattern";

/** No patterns if there is no such file. Throws if it cannot be read: without its patterns, what it excludes would be uploaded. */
export function readPatterns(file: string, origin: string, reading: Reading): Pattern[] {
  return patternsIn(decodeUtf8(bytesOf(file), file), origin, reading);
}

function bytesOf(file: string): Buffer {
  try {
    return readRegularFile(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes(code)) return Buffer.of();
    throw new SourceError(`cannot read ${file}: ${fileErrorText(error)}`, error);
  }
}
