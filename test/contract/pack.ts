/** Packs the built package once for the tests of this project, as publishing would. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node" with { "resolution-mode": "import" };

export interface Packed {
  /** Where the tarball was unpacked. */
  readonly folder: string;
  /** Paths of its files: `dist/provider/index.js`. */
  readonly files: readonly string[];
  /** Bytes of the tarball. */
  readonly size: number;
}

declare module "vitest" {
  interface ProvidedContext {
    packed: Packed;
  }
}

const root = resolve(__dirname, "../..");

export default function pack({ provide }: TestProject): () => void {
  if (!existsSync(join(root, "dist"))) throw new Error("There is no dist: run `npm run build` first");
  const target = mkdtempSync(join(tmpdir(), "packed-"));
  const [tarball] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    }),
  ) as { filename: string; size: number; files: { path: string }[] }[];
  if (tarball === undefined) throw new Error("npm pack made no tarball");
  execFileSync("tar", ["-xzf", tarball.filename], { cwd: target });
  provide("packed", {
    folder: join(target, "package"),
    files: tarball.files.map(({ path }) => path),
    size: tarball.size,
  });
  return () => rmSync(target, { recursive: true, force: true });
}
