/** Finds under which configuration keys a program or a manifest reads its variables. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface DeclaredSecret {
  /** `MODEL_API_KEY` */
  readonly name: string;
  /** `modelApiKey`; with its namespace if that is not the project's. */
  readonly key: string;
  /** Whether the line is a comment, as an import writes it. */
  readonly isComment: boolean;
}

/** `MODEL_API_KEY: config.requireSecret("modelApiKey")`, in any language, also with a namespace: `new pulumi.Config("agents")`. */
const inCode =
  /(?<![\w-])([A-Za-z_][\w-]*)(?:["']?\]?\s*[:=]|["']\s*,)\s*([\w. ]*)(?:\((?:["']([\w.-]+)["'])?\))?\.(?:require|get)_?secret\(\s*(?:\w+,\s*)?["'`]([\w.:-]+)["'`]/gi;
/** `other = new pulumi.Config("agents")`; `config.New(ctx, "agents")` in Go. */
const inConstructor =
  /(?<!\w)(\w+)(?:\s*:\s*[\w.]+)?\s*:?=\s*[\w. ]*\b(?:config|new)\(\s*(?:ctx,\s*)?(?:["'`]([\w.-]*)["'`])?\s*\)(?!\.)/gi;
/** `MODEL_API_KEY: ${config.modelApiKey}`, in a manifest. */
const inManifest = /([A-Za-z_][\w.-]*)["']?:\s*["']?\$\{config\.()()([\w.:-]+)\}/g;

export function declaredSecrets(texts: readonly string[]): DeclaredSecret[] {
  return texts.flatMap((text) => {
    const constructed = [...text.matchAll(inConstructor)];
    const namespaceOf = (config: string, at: number) =>
      constructed.findLast(({ 1: name, index }) => index < at && name === config)?.[2];
    return [...text.matchAll(inCode), ...text.matchAll(inManifest)].map(
      ({ 1: name, 2: config, 3: given, 4: key, index }) => {
        const namespace = given ?? namespaceOf(config!.replace(/^.*[ .]/, ""), index);
        return {
          name: name!,
          key: namespace ? `${namespace}:${key}` : key!,
          isComment: /^\s*(?:\/\/|#)/.test(text.slice(text.lastIndexOf("\n", index) + 1, index)),
        };
      },
    );
  });
}

const sources = /\.(?:[cm]?[jt]s|py|go|cs|java|ya?ml)$/;
const isStackFile = /^Pulumi\./;

/** The texts of the program's files, without those of its packages. */
export function programTexts(projectFile: string): string[] {
  const read = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const { name } = entry;
      if (entry.isDirectory())
        return name.startsWith(".") || /^(?:node_modules|venv|bin|obj)$/.test(name)
          ? []
          : read(join(folder, name));
      if (!entry.isFile() || !sources.test(name) || isStackFile.test(name)) return [];
      return [readFileSync(join(folder, name), "utf8")];
    });
  return read(dirname(projectFile));
}
