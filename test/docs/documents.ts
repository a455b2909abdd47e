import { basename, dirname, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The documents whose blocks are played. */
export const documents = [
  "README.md",
  "examples/04-adopt/README.md",
  "examples/05-repositories/README.md",
].map((path) => resolve(root, path));

/** The name of the Pulumi project that a document tells of: its example's. */
export function projectOf(path: string): string {
  const folder = dirname(path);
  return folder === root ? "hello" : basename(folder).replace(/^\d+-/, "");
}
