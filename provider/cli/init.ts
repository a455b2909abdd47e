import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { dialectAt, dialects, type Dialect } from "../dialects";
import type { Integration } from "../deployment/repository";
import { messageOf } from "../errors";
import { readServiceRules } from "../settings/reading";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import { version } from "../version";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "./command";
import { readAgent } from "./agent";
import { ciBranch, importCommandLine } from "./agent-files";
import { existingFor } from "./agent-import";
import { ciFiles, ciServices } from "./ci-files";
import { attempt } from "./files";
import { projectFiles, projectSources, type Project } from "./project-files";
import {
  connectCommands,
  emulatorCommandLine,
  secretsScript,
  serviceOf,
  trialCommands,
  type ServiceOfProject,
} from "./project-service";
import { connectionOf, hasAddressAndKey } from "./connection";

export const initCommand: Command = {
  name: "init",
  summary: "Create a project that runs against the emulator right away",
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
      name: "ci",
      value: "SERVICE",
      doc: "With --from: also the workflows that preview pull requests and apply what is merged",
      choices: ciServices,
    },
    { name: "name", value: "NAME", doc: "With --from: the deployment's name (default: the folder's)" },
    {
      name: "source",
      value: "SOURCE",
      doc: "What the first deployment runs: an image (default, unless the dialect takes folders) or a repository",
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
    "npx pulumi-deployment-service init infra --from agent":
      "a project that deploys the agent project in the folder agent",
    "npx pulumi-deployment-service init chat --dialect langsmith --source codehost":
      "deploy a repository on the public service; finds its integration if the environment has the address and the key",
  },
  async run({ positionals: [name = "."], flags, switches }, io) {
    const folder = resolve(io.cwd, name);
    const isFolder = switches.has("folder") || flags["from"] !== undefined || takesFolders(flags);
    const { source, dialect } = isFolder ? ofFolder(flags) : ofSource(flags);
    if (source === "external_container")
      for (const { property, reason } of dialectAt(dialect, serviceOf({ dialect }).address).conflicts)
        if (property === "source") io.stderr.write(`note: the source ${reason}\n`);
    const address = addressIn(io, dialect);
    const agent = await agentIn(flags, folder, dialect, serviceOf({ dialect, address }), io);
    const project: Project = {
      name: agent === undefined ? projectName(folder) : projectName(`${agent.name}-${basename(folder)}`),
      kind: switches.has("yaml") ? "manifest" : "typescript",
      source,
      dialect,
      integrations: source === "codehost" ? await integrationsOf(dialect, io) : [],
      agent,
      ci: ciServices.find((each) => each === flags["ci"]),
      address: agent && address,
    };
    const { ci } = project;
    const isManifest = project.kind === "manifest";
    const workflows = ci && ciFiles(ci, { folder, isManifest, service: serviceOf(project), cwd: io.cwd });
    const files = { ...projectFiles(project, version()), ...workflows };
    makeFolder(folder, name);
    writeAll(folder, name, files);
    if (switches.has("json")) io.stdout.write(`${JSON.stringify({ folder, files: Object.keys(files) })}\n`);
    else io.stdout.write(nextSteps(name, Object.keys(files), project));
    return exitCodes.done;
  },
};

type Kind = Pick<Project, "source" | "dialect">;

function ofSource(flags: ParsedArguments["flags"]): Kind {
  return {
    source: projectSources.find((each) => each === flags["source"]) ?? projectSources[0],
    dialect: dialects[flags["dialect"] ?? settingsTable.dialect.default]!,
  };
}

async function agentIn(
  flags: ParsedArguments["flags"],
  folder: string,
  dialect: Dialect,
  service: ServiceOfProject,
  io: Io,
) {
  const { from, name } = flags;
  if (from !== undefined) {
    const agent = await readAgent(from, folder, name, dialectAt(dialect, service.address), io);
    return { ...agent, existing: await existingFor(agent, dialect, service, io) };
  }
  for (const other of ["name", "ci"])
    if (flags[other] !== undefined) throw new UsageError(`--${other} needs --from`);
  return undefined;
}

/** The address of the service in the environment, if that has a valid one. */
function addressIn({ env }: Io, dialect: Dialect): string | undefined {
  const rules = readServiceRules(undefined, { ...env, [settingsTable.dialect.env]: dialect.name });
  return "baseUrl" in rules ? rules.baseUrl : undefined;
}

/** The usual project for a service that takes uploads. */
function takesFolders({ source, dialect }: ParsedArguments["flags"]): boolean {
  return (
    source === undefined && dialect !== undefined && dialects[dialect]!.paths.uploadAddress !== undefined
  );
}

/** A folder needs a dialect with uploads. */
function ofFolder(flags: ParsedArguments["flags"]): Kind {
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

/** The folder's name, reduced to what Pulumi and npm accept as a project name. */
function projectName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "deployments" : name;
}

function makeFolder(folder: string, name: string): void {
  const [first] = attempt(name, "write to", () => {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  });
  if (first === undefined) return;
  throw new UsageError(
    `${sanitize(name)} is not empty: it contains ${sanitize(first)}; choose a new or empty folder`,
  );
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

function nextSteps(name: string, files: readonly string[], project: Project): string {
  const { agent, ci } = project;
  const trial = trialCommands(project);
  const commands =
    agent === undefined
      ? [
          `${emulatorCommandLine(project)}     # in another terminal; it stands in for the service`,
          "pulumi stack init dev",
          "pulumi up",
        ]
      : [
          "pulumi stack init dev",
          ...(agent.environmentFile === undefined ? [] : [`sh ${secretsScript}`]),
          `export ${serviceOf(project).keyVariable}=…`,
          ...(agent.existing === undefined ? [] : [importCommandLine]),
          "pulumi preview",
        ];
  const [later, more] =
    agent === undefined
      ? ["For the real service, create another stack and configure it:", connectCommands(project)]
      : [
          "To try it without an account of the service, deploy it to the emulator, in a stack of its own:",
          trial,
        ];
  return [
    `Created ${sanitize(name)} with ${files.join(", ")}.`,
    "",
    "Next:",
    ...[...(name === "." ? [] : [`cd ${quote(name)}`]), "npm install", ...commands].map(indent),
    "",
    "Without a Pulumi account, first run `pulumi login --local` and set PULUMI_CONFIG_PASSPHRASE to any value.",
    ...(ci === undefined ? [] : [`The state must then be one that the workflows reach too. ${ciBranch}`]),
    "",
    ...(more.length === 0 ? [] : [later, ...more.map(indent), ""]),
  ].join("\n");
}

function indent(command: string): string {
  return `  ${command}`;
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", `'\\''`)}'`;
}
