/** What to do next with a project for an agent: on the screen and in its README. */
import { join } from "node:path";
import { slashed } from "../agent/paths";
import { keeperOfName } from "../dialects";
import { withoutCli } from "../pulumi-cli";
import { sanitize } from "../text/sanitize";
import type { Agent } from "./agent";
import type { Declaration } from "./declaration";
import type { Repository } from "./repository";
import type { CiService, Kind } from "./request";
import { emulatorAddress, emulatorCommandLine, emulatorKey, type ProjectService } from "./service";
import { secretsScript } from "./set-secrets";
import type { ProjectStack } from "./stacks";
import { workflowsPath } from "./workflows";

export interface AgentProject {
  readonly agent: Agent;
  readonly service: ProjectService;
  readonly declaration: Declaration;
  /** Whether a script sets the secrets from the agent's variables. */
  readonly hasScript: boolean;
  readonly kind: Kind;
  readonly ci: CiService | undefined;
  /** Whether the workflows are in the agent's folder, whose ignore file excludes them. */
  readonly excludesWorkflows: boolean;
}

export function importFile(stack: string, { length }: readonly ProjectStack[]): string {
  return length === 1 ? "import.json" : `import.${stack}.json`;
}

/** The commands that deploy each stack, in the order in which they are typed. */
export function stackCommands({ declaration: { stacks }, hasScript }: AgentProject): string[] {
  const isOne = stacks.length === 1;
  return stacks.flatMap(({ stack, existing, isProtected }) => {
    const chosen = isOne ? "" : ` --stack ${stack}`;
    const setsSecrets = hasScript && existing === undefined;
    const protection = isProtected ? "" : " --protect=false";
    const importing = `pulumi import --file ${importFile(stack, stacks)} --generate-code=false`;
    return [
      `pulumi stack init ${stack}`,
      ...(setsSecrets ? [`sh ${secretsScript}${isOne ? "" : ` ${stack}`}`] : []),
      ...(existing === undefined ? [] : [importing + protection + chosen]),
      `pulumi preview${chosen}`,
      `pulumi up${chosen}`,
    ];
  });
}

/** The commands that deploy the first stack to the emulator, as another one; none if the user has chosen a service. */
export function trialCommands({ service, declaration: { stacks } }: AgentProject): string[] {
  if (service.from !== undefined || stacks.some(({ existing }) => existing !== undefined)) return [];
  return [
    `${emulatorCommandLine(service.dialect)}     # in another terminal`,
    `pulumi stack init try --copy-config-from ${stacks[0]!.stack}`,
    `pulumi config set deployment-service:baseUrl ${emulatorAddress}`,
    `pulumi config set deployment-service:apiKey ${emulatorKey}`,
    "pulumi up",
  ];
}

/** What the workflows need of the code host, the repository and the service. */
function workflowsText(
  { agent, declaration, service, ci, excludesWorkflows }: AgentProject,
  { defaultBranch }: Repository,
): string {
  const names = declaration.stacks.map(({ stack }) => `\`${stack}\``).join(", ");
  const note =
    ci === "gitlab"
      ? "The job `drift` runs in a pipeline schedule that you create."
      : `The workflows run for the branch \`${defaultBranch}\`.`;
  const ignoreFile = sanitize(slashed(join(agent.directory, ".dockerignore")));
  const excluding = excludesWorkflows
    ? ` \`${ignoreFile}\` excludes \`${workflowsPath[ci!]}\`, so that a change of the workflows makes no revision.`
    : "";
  return (
    `For the workflows, commit the project with the files that these commands wrote. Create the environments \`preview\`, ` +
    `\`drift\`, ${names}. Each needs the secret \`PULUMI_ACCESS_TOKEN\`, and all but \`preview\` also \`${service.keyVariable}\`. ` +
    `The state must be one that the workflows reach, such as Pulumi Cloud, not that of \`pulumi login --local\`. ` +
    `${note} \`node_modules/pulumi-deployment-service/examples/03-ci/README.md\` says more.${excluding}`
  );
}

/** @param commands that deploy it */
export function readme(project: AgentProject, commands: readonly string[], repository: Repository): string {
  const { agent, declaration, service, ci, kind, hasScript } = project;
  const names = declaration.stacks.map(({ stack, name }) => `\`${name}\` (stack \`${stack}\`)`).join(", ");
  const program = kind === "manifest" ? "deployments.yaml" : "index.ts";
  const isUnmanaged = declaration.secrets.size > 0 && declaration.stacks.some(({ existing }) => existing);
  const production = declaration.stacks.find(({ isProtected }) => isProtected)?.stack;
  const keeper = keeperOfName({}, service.dialect);
  const login = service.dialect.vendor?.profile.login;
  const trial = trialCommands(project);
  const paragraphs = [
    `# ${declaration.key}`,
    `Deploys \`${sanitize(agent.directory)}\` as ${names}. Change the agent, and the next preview shows a new revision. ${withoutCli}`,
    `First set \`${service.keyVariable}\` to the key of the service${login === undefined ? "" : `, or run \`${login}\``}: the stacks' files contain only the address, ${service.address}. ` +
      "Without a Pulumi account, also run `pulumi login --local`. Then:",
    ["```sh", "npm install", ...commands, "```"].join("\n"),
    isUnmanaged &&
      `The secrets of what runs already stay as the service has them. To manage them here, change \`${program}\` as the comment ` +
        `there says${hasScript ? `, run \`sh ${secretsScript} STACK\`` : ""}, then \`pulumi preview\` and \`pulumi up\`.`,
    hasScript &&
      `To rotate a secret${isUnmanaged ? " that is managed here" : ""}, edit ${agent.variables!.shownInProject}, then run ` +
        `\`sh ${secretsScript} STACK\` and \`pulumi up --stack STACK\`.`,
    production !== undefined &&
      `\`${production}\` is protected: Pulumi refuses to delete or replace its deployment until you remove \`protect\` ` +
        `from \`${program}\` and run \`pulumi up\`.`,
    ci && workflowsText(project, repository),
    keeper &&
      `\`pulumi destroy\` leaves ${keeper.what}, which keeps the name: to delete both, set \`${keeper.freedBy}: true\` and run ` +
        "`pulumi up` before.",
    trial.length > 0 && "To try it without an account, deploy it to the emulator:",
    trial.length > 0 && ["```sh", ...trial, "```"].join("\n"),
  ];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}
