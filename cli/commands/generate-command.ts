/** The command `generate`: a manifest as a TypeScript program. */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { generateProgram, isGeneratedProgram } from "../generate/program";
import { entriesOf, nodeAt } from "../../provider/manifest/node";
import { locateProblem, problemsToText } from "../../provider/manifest/render";
import { projectFolderOf } from "../../provider/files/project-folder";
import { readRegularFile } from "../../provider/files/regular-file";
import { firstOf } from "../../provider/text/first-of";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type Command, type Io } from "../command";
import { targetAt, textIn, write, type TargetFile } from "../files/written-file";
import { checkFile, usualManifest, type CheckedFile } from "../files/manifest-file";
import { hasErrors, hasColor } from "./validate-command";

export const generateCommand: Command = {
  name: "generate",
  summary: "Write a manifest as a TypeScript program",
  positionals: ["[FILE]"],
  flags: [
    { name: "stack", value: "NAME", doc: "Apply this stack's overlay" },
    { name: "out", value: "FILE", doc: "Write to a file instead of standard output" },
  ],
  examples: {
    "npx pulumi-deployment-service generate": "see the program",
    "npx pulumi-deployment-service generate deployments.yaml --stack prod --out index.ts":
      "continue in TypeScript",
  },
  async run({ positionals: [file = usualManifest], flags, switches }, io) {
    const target = targetFor(flags["out"], io);
    // The program reads the environment at run time.
    const checked = await checkFile(file, { stack: flags["stack"] }, io);
    const { source, problems, mask, root, view } = checked;
    const isSound = root !== undefined && view !== undefined && !hasErrors(checked);
    const program = isSound
      ? generateProgram(source, root, view, pathToManifest(file, flags["out"], io))
      : undefined;
    const next = program === undefined ? [] : nextSteps(checked, resolve(io.cwd, flags["out"] ?? "index.ts"));
    if (switches.has("json")) {
      const reported = problems.map((problem) => locateProblem(source, problem));
      io.stdout.write(jsonOf({ problems: reported, program: program ?? null, next }));
    } else {
      io.stderr.write(problemsToText(source, problems, { mask, color: hasColor(io) }));
      if (program !== undefined && target === undefined) io.stdout.write(program);
    }
    if (program !== undefined && target !== undefined) {
      write([target, program]);
      io.stderr.write(`wrote ${sanitize(target.file)}\n`);
    }
    if (!switches.has("json")) for (const each of next) io.stderr.write(`${each}\n`);
    return program === undefined ? exitCodes.problems : exitCodes.done;
  },
};

/** What it takes to run the program, and the other stacks. */
function nextSteps({ root, view }: CheckedFile, program: string): string[] {
  const stack = view?.stack?.name;
  const others = [...entriesOf(nodeAt(root, "stacks")).keys()].filter((each) => each !== stack);
  const isProject = existsSync(join(dirname(program), "tsconfig.json"));
  const which = stack === undefined ? "has no stack's overlay" : `is for stack ${sanitize(stack)}`;
  return [
    ...(isProject
      ? []
      : [
          `to run the program: \`npm install @pulumi/pulumi pulumi-deployment-service typescript\`, a Pulumi.yaml ` +
            `with \`runtime: nodejs\`, and "main": ${JSON.stringify(sanitize(basename(program)))} in package.json`,
        ]),
    ...(others.length === 0
      ? []
      : [`the program ${which}: with --stack, generate another one for ${sanitize(firstOf(others))}`]),
  ];
}

/** The path from the folder that the program runs in to the manifest's folder. */
function pathToManifest(file: string, out: string | undefined, { cwd }: Io): string {
  const folder = out === undefined ? cwd : dirname(resolve(cwd, out));
  const project = projectFolderOf(folder);
  // With `main`, Pulumi runs the program in that folder.
  const settings = project && join(project, "Pulumi.yaml");
  const hasMain = settings && existsSync(settings) && /^main:/m.test(readRegularFile(settings).toString());
  return relative(hasMain ? folder : (project ?? folder), dirname(resolve(cwd, file)));
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
