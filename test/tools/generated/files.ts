/** Every file that is made from data, with the text that it must have. */
import { resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { manifestSchema } from "./manifest-schema";
import { argumentsFile } from "./arguments";
import { outputsFile } from "./outputs";
import { pluginSchema } from "./plugin-schema";
import { programOf } from "./program";
import { pages, read } from "../../docs/documents";
import { hasTables, withTables } from "./tables";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const root = resolve(__dirname, "../../..");

const makers: Readonly<Record<string, () => string>> = {
  ...documentsWithTables(),
  "plugin/schema.json": pluginSchema,
  "provider/program/arguments.ts": argumentsFile,
  "provider/program/outputs.ts": outputsFile,
  "schema/manifest.schema.json": manifestSchema,
  "examples/02-yaml-to-program/program/dev.ts": () => programOf("examples/02-yaml-to-program", "dev"),
  "examples/02-yaml-to-program/program/prod.ts": () => programOf("examples/02-yaml-to-program", "prod"),
};

function documentsWithTables(): Record<string, () => string> {
  const texts = pages.map((page) => [page, read(page)] as const).filter(([, text]) => hasTables(text));
  return Object.fromEntries(texts.map(([page, text]) => [page, () => withTables(text)]));
}

export function generatedFiles(): Promise<GeneratedFile[]> {
  return Promise.all(
    Object.entries(makers).map(async ([name, make]) => {
      const path = resolve(root, name);
      // A schema is the very text that is printed or answered.
      if (name.endsWith(".json")) return { path, text: make() };
      return { path, text: await format(make(), { ...(await resolveConfig(path)), filepath: path }) };
    }),
  );
}
