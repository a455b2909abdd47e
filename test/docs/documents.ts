import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The documents whose blocks are played. */
export const documents = [
  "README.md",
  "examples/04-adopt/README.md",
  "examples/05-repositories/README.md",
  "examples/06-public-service/README.md",
  "examples/09-promote/README.md",
].map((path) => resolve(root, path));

/** Those whose programs are compiled and whose links are followed. */
export const pages = [
  ...documents,
  ...[
    "CONTRIBUTING.md",
    "emulator/README.md",
    "examples/README.md",
    "examples/08-pull-requests/README.md",
    "examples/10-test-your-program/README.md",
    "docs/deployment-per-pull-request.md",
  ].map((path) => resolve(root, path)),
];

/** The file of the Pulumi project that a document tells of: its example's, or the first one's. */
export function projectOf(path: string): string {
  const folder = dirname(path);
  return readFileSync(resolve(folder === root ? "examples/01-hello" : folder, "Pulumi.yaml"), "utf8");
}
