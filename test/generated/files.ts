/** Every file that is made from the tables, with the text that it must have. */
import { resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { argumentsFile } from "./arguments";
import { readmeFile } from "./readme";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const root = resolve(__dirname, "../..");

const makers: Readonly<Record<string, () => string>> = {
  "README.md": readmeFile,
  "provider/pulumi/arguments.ts": argumentsFile,
};

export function generatedFiles(): Promise<GeneratedFile[]> {
  return Promise.all(
    Object.entries(makers).map(async ([name, make]) => {
      const path = resolve(root, name);
      return { path, text: await format(make(), { ...(await resolveConfig(path)), filepath: path }) };
    }),
  );
}
