import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { generateProgram } from "../manifest/generate/program";
import { report, toText } from "../manifest/render";
import { jsonOf } from "../presentable";
import { exitCodes, UsageError, type Command, type Io } from "./command";
import { checkFile } from "./manifest-file";
import { hasErrors, usesColor } from "./validate";

export const generate: Command = {
  name: "generate",
  summary: "Write a manifest as a TypeScript program",
  positionals: ["FILE"],
  flags: [
    { name: "stack", value: "NAME", doc: "Apply this stack's overlay" },
    { name: "out", value: "FILE", doc: "Write to a file instead of standard output" },
  ],
  examples: [
    ["deployment-service generate deployments.yaml", "see the program"],
    ["deployment-service generate deployments.yaml --stack prod --out index.ts", "go on in TypeScript"],
  ],
  async run({ positionals: [file = ""], flags, switches }, io) {
    // Nothing is read from the environment: the program does that.
    const checked = await checkFile(file, { stack: flags["stack"] }, io);
    const { source, problems, mask, root, view } = checked;
    const isSound = root !== undefined && view !== undefined && !hasErrors(checked);
    const program = isSound ? generateProgram(source, root, view) : undefined;
    if (switches.has("json")) {
      const reported = problems.map((problem) => report(source, problem));
      io.stdout.write(jsonOf({ problems: reported, program: program ?? null }));
    } else {
      io.stderr.write(toText(source, problems, { mask, color: usesColor(io) }));
      if (program !== undefined && flags["out"] === undefined) io.stdout.write(program);
    }
    if (program !== undefined && flags["out"] !== undefined) write(flags["out"], program, io);
    return program === undefined ? exitCodes.problems : exitCodes.done;
  },
};

function write(file: string, text: string, { cwd, stderr }: Io): void {
  try {
    writeFileSync(resolve(cwd, file), text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  stderr.write(`wrote ${file}\n`);
}
