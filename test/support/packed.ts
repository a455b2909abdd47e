/** The built package as publishing would pack it, unpacked. */
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

export interface Packed {
  /** Where the tarball was unpacked. */
  readonly folder: string;
  /** Paths of its files: `dist/provider/index.js`. */
  readonly files: readonly string[];
  /** Bytes of the tarball. */
  readonly size: number;
}

export function packInto(target: string): Packed {
  const [tarball] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], {
      cwd: resolve(__dirname, "../.."),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    }),
  ) as { filename: string; size: number; files: { path: string }[] }[];
  const { filename, files, size } = tarball!;
  execFileSync("tar", ["-xzf", filename], { cwd: target });
  return { folder: join(target, "package"), files: files.map(({ path }) => path), size };
}
