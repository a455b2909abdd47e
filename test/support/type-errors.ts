/** Errors of the compiler in programs that use the package, compiled together. */
import { basename, resolve } from "node:path";
import ts from "typescript";

const root = resolve(__dirname, "../..");

/** `program-0.ts(3): message`, below --strict. */
export function typeErrorsIn(programs: readonly string[]): string[] {
  const files = new Map(programs.map((text, index) => [resolve(root, `examples/program-${index}.ts`), text]));
  const options: ts.CompilerOptions = {
    strict: true,
    // Stricter than most programs are.
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    esModuleInterop: true,
    types: ["node"],
    baseUrl: root,
    paths: { "pulumi-deployment-service": ["provider/index.ts"] },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const program = ts.createProgram([...files.keys()], options, host);
  // Only the modules that the programs use.
  return [...files.keys()]
    .map((path) => program.getSourceFile(path))
    .flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ])
    .map(({ file, start, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${basename(file?.fileName ?? "")}(${line}): ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
}
