import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { dialects, type Dialect } from "../dialects";
import type { Integration } from "../deployment/repository";
import { messageOf } from "../errors";
import { settingsTable } from "../settings/table";
import { jsonOf, sanitize } from "../text/sanitize";
import { packageFolder, version } from "../version";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "./command";
import { attempt } from "./files";
import { connectionOf, hasAddressAndKey } from "./connection";
import { agentFiles, agentProject } from "./init/agent-project";
import { branchText, instructions, readme, stackCommands, trialCommands } from "./init/guides";
import { joinText } from "./init/join";
import {
  agentStack,
  emulatorStack,
  firstDeployment,
  projectFiles,
  projectSources,
  type Kind,
  type Project,
  type ProjectSource,
} from "./init/project";
import { repositoryOf } from "./init/repository";
import { connectCommands, emulatorCommandLine, serviceFor } from "./init/service";
import { ciServices, workflowsFor } from "./init/workflows";

export const initCommand: Command = {
  name: "init",
  summary: "Create a project: for the emulator, or with --from for an agent that exists",
  positionals: ["[FOLDER]"],
  flags: [
    { name: "yaml", doc: "Declare deployments in a manifest instead of in TypeScript" },
    { name: "folder", doc: "Deploy a folder of source code, to the public service" },
    {
      name: "from",
      value: "FOLDER",
      doc: "Deploy an agent project that exists: a folder with langgraph.json, relative to the current one",
    },
    {
      name: "name",
      value: "NAME",
      doc: "With --from: the deployment's name (default: LANGSMITH_DEPLOYMENT_NAME, or the folder's name)",
    },
    {
      name: "stacks",
      value: "STACKS",
      doc: "With --from: several stacks, each with its own deployment: dev,prod. The last one has the plain name",
    },
    {
      name: "ci",
      value: "SERVICE",
      doc: "With --from: also the workflows that preview pull requests and apply what is merged",
      choices: ciServices,
    },
    {
      name: "source",
      value: "SOURCE",
      doc: "What the first deployment runs: an image (default, unless the dialect accepts folders) or a repository",
      choices: projectSources,
    },
    {
      name: "dialect",
      value: "NAME",
      doc: `The dialect of the service (default: ${settingsTable.dialect.default})`,
      choices: Object.keys(dialects),
    },
  ],
  examples: {
    "npx pulumi-deployment-service init chat": "a TypeScript project in the new folder chat",
    "npx pulumi-deployment-service init --yaml":
      "a project with a manifest, in this folder, which must be empty",
    "npx pulumi-deployment-service init agent --folder":
      "a project with a folder of source code that `up` deploys",
    "npx pulumi-deployment-service init --from .":
      "a project in the new folder infra that deploys the agent in this folder",
    "npx pulumi-deployment-service init infra --from agent --stacks dev,prod --ci github":
      "the same for the agent in the folder agent, with two stacks and workflows",
    "npx pulumi-deployment-service init chat --dialect langsmith --source codehost":
      "deploy a repository on the public service; finds its integration if the environment has the address and the key",
  },
  async run({ positionals: [given], flags, switches }, io) {
    const isFrom = flags["from"] !== undefined;
    const name = given ?? (isFrom && !isEmpty(io.cwd) ? usualFolder : ".");
    const folder = resolve(io.cwd, name);
    const kind: Kind = switches.has("yaml") ? "manifest" : "typescript";
    const isFolder = switches.has("folder") || isFrom || takesFolders(flags);
    const chosen = isFolder ? ofFolder(flags) : ofSource(flags);
    const made = isFrom
      ? await fromAgent(flags, { folder, name, kind, dialect: chosen.dialect }, io)
      : await fromNothing(flags, { folder, name, kind, ...chosen }, io);
    makeFolder(folder, name, flags["from"]);
    writeAll(folder, name, made.files);
    const files = Object.keys(made.files);
    if (switches.has("json")) io.stdout.write(jsonOf({ folder, files, next: made.commands }));
    else io.stdout.write(`Created ${sanitize(name)} with ${files.join(", ")}.\n\n${made.text}`);
    return exitCodes.done;
  },
};

/** Where a project goes that is next to its agent, or in its folder. */
const usualFolder = "infra";

interface Made {
  readonly files: Readonly<Record<string, string>>;
  /** What to type next. */
  readonly commands: readonly string[];
  readonly text: string;
}

interface Place {
  /** Absolute. */
  readonly folder: string;
  /** As the user wrote it. */
  readonly name: string;
  readonly kind: Kind;
  readonly dialect: Dialect;
}

async function fromNothing(
  flags: ParsedArguments["flags"],
  { folder, name, kind, source, dialect }: Place & { readonly source: ProjectSource },
  io: Io,
): Promise<Made> {
  for (const other of ["name", "ci", "stacks"])
    if (flags[other] !== undefined) throw new UsageError(`--${other} needs --from`);
  if (source === "external_container")
    for (const { property, reason } of serviceFor(dialect, {}).dialect.conflicts)
      if (property === "source") io.stderr.write(`note: the source ${reason}\n`);
  const integrations = source === "codehost" ? await integrationsOf(dialect, io) : [];
  const declaration = firstDeployment(source, dialect, integrations);
  const project: Project = { name: projectName(basename(folder)), kind, dialect, declaration };
  const commands = [
    ...intoFolder(name),
    `${emulatorCommandLine(dialect)}     # in another terminal; it stands in for the service`,
    "pulumi stack init dev",
    "pulumi up",
  ];
  return {
    files: {
      ...projectFiles(project, { dev: emulatorStack(project) }, version()),
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

async function fromAgent(
  flags: ParsedArguments["flags"],
  { folder, name, kind, dialect }: Place,
  io: Io,
): Promise<Made> {
  const isJoining = existsSync(join(folder, "Pulumi.yaml"));
  const made = await agentProject(flags, folder, dialect, isJoining, io);
  if (isJoining) {
    io.stdout.write(joinText(made.declaration, folder));
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
  const ci = ciServices.find((each) => each === flags["ci"]);
  const fitting = {
    folder,
    cwd: io.cwd,
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
      ...projectFiles(project, stackFiles, version()),
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

type Chosen = { readonly source: ProjectSource; readonly dialect: Dialect };

function ofSource(flags: ParsedArguments["flags"]): Chosen {
  return {
    source: projectSources.find((each) => each === flags["source"]) ?? projectSources[0],
    dialect: dialects[flags["dialect"] ?? settingsTable.dialect.default]!,
  };
}

/** The usual project for a service that accepts uploads. */
function takesFolders({ source, dialect }: ParsedArguments["flags"]): boolean {
  return (
    source === undefined && dialect !== undefined && dialects[dialect]!.paths.uploadAddress !== undefined
  );
}

/** A folder needs a dialect with uploads. */
function ofFolder(flags: ParsedArguments["flags"]): Chosen {
  if (flags["source"] !== undefined)
    throw new UsageError("--source is for an image or a repository, not for a folder");
  const taking = Object.values(dialects).filter(({ paths }) => paths.uploadAddress !== undefined);
  const given = flags["dialect"];
  const dialect = given === undefined ? taking[0] : taking.find(({ name }) => name === given);
  if (dialect === undefined)
    throw new UsageError(
      `--folder needs a dialect with uploads: ${taking.map(({ name }) => name).join(", ")}`,
    );
  return { source: "internal_source", dialect };
}

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Record<string, string> {
  const example = join(packageFolder() ?? ".", "examples/11-folder");
  const files = readdirSync(join(example, "agent")).map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(example, file), "utf8")]));
}

/** The integrations of the service in the environment. Failures are only reported: a project needs no integration. */
async function integrationsOf(dialect: Dialect, io: Io): Promise<readonly Integration[]> {
  if (dialect.paths.codehostIntegrations === undefined || !hasAddressAndKey(io)) return [];
  const env = { ...io.env, [settingsTable.dialect.env]: dialect.name };
  try {
    const { client } = await connectionOf({ flags: {} }, { ...io, env });
    return await client.integrations();
  } catch (error) {
    io.stderr.write(`cannot list the integrations: ${sanitize(messageOf(error))}\n`);
    return [];
  }
}

/** Reduced to what Pulumi and npm accept as a project name. */
function projectName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|(?<!-)-+$/g, "")
    .slice(0, 100);
  return name === "" ? "deployments" : name;
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0;
}

/** @param from the agent's folder, as the user wrote it */
function makeFolder(folder: string, name: string, from: string | undefined): void {
  const [first] = attempt(name, "write to", () => {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  });
  if (first === undefined) return;
  const inside = from && basename(folder) !== usualFolder && slashedJoin(name, usualFolder);
  throw new UsageError(
    `${sanitize(name)} is not empty: it contains ${sanitize(first)}; choose a new or empty folder` +
      (inside ? `: \`init ${sanitize(inside)} --from ${sanitize(from)}\`` : ""),
  );
}

function slashedJoin(...parts: string[]): string {
  return relative(".", join(...parts)).replaceAll("\\", "/");
}

function writeAll(folder: string, name: string, files: Readonly<Record<string, string>>): void {
  attempt(name, "write to", () => {
    // The flag never overwrites a file that was created in the meantime.
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
  });
}

function indent(command: string): string {
  return `  ${command}`;
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", `'\\''`)}'`;
}
