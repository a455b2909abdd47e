/** The command `generate`: a manifest as a TypeScript program. */
import { dirname, relative, resolve } from "node:path";
import { generateProgram, isGeneratedProgram } from "../generate/program";
import { locateProblem, problemsToText } from "../../provider/manifest/render";
import { projectFileOf } from "../../provider/files/project-folder";
import { readRegularFile } from "../../provider/files/regular-file";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type Command, type Io } from "../command";
import { targetAt, textIn, write, type TargetFile } from "../files/written-file";
import { checkFile, usualManifest } from "../files/manifest-file";
import { hasErrors } from "./validate-command";

export const generateCommand: Command = async (
  { positionals: [file = usualManifest], flags, switches },
  io,
) => {
  const target = targetFor(flags["out"], io);
  // The program reads the environment at run time.
  const checked = await checkFile(file, { stack: flags["stack"] }, io);
  const { source, problems, mask, view } = checked;
  const isSound = view !== undefined && !hasErrors(checked);
  const program = isSound ? generateProgram(source, view, pathToManifest(file, flags["out"], io)) : undefined;
  if (switches.has("json")) {
    const reported = problems.map((problem) => locateProblem(source, problem));
    io.stdout.write(jsonOf({ problems: reported, program: program ?? null }));
  } else {
    io.stderr.write(problemsToText(source, problems, { mask }));
    if (program !== undefined && target === undefined) io.stdout.write(program);
  }
  if (program !== undefined && target !== undefined) {
    write([target, program]);
    io.stderr.write(`wrote ${sanitize(target.file)}\n`);
  }
  return program === undefined ? exitCodes.problems : exitCodes.done;
};

/** The path from the folder that the program runs in to the manifest's folder. */
function pathToManifest(file: string, out: string | undefined, { cwd }: Io): string {
  const folder = out === undefined ? cwd : dirname(resolve(cwd, out));
  const project = projectFileOf(folder);
  // With `main`, Pulumi runs the program in that folder.
  const hasMain = project && /^main:/m.test(readRegularFile(project).toString());
  const start = project === undefined || hasMain ? folder : dirname(project);
  return relative(start, dirname(resolve(cwd, file)));
}

/** The file to write. Throws if it exists and this command did not write it. */
function targetFor(out: string | undefined, io: Io): TargetFile | undefined {
  if (out === undefined) return undefined;
  const target = targetAt(out, io);
  const there = textIn(target) ?? "";
  if (there.trim() !== "" && !isGeneratedProgram(there)) {
    throw new UsageError(
      `${sanitize(out)} exists and was not written by this command: choose another name, or delete the file`,
    );
  }
  return target;
}
