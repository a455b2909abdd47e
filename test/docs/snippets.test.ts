import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { check } from "../unit/manifest/support";
import { pages } from "./documents";
import { fencesIn } from "./markdown";

const root = resolve(__dirname, "../..");
mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache", "snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What every snippet may take for granted. */
const preamble =
  'import * as pulumi from "@pulumi/pulumi";\nconst config = new pulumi.Config();\nvoid config;\n';

describe.each(pages)("%s", (path) => {
  const markdown = readFileSync(path, "utf8");
  const fences = fencesIn(markdown);

  const snippets = fences.filter(({ language }) => language === "ts");

  it.runIf(snippets.length > 0)("has only programs that compile under --strict", () => {
    const files = snippets.map(({ text, line }) => {
      const file = join(folder, `${basename(path)}-line-${line}.ts`);
      writeFileSync(file, (/new pulumi\.Config/.test(text) ? "" : preamble) + text);
      return file;
    });
    expect(problemsIn(files)).toEqual([]);
  });

  const manifests = fences.filter(({ language, text }) => language === "yaml" && /^version: 1$/m.test(text));

  it.runIf(manifests.length > 0)("has only manifests without a problem", () => {
    const problems = manifests.flatMap(({ text }) => check(text).problems.map(({ message }) => message));
    expect(problems).toEqual([]);
  });

  it("names only scripts and files that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const shell = fences.filter(({ language }) => language === "sh").map(({ text }) => text);
    const named = shell.join("").matchAll(/^npm (?:run )?(?!install)(\w+)/gm);
    expect([...named].map(([, script]) => script).filter((script) => !(script! in scripts))).toEqual([]);
  });

  it("links only to headings and files of the repository and to the web", () => {
    const links = [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    const broken = links.filter((target) => {
      if (/^https:/.test(target)) return false;
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? path : resolve(dirname(path), file);
      if (anchor !== undefined) return !anchorsIn(linked).includes(anchor);
      return !ts.sys.fileExists(linked) && !ts.sys.directoryExists(linked);
    });
    expect(broken).toEqual([]);
  });
});

function anchorsIn(path: string): string[] {
  if (!ts.sys.fileExists(path)) return [];
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!));
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s/g, "-");
}

function problemsIn(files: string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
