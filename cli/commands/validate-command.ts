/** The command `validate`: checks a manifest without a network. */
import type { KnownDialect } from "../../provider/manifest/bindings";
import { problemsToText } from "../../provider/manifest/render";
import { projectFolderOf } from "../../provider/files/project-folder";
import { readSettings } from "../../provider/settings/reading";
import { settingsTable } from "../../provider/settings/table";
import { sanitize } from "../../provider/text/sanitize";
import { isPattern } from "../../schema/manifest";
import { asObject, valueAt } from "../../schema/tree";
import { didYouMeanText } from "../../schema/wording";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "../command";
import { checkFile, usualManifest, type CheckedFile } from "../files/manifest-file";
import { stacksIn } from "../files/stack-files";
import { toGithub, toJson } from "../files/problem-formats";

export const validateCommand: Command = async (args, io) => {
  const { positionals, flags, switches } = args;
  const format = switches.has("json") ? "json" : flags["format"];
  const [file = usualManifest] = positionals;
  const known = { stack: flags["stack"], env: io.env, dialect: dialectFor(args, io) };
  const checked = await checkFile(file, known, io);
  if (known.stack !== undefined && checked.view?.stack === undefined)
    reportUnknownStack(known.stack, checked, io);
  io.stdout.write(formatResult(checked, format));
  return hasErrors(checked) ? exitCodes.problems : exitCodes.done;
};

/** A stack needs no overlay, but a misspelt name would check what no stack uses. */
function reportUnknownStack(name: string, { root }: CheckedFile, { cwd, stderr }: Io): void {
  const project = projectFolderOf(cwd);
  const ofProject = project === undefined ? [] : stacksIn(project);
  if (ofProject.length === 0 || ofProject.includes(name)) return;
  const ofManifest = Object.keys(asObject(valueAt(root, ["stacks"]))).filter((each) => !isPattern(each));
  const stacks = [...new Set([...ofManifest, ...ofProject])];
  const suggestion = didYouMeanText(name, stacks) || `; they have ${stacks.join(", ")}`;
  stderr.write(`warning: neither the manifest nor the project has a stack ${sanitize(name + suggestion)}\n`);
}

/** The flag's dialect. Without the flag, the file's comes first, then the environment's, then the default. */
function dialectFor({ flags: { dialect } }: ParsedArguments, { env }: Io): KnownDialect {
  const chosen = dialect === undefined ? {} : { [settingsTable.dialect.env]: dialect };
  const { rules, problems } = readSettings(undefined, { ...env, ...chosen });
  if (rules === undefined)
    throw new UsageError(problems.find(({ setting }) => setting === "dialect")!.message);
  return { ...rules, is: dialect === undefined ? "default" : "chosen" };
}

export function hasErrors({ problems }: Pick<CheckedFile, "problems">): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function formatResult(checked: CheckedFile, format: string | undefined): string {
  const { source, problems, mask } = checked;
  if (format === "json") return toJson(source, problems);
  if (format === "github") return toGithub(source, problems);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "problem"), count(problems.length - errors, "warning")].filter(Boolean);
  const summary = counts.join(", ") || `${sanitize(source.file)}: no problems`;
  return `${problemsToText(source, problems, { mask })}${summary}\n`;
}

function count(number: number, noun: string): string {
  return number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
}
