/** Editors: a program's text, a position in it, and the names that are offered there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type typescript from "typescript";

export interface Editor {
  /** What is offered at an offset of a program's text: properties and words, without names of the whole program. */
  completions(text: string, offset: number): Promise<readonly string[]>;
  /** What is shown of the name at an offset. */
  hover(text: string, offset: number): Promise<string>;
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

/** The language service that editors use up to TypeScript 6. `program.ts` in `folder` exists only in memory. */
export function languageService(typescriptFolder: string, folder: string): Promise<Editor> {
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
  return Promise.resolve({
    completions: (text, offset) => {
      change(text);
      const entries = service.getCompletionsAtPosition(file, offset, {})?.entries ?? [];
      return Promise.resolve(entries.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name));
    },
    hover: (text, offset) => {
      change(text);
      const { displayParts, documentation } = service.getQuickInfoAtPosition(file, offset) ?? {};
      return Promise.resolve([displayParts, documentation].map(ts.displayPartsToString).join("\n"));
    },
    close: () => service.dispose(),
  });
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** The language server of TypeScript 7, which has no language service to call. */
export async function languageServer(typescriptFolder: string, folder: string): Promise<Editor> {
  const server = spawn(process.execPath, [join(typescriptFolder, "bin/tsc"), "--lsp", "--stdio"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const waiting = new Map<number, (result: unknown) => void>();
  const ended = once(server, "exit").then(() => {
    throw new Error(`The language server of ${typescriptFolder} has ended`);
  });
  ended.catch(() => undefined);
  onMessages(server.stdout, ({ id, method, result }) => {
    if (id === undefined) return;
    // Requests by the server, which this editor cannot answer.
    if (method === undefined) waiting.get(id)?.(result);
    else send({ id, result: null });
  });
  let calls = 0;
  const call = (method: string, params: object) => {
    const answered = new Promise<unknown>((done) => {
      waiting.set((calls += 1), done);
      send({ id: calls, method, params });
    });
    return Promise.race([answered, ended]);
  };
  const uri = pathToFileURL(join(folder, "program.ts")).href;
  await call("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} });
  send({ method: "initialized", params: {} });
  const opened = { uri, languageId: "typescript", version: 0, text: "" };
  send({ method: "textDocument/didOpen", params: { textDocument: opened } });
  let version = 0;
  const callAt = (method: string, text: string, offset: number) => {
    const textDocument = { uri, version: (version += 1) };
    send({ method: "textDocument/didChange", params: { textDocument, contentChanges: [{ text }] } });
    const lines = text.slice(0, offset).split("\n");
    const position = { line: lines.length - 1, character: lines.at(-1)!.length };
    return call(`textDocument/${method}`, { textDocument: { uri }, position });
  };
  return {
    completions: async (text, offset) => {
      const found = await callAt("completion", text, offset);
      const { items } = (found ?? { items: [] }) as { items: { label: string; kind: number }[] };
      return items.filter(({ kind }) => lspKinds.includes(kind)).map(({ label }) => label.replace(/\?$/, ""));
    },
    hover: async (text, offset) => JSON.stringify(await callAt("hover", text, offset)),
    close: () => server.kill(),
  };
}

/** Method, field, and the constant by which a word is shown: numbers of the Language Server Protocol. */
const lspKinds = [2, 5, 21];

/** Each message of a stream of the Language Server Protocol: a header with its length, then JSON. */
function onMessages(stream: NodeJS.ReadableStream, receive: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  stream.on("data", (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const body = rest.indexOf("\r\n\r\n") + 4;
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, body).toString())?.[1]);
      if (body < 4 || rest.length < body + length) return;
      receive(JSON.parse(rest.subarray(body, body + length).toString()) as Message);
      rest = rest.subarray(body + length);
    }
  });
}
