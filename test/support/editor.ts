/** Editors: a program's text, a position in it, and the names that are offered there. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type typescript from "typescript";

export interface Editor {
  /** What is offered at an offset of a program's text: properties and words, without names of the whole program. */
  completions(text: string, offset: number): readonly string[];
  /** What is shown of the name at an offset. */
  hover(text: string, offset: number): string;
  close(): void;
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2022",
  module: "node16",
  moduleResolution: "node16",
  types: [],
};

/** The language service of a TypeScript, as editors use it. `program.ts` in `folder` exists only in memory. */
export function openEditor(typescriptFolder: string, folder: string): Editor {
  const ts = createRequire(__filename)(typescriptFolder) as typeof typescript;
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);
  const file = join(folder, "program.ts");
  let current = "";
  let version = 0;
  const { fileExists, readFile, readDirectory, directoryExists, getDirectories, realpath } = ts.sys;
  const textOf = (path: string) => (path === file ? current : readFile(path));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (of) => ts.getDefaultLibFilePath(of),
    fileExists: (path) => path === file || fileExists(path),
    readFile: textOf,
    ...{ readDirectory, directoryExists, getDirectories, ...(realpath && { realpath }) },
  });
  const { memberVariableElement, memberFunctionElement, string } = ts.ScriptElementKind;
  const kinds = [memberVariableElement, memberFunctionElement, string];
  const change = (text: string) => {
    current = text;
    version += 1;
  };
  return {
    completions: (text, offset) => {
      change(text);
      const entries = service.getCompletionsAtPosition(file, offset, {})?.entries ?? [];
      return entries.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
    },
    hover: (text, offset) => {
      change(text);
      const { displayParts, documentation } = service.getQuickInfoAtPosition(file, offset) ?? {};
      return [displayParts, documentation].map(ts.displayPartsToString).join("\n");
    },
    close: () => service.dispose(),
  };
}
