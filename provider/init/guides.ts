/** What to do next with a project for an agent: on the screen and in its README. */
import { asObject } from "../../schema/tree";
import { join } from "node:path";
import { slashed } from "../agent/paths";
import { withoutCli } from "../pulumi-cli";
import { sanitize } from "../text/sanitize";
import type { Agent } from "./agent";
import { importFile, type AgentProject } from "./agent-project";
import type { Repository } from "./repository";
import type { CiService, Kind } from "./request";
import { emulatorAddress, emulatorCommandLine, emulatorKey } from "./service";
import { secretsScript } from "./set-secrets";

/** One group of commands for each stack, in the order in which they are typed. */
export function stackCommands({ declaration, hasScript }: AgentProject): string[][] {
  const { stacks } = declaration;
  const isOne = stacks.length === 1;
  return stacks.map(({ stack, existing, isProtected }) => {
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

/** The commands that deploy it to the emulator, in another stack; none if the user has chosen a service. */
export function trialCommands({ service, declaration, hasScript }: AgentProject, kind: Kind): string[] {
  const { stacks } = declaration;
  if (service.from !== undefined || stacks.some(({ existing }) => existing !== undefined)) return [];
  // A manifest, or a program for one stack, declares them itself.
  const [first] = stacks.length > 1 && kind === "typescript" ? stacks : [];
  const own = first && { name: first.name, ...asObject(first.args["sourceConfig"]) };
  return [
    `${emulatorCommandLine(service.dialect)}     # in another terminal`,
    "pulumi stack init try",
    `pulumi config set deployment-service:baseUrl ${emulatorAddress}`,
    `pulumi config set deployment-service:apiKey ${emulatorKey}`,
    ...Object.entries(own ?? {}).map(([key, value]) => `pulumi config set ${key} ${value}`),
    ...(hasScript ? [`sh ${secretsScript} try`] : []),
    "pulumi up",
  ];
}

/** What the repository needs for its workflows, and the branch that they run for if their code host does not say itself. */
export function repositoryText(ci: CiService, { root, defaultBranch }: Repository, agent: Agent): string {
  const [files, branch] =
    ci === "gitlab"
      ? [".gitlab-ci.yml", ""]
      : [".github/", ` The workflows run for the branch \`${defaultBranch}\`.`];
  if (root !== agent.root) return branch;
  const ignored = sanitize(slashed(join(agent.directory, ".dockerignore")));
  return `${branch} Add the line \`${files}\` to \`${ignored}\`: otherwise, a change of the workflows makes a revision.`;
}

function workflowsText(
  { agent, declaration, service }: AgentProject,
  ci: CiService,
  repository: Repository,
): string {
  const names = declaration.stacks.map(({ stack }) => `\`${stack}\``).join(", ");
  const scheduled = ci === "gitlab" ? " The job `drift` runs in a pipeline schedule that you create." : "";
  return (
    `Commit the project with the files that these commands wrote. Create the environments that the workflows use: \`preview\`, ` +
    `\`drift\`, ${names}. Each needs the secret \`PULUMI_ACCESS_TOKEN\`, and all but \`preview\` also \`${service.keyVariable}\`. ` +
    `The state must be one that the workflows reach, such as Pulumi Cloud, not that of \`pulumi login --local\`.${scheduled} ` +
    `\`node_modules/pulumi-deployment-service/examples/03-ci/README.md\` says more.` +
    repositoryText(ci, repository, agent)
  );
}

export function readme(
  project: AgentProject,
  kind: Kind,
  ci: CiService | undefined,
  repository: Repository,
): string {
  const { agent, declaration, service } = project;
  const isUnmanaged = declaration.secrets.size > 0 && declaration.stacks.some(({ existing }) => existing);
  const kept =
    "The secrets of what runs already stay as they are, until you change what the comment next to `secrets` says.";
  const steps = [
    `\`npm install\`${ci === undefined ? ". Without a Pulumi account, run `pulumi login --local`" : ""}.`,
    `The key of the service: set \`${service.keyVariable}\`, or log in with \`langsmith login\`. The stacks' files contain its address: ${service.address}.`,
    ...stackCommands(project).map((commands) => `${commands.map((each) => `\`${each}\``).join(", then ")}.`),
    ...(isUnmanaged ? [kept] : []),
    ...(ci === undefined ? [] : [workflowsText(project, ci, repository)]),
  ];
  const names = declaration.stacks.map(({ stack, name }) => `\`${name}\` (stack \`${stack}\`)`).join(", ");
  const trial = trialCommands(project, kind);
  return [
    `# ${declaration.key}`,
    "",
    `Deploys \`${sanitize(agent.directory)}\` as ${names}. Change the agent, and the next preview shows a new revision. ${withoutCli}`,
    "",
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    "",
    "`pulumi destroy` leaves the tracing project, which keeps the name: before you create the deployment again, set " +
      "`deleteTracingProject: true` and run `pulumi up`, then destroy.",
    "",
    ...(trial.length === 0
      ? []
      : ["To try it without an account, deploy it to the emulator:", "", "```sh", ...trial, "```", ""]),
  ].join("\n");
}
