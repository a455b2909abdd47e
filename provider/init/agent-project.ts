/** A project that deploys an existing agent, with one stack or several. */
import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { stringify } from "yaml";
import { slashed } from "../agent/paths";
import { keysFor } from "../import/keys";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import type { Dialect } from "../dialects";
import { UsageError } from "../usage-error";
import { readAgent, secretNames, type Agent } from "./agent";
import { configOf, secretKeys, type Declaration } from "./declaration";
import { exampleText } from "./example";
import { withExisting } from "./existing";
import { importFile, readme, stackCommands, trialCommands, type AgentProject } from "./guides";
import { chooseName } from "./name";
import { projectFiles, projectName, withNextSteps, type NewProject } from "./project";
import { gitRootOf, repositoryOf } from "./repository";
import type { AgentRequest, Caller, Place } from "./request";
import { typeComment } from "./sample-project";
import { serviceFor, type ProjectService } from "./service";
import { secretsScript, secretsText } from "./set-secrets";
import { stackNames, stacksFor, type ProjectStack } from "./stacks";
import { ignoreLineFor, workflowsFor } from "./workflows";

/** Looks for the agent's deployments if the environment has a connection. Reports what it finds and chooses. */
export async function agentProject(
  { from, name, stacks: wanted, ci }: AgentRequest,
  place: Place,
  caller: Caller,
): Promise<NewProject> {
  const { folder, kind, dialect } = place;
  if (existsSync(join(folder, "Pulumi.yaml")))
    throw new UsageError(`${sanitize(place.name)} is a project already: declare the agent in its program`);
  const agent = await readAgent(from, folder, dialect.graphConfigFile, caller);
  const service = serviceFor(dialect, caller.env, agent.variables);
  const secrets = secretNames(agent, service.dialect, caller);
  const chosen = chooseName(name, agent, caller.env, dialect);
  const planned = stacksFor(stackNames(wanted), chosen, service.dialect);
  const [key = ""] = keysFor([chosen.name]);
  for (const each of planned) {
    const inStack = planned.length === 1 ? "" : ` in the stack ${each.stack}`;
    caller.stderr.write(`the deployment's name${inStack} is ${each.name} (from ${chosen.from})\n`);
  }
  reportOtherRepository(agent.root, folder, from, caller);
  reportService(planned, service, caller);
  const { settings } = service;
  const stacks = settings === undefined ? planned : await withExisting(planned, key, settings, caller);
  const declaration = declarationFor(agent, key, stacks, secrets, dialect);
  const hasScript = agent.variables !== undefined && declaration.secrets.size > 0;
  const repository = repositoryOf(folder, agent.root);
  const ignoreFile = join(agent.root, ".dockerignore");
  const excludesWorkflows = ci !== undefined && repository.root === agent.root;
  const added = excludesWorkflows ? await ignoreLineFor(ci, ignoreFile, dialect.archives!) : "";
  const project: AgentProject = { agent, service, declaration, hasScript, kind, ci, excludesWorkflows };
  const commands = stackCommands(project);
  const files = {
    ...projectFiles(
      projectName(`${key}-${basename(folder)}`),
      place,
      declaration,
      Object.fromEntries(declaration.stacks.map((each) => [each.stack, stackFile(each, project)])),
    ),
    ...(hasScript && {
      [secretsScript]: secretsText(agent.variables!, folder, declaration.secrets),
      // With the line ends of Windows, a shell would not read it.
      ".gitattributes": "*.sh text eol=lf\n",
    }),
    ...Object.fromEntries(
      stacks.flatMap(({ stack, existing }) =>
        existing === undefined ? [] : [[importFile(stack, stacks), existing.file]],
      ),
    ),
    "AGENTS.md": exampleText("11-folder/AGENTS.md"),
    "README.md": readme(project, commands, repository),
    ...(ci &&
      workflowsFor(ci, {
        ...{ folder, kind, cwd: caller.cwd, keyVariable: service.keyVariable, repository },
        stacks: stacks.map(({ stack }) => stack),
      })),
  };
  const explained = [
    ...(ci === undefined ? [] : ["what the workflows need"]),
    ...(trialCommands(project).length === 0 ? [] : ["how to try it without an account, on the emulator"]),
  ];
  const more = explained.length === 0 ? [] : [`README.md says ${explained.join(", and ")}.`];
  const exporting = settings === undefined ? [`export ${service.keyVariable}=…`] : [];
  const made = withNextSteps(files, place.name, [...exporting, ...commands], more, caller);
  return added === "" ? made : { ...made, additions: { [slashed(relative(folder, ignoreFile))]: added } };
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
  if (gitRootOf(agent) === gitRootOf(folder)) return;
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
      sourceRevisionConfig: { graphConfigPath: graphConfigFile },
    },
    comments: {
      ...(!isOne && { name: ["Each stack has its own name, type and size."] }),
      sourceConfig: [
        typeComment,
        ...(leftOut.length === 0 ? [] : [`Stays on the service unchanged: ${leftOut.join(", ")}.`]),
      ],
    },
    secrets: secretKeys([...names].sort(), named),
    secretsFile: agent.variables?.shownInProject,
    stacks: named,
  };
}

/** Keys without a namespace are the project's. */
function stackFile(stack: ProjectStack, { declaration, kind, service }: AgentProject): string {
  const { address, tenantId, keyVariable } = service;
  const config = {
    "deployment-service:baseUrl": address,
    ...(tenantId !== undefined && { "deployment-service:tenantId": tenantId }),
    ...(kind === "typescript" && declaration.stacks.length > 1 && configOf(stack)),
  };
  return `# The API key is not here: it comes from ${keyVariable}, or from a login.\n${stringify({ config })}`;
}
