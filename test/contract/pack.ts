/** Packs the built package once for the tests of this project. */
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node" with { "resolution-mode": "import" };
import { packInto, type Packed } from "../support/packed";

declare module "vitest" {
  interface ProvidedContext {
    packed: Packed;
  }
}

export default function pack({ provide }: TestProject): () => Promise<void> {
  if (!existsSync(resolve(__dirname, "../../dist")))
    throw new Error("There is no dist: run `npm run build` first");
  const target = mkdtempSync(join(tmpdir(), "packed-"));
  provide("packed", packInto(target));
  return () => rm(target, { recursive: true, force: true });
}
