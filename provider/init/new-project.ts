/** A new project: its files, and what to type next. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { keysFor } from "../import/keys";
import { sanitize } from "../text/sanitize";
import { UsageError } from "../usage-error";
import { packageFolder } from "../version";
import { agentFiles, agentProject } from "./agent-project";
import { branchText, instructions, readme, stackCommands, trialCommands } from "./guides";
import { joinText } from "./join";
import { slug, usualName } from "./name";
import {
  agentStack,
  emulatorStack,
  firstDeployment,
  projectFiles,
  type Project,
  type ProjectSource,
} from "./project";
import { repositoryOf } from "./repository";
import type { AgentRequest, Caller, Place } from "./request";
import { connectCommands, emulatorCommandLine, serviceFor } from "./service";
import { workflowsFor } from "./workflows";

export interface NewProject {
  /** By path, relative to the project's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** What to type next. */
  readonly commands: readonly string[];
  /** The same for people. */
  readonly text: string;
}

/** With a first deployment, which is to be replaced. */
export function sampleProject(
  source: ProjectSource,
  { folder, name, kind, dialect }: Place,
  caller: Pick<Caller, "stderr">,
): NewProject {
  if (source === "external_container")
    for (const { property, reason } of serviceFor(dialect, {}).dialect.conflicts)
      if (property === "source") caller.stderr.write(`note: the source ${reason}\n`);
  // Projects of one workspace are in folders of other names.
  const [key = ""] = keysFor([usualName(basename(folder))]);
  const declaration = firstDeployment(key, source, dialect);
  const project: Project = { name: projectName(basename(folder)), kind, dialect, declaration };
  const commands = [
    ...intoFolder(name),
    `${emulatorCommandLine(dialect)}     # in another terminal; it stands in for the service`,
    "pulumi stack init dev",
    "pulumi up",
  ];
  return {
    files: {
      ...projectFiles(project, { dev: emulatorStack(project) }),
      ...(source === "internal_source" && exampleAgent()),
    },
    commands,
    text: [
      ...nextText(commands, ""),
      "For the real service, create another stack and configure it:",
      ...connectCommands(dialect).map(indent),
      "",
      "",
    ].join("\n"),
  };
}

/**
 * For an agent that exists.
 *
 * @param show prints what to add to the folder, if it is a project already
 * @throws UsageError in that case
 */
export async function newAgentProject(
  request: AgentRequest,
  { folder, name, kind, dialect }: Place,
  caller: Caller,
  show: (text: string) => void,
): Promise<NewProject> {
  const isJoining = existsSync(join(folder, "Pulumi.yaml"));
  const made = await agentProject(request, folder, dialect, isJoining, caller);
  if (isJoining) {
    show(joinText(made.declaration, folder));
    throw new UsageError(
      `${sanitize(name)} is a project already, and nothing was written: add the deployment to it as shown above`,
    );
  }
  const { declaration, service, stacks } = made;
  const project: Project = {
    name: projectName(`${declaration.key}-${basename(folder)}`),
    kind,
    dialect,
    declaration,
  };
  const stackFiles = Object.fromEntries(
    stacks.map(({ stack }, at) => [stack, agentStack(declaration, kind, at, service)]),
  );
  const repository = repositoryOf(folder);
  const branch = repository?.defaultBranch ?? "main";
  const { ci } = request;
  const fitting = {
    folder,
    cwd: caller.cwd,
    isManifest: kind === "manifest",
    keyVariable: service.keyVariable,
    stacks: stacks.map(({ stack }) => stack),
    repository,
  };
  const trial = trialCommands(made, kind);
  const commands = [
    ...intoFolder(name),
    ...(service.settings !== undefined ? [] : [`export ${service.keyVariable}=…`]),
    ...stackCommands(made).flat(),
  ];
  const shared =
    ci === undefined
      ? ""
      : `The state must then be one that the workflows reach too.${branchText(ci, branch)} The project's README says which environments they need.`;
  return {
    files: {
      ...projectFiles(project, stackFiles),
      ...agentFiles(made, folder),
      "README.md": readme(made, kind, ci, branch),
      "AGENTS.md": instructions(made, kind),
      ...(ci && workflowsFor(ci, fitting)),
    },
    commands,
    text: [
      ...nextText(commands, shared),
      ...(trial.length === 0
        ? []
        : [
            "To try it without an account of the service, deploy it from its folder to the emulator, in a separate stack:",
            ...trial.map(indent),
            "",
          ]),
      "",
    ].join("\n"),
  };
}

/** Reduced to what Pulumi and npm accept as a project name. */
function projectName(text: string): string {
  return slug(text, "_-").slice(0, 100) || "deployments";
}

function intoFolder(name: string): string[] {
  return [...(name === "." ? [] : [`cd ${quote(name)}`]), "npm install"];
}

function nextText(commands: readonly string[], shared: string): string[] {
  return [
    "Next (without a Pulumi account, first run `pulumi login --local` and set PULUMI_CONFIG_PASSPHRASE to any value):",
    ...commands.map(indent),
    "",
    ...(shared === "" ? [] : [shared, ""]),
  ];
}

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Record<string, string> {
  const example = join(packageFolder() ?? ".", "examples/11-folder");
  const files = readdirSync(join(example, "agent")).map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(example, file), "utf8")]));
}

function indent(command: string): string {
  return `  ${command}`;
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", `'\\''`)}'`;
}
