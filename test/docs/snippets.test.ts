import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { pages, pathOf, read } from "./documents";
import { fencesIn } from "./markdown";

const cache = pathOf(".cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Declarations that every snippet may use. */
const preamble =
  'import * as pulumi from "@pulumi/pulumi";\nconst config = new pulumi.Config();\nvoid config;\n';

it("the documents have only programs that compile under --strict", () => {
  const files = pages.flatMap((page) => {
    const snippets = fencesIn(read(page)).filter(({ language }) => language === "ts");
    return snippets.map(({ text, line }) => {
      const file = join(folder, `${page.replaceAll("/", "-")}-line-${line}.ts`);
      writeFileSync(file, (/new pulumi\.Config|import \* as pulumi/.test(text) ? "" : preamble) + text);
      return file;
    });
  });
  expect(files.length).toBeGreaterThan(10);
  expect(
    problemsIn([...files, ...["docker", "langsmith"].map((name) => pathOf(`test/docs/${name}.d.ts`))]),
  ).toEqual([]);
});

function problemsIn(files: string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: ["node"],
    typeRoots: [pathOf("node_modules/@types")],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
