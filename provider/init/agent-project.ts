/** A project that deploys an existing agent, with one stack or several. */
import { relative, join } from "node:path";
import { slashed } from "../agent/paths";
import { connect, type Connection } from "../control-plane/connect";
import { systemClock } from "../time/clock";
import { keysFor } from "../import/keys";
import { messageOf } from "../errors";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import type { Dialect } from "../dialects";
import { UsageError } from "../usage-error";
import type { AgentRequest, Caller } from "./request";
import { readAgent, secretNames, type Agent } from "./agent";
import { mergedArguments, secretKeys, type Declaration } from "./declaration";
import { withExisting } from "./existing";
import { chooseName } from "./name";
import { gitRootOf } from "./repository";
import { serviceFor, type ProjectService } from "./service";
import { secretsScript, secretsText } from "./set-secrets";
import { stackNames, stacksFor, type ProjectStack } from "./stacks";
import { typeComment } from "./project";
import { exampleText } from "./example";

export interface AgentProject {
  readonly agent: Agent;
  readonly service: ProjectService;
  readonly declaration: Declaration;
  /** Whether a script sets the secrets from the agent's variables. */
  readonly hasScript: boolean;
}

/**
 * Reads the agent, and looks for its deployments if the environment has a connection. Reports what it finds and chooses.
 *
 * @param folder of the project, absolute
 */
export async function planAgentProject(
  request: AgentRequest,
  folder: string,
  dialect: Dialect,
  io: Caller,
): Promise<AgentProject> {
  const agent = await readAgent(request.from, folder, dialect.graphConfigFile, io);
  checkPlace(agent, request.from);
  const service = serviceFor(dialect, io.env, agent.variables);
  const secrets = secretNames(agent, service.dialect, io);
  const chosen = chooseName(request.name, agent, io.env, dialect);
  const planned = stacksFor(stackNames(request.stacks), chosen, service.dialect);
  const [key = ""] = keysFor([chosen.name]);
  for (const { stack, name } of planned) {
    const inStack = planned.length === 1 ? "" : ` in the stack ${stack}`;
    io.stderr.write(`the deployment's name${inStack} is ${name} (from ${chosen.from})\n`);
  }
  reportOtherRepository(agent.root, folder, request.from, io);
  reportService(planned, service, io);
  const { settings } = service;
  const stacks =
    settings === undefined
      ? planned
      : await withThoseOnService(planned, key, connect(settings, systemClock, undefined, true), io);
  const declaration = declarationFor(agent, key, stacks, secrets, dialect);
  const hasScript = agent.variables !== undefined && declaration.secrets.size > 0;
  return { agent, service, declaration, hasScript };
}

/** A new project needs an empty folder. */
function checkPlace({ directory }: Agent, from: string): void {
  if (directory.startsWith("..")) return;
  throw new UsageError(
    `${sanitize(from)} is in the folder of the new project: create the project in the agent's folder instead, with ` +
      `\`init ${sanitize(slashed(join(from, "infra")))} --from ${sanitize(from)}\``,
  );
}

/** A project without a lookup is better than none: `up` never overwrites a deployment of the same name. */
async function withThoseOnService(
  stacks: readonly ProjectStack[],
  key: string,
  connection: Connection,
  io: Caller,
): Promise<readonly ProjectStack[]> {
  try {
    return await withExisting(stacks, key, connection, io);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    io.stderr.write(
      `cannot look for an existing deployment: ${sanitize(messageOf(error))}. If there is one, \`pulumi up\` fails and ` +
        "says how to take it over\n",
    );
    return stacks;
  }
}

function reportService(
  stacks: readonly ProjectStack[],
  { address, from, keyVariable, settings }: ProjectService,
  { stderr }: Pick<Caller, "stderr">,
): void {
  const shown = from === undefined ? "" : ` (from ${sanitize(from)})`;
  stderr.write(`the service is at ${sanitize(address)}${shown}\n`);
  if (settings !== undefined) return;
  const names = stacks.map(({ name }) => name).join(" or ");
  // A vendor's key is sent to the vendor's cloud, whatever the environment says.
  const needed =
    keyVariable === settingsTable.apiKey.env
      ? `set ${settingsTable.baseUrl.env}=${sanitize(address)} and ${keyVariable}`
      : `set ${keyVariable}`;
  stderr.write(`this did not look for an existing deployment ${names}: for that, first ${needed}\n`);
}

/** Reviewers and workflows see either the agent or the project that deploys it. */
function reportOtherRepository(agent: string, folder: string, from: string, io: Caller): void {
  const [itsRoot, ourRoot] = [gitRootOf(agent), gitRootOf(folder)];
  if (itsRoot === ourRoot) return;
  const inside = slashed(relative(io.cwd, join(agent, "infra")));
  io.stderr.write(
    `${sanitize(from)} is not in the repository of the project, so a change of the agent starts no workflow of the project, ` +
      `and they do not check it out: better create the project there, with \`init ${sanitize(inside)} --from ${sanitize(from)}\`\n`,
  );
}

function declarationFor(
  agent: Agent,
  key: string,
  stacks: readonly ProjectStack[],
  ofAgent: readonly string[],
  { graphConfigFile }: Dialect,
): Declaration {
  const isNamed = stacks.length > 1 || stacks[0]!.name !== key;
  const merged = mergedArguments(stacks.map(({ name, args }) => ({ ...(isNamed && { name }), ...args })));
  const { name, sourceConfig, ...others } = merged;
  const args = {
    ...(isNamed && { name }),
    source: "internal_source",
    sourceConfig,
    ...others,
    sourceDirectory: agent.directory,
    sourceRevisionConfig: { graphConfigPath: graphConfigFile },
  };
  const existing = stacks.filter((each) => each.existing !== undefined);
  // Those of the deployments belong to the comment, which would lose them otherwise.
  const ofService = existing.length < stacks.length ? [] : existing.flatMap((each) => each.existing!.secrets);
  const names = new Set([...ofAgent, ...ofService.map((each) => each.name)]);
  const leftOut = existing.flatMap((each) => each.existing!.leftOut).map((each) => sanitize(each));
  return {
    key,
    args,
    comments: {
      ...(stacks.length > 1 && { name: ["Each stack has its own name, type and size."] }),
      sourceConfig: [
        typeComment,
        ...(leftOut.length === 0 ? [] : [`Stays on the service unchanged: ${leftOut.join(", ")}.`]),
      ],
    },
    secrets: secretKeys([...names].sort(), args),
    stacks,
  };
}

/** What is in the project next to its program and its README. */
export function agentFiles(
  { agent: { variables }, declaration, hasScript }: AgentProject,
  folder: string,
): Record<string, string> {
  const { stacks, secrets } = declaration;
  const imports = stacks.flatMap(({ stack, existing }) =>
    existing === undefined ? [] : [[importFile(stack, stacks), existing.file] as const],
  );
  return {
    ...(hasScript && {
      [secretsScript]: secretsText(variables!, folder, secrets),
      // With the line ends of Windows, a shell would not read it.
      ".gitattributes": "*.sh text eol=lf\n",
    }),
    ...Object.fromEntries(imports),
    "AGENTS.md": exampleText("11-folder/AGENTS.md"),
  };
}

export function importFile(stack: string, { length }: readonly ProjectStack[]): string {
  return length === 1 ? "import.json" : `import.${stack}.json`;
}
