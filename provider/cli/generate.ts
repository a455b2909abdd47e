import { resolve } from "node:path";
import { generateProgram, isProgram } from "../manifest/generate/program";
import { report, toText } from "../manifest/render";
import { jsonOf, sanitize } from "../text/sanitize";
import { exitCodes, UsageError, type Command, type Io } from "./command";
import { isSameFile, targetAt, textIn, writeFiles, type Target } from "./files";
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
    const target = targetFor(flags["out"], file, io);
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
      if (program !== undefined && target === undefined) io.stdout.write(program);
    }
    if (program !== undefined && target !== undefined) {
      writeFiles([[target, program]]);
      io.stderr.write(`wrote ${sanitize(target.file)}\n`);
    }
    return program === undefined ? exitCodes.problems : exitCodes.done;
  },
};

/** Where to write the program, which never takes the place of the manifest. */
function targetFor(out: string | undefined, manifest: string, io: Io): Target | undefined {
  if (out === undefined) return undefined;
  const target = targetAt(out, io);
  if (manifest !== "-" && isSameFile(target, { file: manifest, path: resolve(io.cwd, manifest) })) {
    throw new UsageError("--out names the manifest itself, which the program would overwrite");
  }
  const there = textIn(target) ?? "";
  if (there.trim() !== "" && !isProgram(there)) {
    throw new UsageError(
      `${sanitize(out)} exists and was not written by this command: choose another name, or remove it`,
    );
  }
  return target;
}
