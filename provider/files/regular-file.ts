/** Reads regular files alone: a pipe that nobody writes to blocks for ever, and a device may have no end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Follows links. Throws what the system says, and `ENXIO`, as for a socket, for anything else that is no file. */
export function readRegularFile(file: string): Buffer {
  // Windows has no such flag.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile() && !stat.isDirectory())
      throw Object.assign(new Error(`ENXIO: it is not a regular file, open '${file}'`), { code: "ENXIO" });
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
