/** A project that deploys an existing agent, with one stack or several. */
import { basename, join, relative } from "node:path";
import { stringify } from "yaml";
import { slashed } from "../../provider/agent/paths";
import { keysFor } from "../import/keys";
import { settingsTable } from "../../provider/settings/table";
import { sanitize } from "../../provider/text/sanitize";
import type { Dialect } from "../../provider/dialects";
import { readAgent, secretNames, usualFile, variablesFileOf, type Agent } from "./agent";
import { configOf, secretKeys, type Declaration } from "./declaration";
import { withExisting } from "./existing";
import { importFile, readme, stackCommands, type AgentProject } from "./guides";
import { chooseName } from "./name";
import { shellWord } from "../terminal/shell-word";
import { projectFiles, projectName, withNextSteps, type Files, type NewProject, type Place } from "./project";
import { gitRootOf, repositoryOf } from "./git-repository";
import type { Io, ParsedArguments } from "../command";
import { sampleOf } from "./sample-project";
import { serviceFor, type ProjectService } from "./project-service";
import { stackNames, stacksFor, type ProjectStack } from "./stacks";
import { filled, packageText } from "../files/package-texts";
import { workflowsFor, type CiService } from "./workflows";

/**
 * Looks for the agent's deployments if the environment has a connection. Reports what it finds and chooses.
 *
 * @param from the agent's folder, as the user wrote it
 */
export async function agentProject(
  from: string,
  flags: ParsedArguments["flags"],
  place: Place,
  io: Io,
): Promise<NewProject> {
  const { folder, dialect } = place;
  const agent = readAgent(from, folder, dialect.graphConfigFile, io);
  const service = serviceFor(dialect, io.env, agent.variables);
  const secrets = secretNames(agent, service.dialect, io);
  const chosen = chooseName(flags["name"], agent, io.env, dialect);
  const planned = stacksFor(stackNames(flags["stacks"]), chosen, service.dialect).map((each) => {
    if (agent.variables === undefined) return each;
    const file = slashed(relative(folder, variablesFileOf(each.stack, agent.variables)));
    const setSecrets = `npx pulumi-deployment-service secrets ${shellWord(file)} --stack ${each.stack}`;
    return { ...each, setSecrets };
  });
  const [key = ""] = keysFor([chosen.name]);
  for (const each of planned) {
    const inStack = planned.length === 1 ? "" : ` in the stack ${each.stack}`;
    io.stderr.write(`the deployment's name${inStack} is ${each.name} (from ${chosen.from})\n`);
  }
  io.stderr.write(notesFor(planned, service, agent, folder, io));
  const { settings } = service;
  const stacks = settings === undefined ? planned : await withExisting(planned, key, settings, io);
  const declaration = declarationFor(agent, key, stacks, secrets, dialect);
  const ci = flags["ci"] as CiService | undefined;
  const workflows = ci && {
    ci,
    repository: repositoryOf(folder, agent.root),
    folder,
    stacks: stacks.map(({ stack }) => stack),
    manifests: place.kind === "manifest" ? ["deployments.yaml"] : [],
    keyVariable: service.keyVariable,
  };
  const project: AgentProject = { place, agent, service, declaration, workflows };
  const commands = stackCommands(stacks);
  const imports = stacks.filter(({ existing }) => existing !== undefined);
  const files: Files = {
    ...projectFiles(projectName(`${key}-${basename(folder)}`), place, declaration),
    ...Object.fromEntries(
      declaration.stacks.map((each) => [`Pulumi.${each.stack}.yaml`, stackFile(each, project)]),
    ),
    ...Object.fromEntries(imports.map(({ stack, existing }) => [importFile(stack, stacks), existing!.file])),
    "AGENTS.md": packageText("examples/11-folder/AGENTS.md"),
    "README.md": readme(project, commands),
    ...(workflows && workflowsFor(workflows, io)),
  };
  const exporting = settings === undefined ? [`export ${service.keyVariable}=…`] : [];
  const more = "README.md says more.";
  return withNextSteps(files, place.name, [...exporting, ...commands], more);
}

/** What a user may want to change before the first `up`. */
function notesFor(
  stacks: readonly ProjectStack[],
  { address, from, keyVariable, settings }: ProjectService,
  { root, variables }: Agent,
  folder: string,
  { cwd }: Io,
): string {
  // Values of development are rarely meant for production.
  const sharing = stacks
    .map(({ stack }) => stack)
    .filter((stack) => variables && variablesFileOf(stack, variables) === variables.file);
  const isShared = sharing.length > 1 && Object.keys(variables!.values).length > 0;
  const shownAddress = sanitize(address);
  // A vendor's key is sent to the vendor's cloud, whatever the environment says.
  const isVendors = keyVariable !== settingsTable.apiKey.env;
  return filled("cli/init/templates/notes.txt", {
    // Reviewers and workflows see either the agent or the project that deploys it.
    directory: gitRootOf(root) !== gitRootOf(folder) && sanitize(slashed(relative(cwd, root)) || "."),
    inside: sanitize(slashed(relative(cwd, join(root, "infra")))),
    address: shownAddress,
    origin: from === undefined ? "" : ` (from ${sanitize(from)})`,
    names: settings === undefined && stacks.map(({ name }) => name).join(" or "),
    needed: isVendors ? keyVariable : `${settingsTable.baseUrl.env}=${shownAddress} and ${keyVariable}`,
    sharing: isShared && sharing.join(" and "),
    variables: variables?.shown,
    last: sharing.at(-1),
    ownFile: `${usualFile}.${sharing.at(-1)}`,
  }).replaceAll("\n\n", "\n");
}

function declarationFor(
  agent: Agent,
  key: string,
  stacks: readonly ProjectStack[],
  ofAgent: readonly string[],
  dialect: Dialect,
): Declaration {
  const isOne = stacks.length === 1;
  const named = stacks.map((each) => {
    const args = isOne && each.name === key ? each.args : { name: each.name, ...each.args };
    return { ...each, args };
  });
  const existing = stacks.flatMap((each) => each.existing ?? []);
  // Those of the deployments belong to the comment, which would lose them otherwise.
  const ofService = existing.length < stacks.length ? [] : existing.flatMap((each) => each.secrets);
  const names = new Set([...ofAgent, ...ofService.map((each) => each.name)]);
  const leftOut = existing.flatMap((each) => each.leftOut).map((each) => sanitize(each));
  return {
    key,
    shared: {
      source: "internal_source",
      sourceDirectory: agent.directory,
      sourceRevisionConfig: { graphConfigPath: dialect.graphConfigFile },
    },
    comment: [
      ...(isOne ? [] : ["Each stack has its own name, type and size."]),
      ...sampleOf("internal_source", dialect).comment,
      ...(leftOut.length === 0 ? [] : [`Stays on the service unchanged: ${leftOut.join(", ")}.`]),
    ],
    secrets: secretKeys([...names].sort(), named),
    stacks: named,
  };
}

/** Keys without a namespace are the project's. */
function stackFile(stack: ProjectStack, { place, declaration, service }: AgentProject): string {
  const { address, tenantId, keyVariable } = service;
  const config = {
    "deployment-service:baseUrl": address,
    ...(tenantId !== undefined && { "deployment-service:tenantId": tenantId }),
    ...(place.kind === "typescript" && declaration.stacks.length > 1 && configOf(stack)),
  };
  // Pulumi reads YAML 1.1, in which more words need quotes: `2026-11-27` is a time.
  const text = stringify({ config }, { schema: "yaml-1.1" });
  return `# The API key is not here: it comes from ${keyVariable}, or from a login.\n${text}`;
}
