/** A new project: its files, and what to type next. */
import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { findingsOf } from "../dialects/service-rules";
import { keysFor } from "../import/keys";
import { typedCommands } from "../pulumi-cli";
import { sanitize } from "../text/sanitize";
import { UsageError } from "../usage-error";
import { agentFiles, planAgentProject } from "./agent-project";
import { exampleFiles, exampleText } from "./example";
import { readme, repositoryText, stackCommands, trialCommands } from "./guides";
import { slug, usualName } from "./name";
import {
  stackFileFor,
  emulatorStackFile,
  sampleDeclaration,
  projectFiles,
  type Project,
  type ProjectSource,
} from "./project";
import { repositoryOf } from "./repository";
import type { AgentRequest, Caller, Place } from "./request";
import { connectCommands, emulatorCommandLine, serviceFor } from "./service";
import { workflowsFor } from "./workflows";

type Files = Readonly<Record<string, string>>;

export interface NewProject {
  /** By path, relative to the project's folder. */
  readonly files: Files;
  /** What to type next. */
  readonly commands: readonly string[];
  /** The same for people. */
  readonly text: string;
}

/** With a first deployment, which is to be replaced. */
export function sampleProject(
  source: ProjectSource,
  { folder, name, kind, dialect }: Place,
  caller: Pick<Caller, "stderr" | "env">,
): NewProject {
  for (const { property, reason } of findingsOf({ source }, serviceFor(dialect, {}).dialect, false))
    if (property === "source") caller.stderr.write(`note: the source ${reason}\n`);
  // Projects of one workspace are in folders of other names.
  const [key = ""] = keysFor([usualName(basename(folder))]);
  const declaration = sampleDeclaration(key, source, dialect);
  const project: Project = { name: projectName(basename(folder)), kind, dialect, declaration };
  const files = {
    ...projectFiles(project, { dev: emulatorStackFile(project) }),
    ...(source === "internal_source" && exampleAgent()),
  };
  const commands = [
    ...intoFolder(name),
    `${emulatorCommandLine(dialect)}     # in another terminal; it stands in for the service`,
    "pulumi stack init dev",
    "pulumi up",
  ];
  const connecting = typedCommands(connectCommands(dialect), caller.env).map(indent);
  const more = ["For the real service, create another stack and configure it:", ...connecting, ""];
  return withNextSteps(files, commands, more, caller);
}

/** For an agent that exists. */
export async function newAgentProject(
  request: AgentRequest,
  place: Place,
  caller: Caller,
): Promise<NewProject> {
  const { folder, name, kind, dialect } = place;
  if (existsSync(join(folder, "Pulumi.yaml")))
    throw new UsageError(`${sanitize(name)} is a project already: declare the agent in its program`);
  const made = await planAgentProject(request, folder, dialect, caller);
  const { declaration, service } = made;
  const { stacks } = declaration;
  const project = { name: projectName(`${declaration.key}-${basename(folder)}`), kind, dialect, declaration };
  const stackFiles = Object.fromEntries(
    stacks.map(({ stack }, at) => [stack, stackFileFor(declaration, kind, at, service)]),
  );
  const repository = repositoryOf(folder, made.agent.root);
  const { ci } = request;
  if (ci !== undefined && repository.isMissing)
    caller.stderr.write(
      `there is no git repository yet, and a code host reads the workflows only in the root of one: run \`git init -b ` +
        `${repository.defaultBranch}\` in ${sanitize(relative(caller.cwd, repository.root) || ".")}\n`,
    );
  const files = {
    ...projectFiles(project, stackFiles),
    ...agentFiles(made, folder),
    "README.md": readme(made, kind, ci, repository),
    ...(ci && workflowsFor(ci, { place, cwd: caller.cwd, service, stacks, repository })),
  };
  const commands = [
    ...intoFolder(name),
    ...(service.settings !== undefined ? [] : [`export ${service.keyVariable}=…`]),
    ...stackCommands(made).flat(),
  ];
  const more = [
    ...(ci === undefined
      ? []
      : [
          `With the workflows, the state must be one that they reach too, such as Pulumi Cloud.${repositoryText(ci, repository, made.agent)} ` +
            "The project's README says which environments they need.",
          "",
        ]),
    ...(trialCommands(made, kind).length === 0
      ? []
      : ["README.md says how to try it without an account, on the emulator."]),
  ];
  return withNextSteps(files, commands, more, caller);
}

function withNextSteps(
  files: Files,
  steps: readonly string[],
  more: readonly string[],
  { env }: Pick<Caller, "env">,
): NewProject {
  const login = typedCommands(["pulumi login --local"], env)[0]!;
  const commands = typedCommands(steps, env);
  const text = [
    `Next (without a Pulumi account, first run \`${login}\` and set PULUMI_CONFIG_PASSPHRASE to any value):`,
    ...commands.map(indent),
    "",
    ...more,
    "",
  ];
  return { files, commands, text: text.join("\n") };
}

/** Reduced to what Pulumi and npm accept as a project name. */
function projectName(text: string): string {
  return slug(text, "_-").slice(0, 100) || "deployments";
}

function intoFolder(name: string): string[] {
  const isPlain = /^[\w./-]+$/.test(name);
  const shown = isPlain ? name : `'${sanitize(name).replaceAll("'", `'\\''`)}'`;
  return [...(name === "." ? [] : [`cd ${shown}`]), "npm install"];
}

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Files {
  const files = exampleFiles("11-folder/agent").map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, exampleText(`11-folder/${file}`)]));
}

function indent(command: string): string {
  return `  ${command}`;
}
