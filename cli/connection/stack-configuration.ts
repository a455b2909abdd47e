/** Reads the configuration of a stack through the Pulumi CLI. */
import { z } from "zod";
import { projectFolderOf } from "../../provider/files/project-folder";
import { settingsTable } from "../../provider/settings/table";
import { parseJson } from "../../provider/text/json";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError, type Io } from "../command";
import { shellWord } from "../terminal/shell-word";
import { noCli, pulumi, type Answer } from "./pulumi-process";

export type StackConfiguration = ReturnType<typeof configurationIn>;

/** What a command to paste needs to be about the same stack, as the words at its end. */
export function stackWords(stack: string | undefined): string {
  return stack === undefined ? "" : ` --stack ${shellWord(stack)}`;
}

/** Throws a `UsageError` if the stack, the project or the Pulumi CLI is missing. */
export async function configurationOf(stack: string, io: Io, ms?: number): Promise<StackConfiguration> {
  if (projectFolderOf(io.cwd) === undefined) {
    throw new UsageError(
      `--stack ${sanitize(stack)} needs a project, but there is no Pulumi.yaml in ${sanitize(io.cwd)} or above it: run the ` +
        `command in the project's folder, or set ${settingsTable.baseUrl.env} and ${settingsTable.apiKey.env}`,
    );
  }
  return configurationIn(await pulumi(configWords(stack), io, ms), stack);
}

/** The selected stack's configuration; undefined without a project, a Pulumi CLI or a selected stack. */
export async function selectedConfiguration(io: Io, ms?: number): Promise<StackConfiguration | undefined> {
  if (projectFolderOf(io.cwd) === undefined) return undefined;
  const [stack, answer] = await Promise.all([selectedStack(io, ms), pulumi(configWords(), io, ms)]);
  return stack === undefined ? undefined : configurationIn(answer, stack);
}

/** The name of the selected stack; undefined without a project, a Pulumi CLI or a selected stack. */
export async function selectedStack(io: Io, ms?: number): Promise<string | undefined> {
  if (projectFolderOf(io.cwd) === undefined) return undefined;
  const { stdout, failure } = await pulumi(["stack", "--show-name"], io, ms);
  return failure === undefined ? stdout.trim() : undefined;
}

function configWords(stack?: string): string[] {
  return ["config", "--json", "--show-secrets", ...(stack === undefined ? [] : ["--stack", stack])];
}

const ConfigurationValue = z.object({
  value: z.string().optional(),
  objectValue: z.unknown().optional(),
  secret: z.boolean().optional(),
});
const Configuration = z.record(z.string(), ConfigurationValue);

/** Values are decrypted. Their keys have the namespace: `deployment-service:apiKey`. */
function configurationIn({ stdout, failure }: Answer, stack: string) {
  const shown = sanitize(stack);
  const next = failure === noCli ? "Install the Pulumi CLI" : "`pulumi stack ls` lists the project's stacks";
  const refuse = (reason: string) =>
    new UsageError(`cannot read the configuration of stack ${shown}: ${reason}. ${next}`);
  if (failure !== undefined) throw refuse(failure);
  const parsed = Configuration.safeParse(parseJson(stdout));
  // The output contains secrets, so none of it is shown.
  if (!parsed.success) throw refuse("`pulumi config --json` did not print a configuration");
  const values = new Map(Object.entries(parsed.data));
  const get = (key: string) => values.get(key)?.objectValue ?? values.get(key)?.value;
  return { stack: shown, values, get };
}
