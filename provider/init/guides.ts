/** What to do next with a new project: on the screen, for people and for coding agents. */
import { sanitize } from "../text/sanitize";
import { importFile, type AgentProject } from "./agent-project";
import type { CiService, Kind } from "./request";
import { emulatorAddress, emulatorCommandLine, emulatorKey } from "./service";
import { secretsScript } from "./set-secrets";

/** Only there once the packages are installed, so it is no link. */
const inPackage = "node_modules/pulumi-deployment-service";

/** One group of commands for each stack, in the order in which they are typed. */
export function stackCommands(project: AgentProject): string[][] {
  const { stacks, declaration, agent } = project;
  const isOne = stacks.length === 1;
  return stacks.map(({ stack, existing, isProtected }) => {
    const chosen = isOne ? "" : ` --stack ${stack}`;
    const isUnmanaged = declaration.unmanagedIn.includes(stack);
    const hasScript = agent.variables !== undefined && declaration.secrets.size > 0 && !isUnmanaged;
    const protection = isProtected ? "" : " --protect=false";
    const file = importFile(stack, stacks);
    return [
      `pulumi stack init ${stack}`,
      ...(hasScript ? [`sh ${secretsScript}${isOne ? "" : ` ${stack}`}`] : []),
      ...(existing === undefined
        ? []
        : [`pulumi import --file ${file} --generate-code=false${protection}${chosen}`]),
      `pulumi preview${chosen}`,
      `pulumi up${chosen}`,
    ];
  });
}

/** The commands that deploy it to the emulator, in a stack of its own; none if the user has chosen a service. */
export function trialCommands({ service, stacks, agent, declaration }: AgentProject, kind: Kind): string[] {
  if (service.from !== undefined || stacks.some(({ existing }) => existing !== undefined)) return [];
  const own = stacks.length > 1 && kind === "typescript" ? stacks[0] : undefined;
  const settings = { name: own?.name, ...(own?.args["sourceConfig"] as object | undefined) };
  return [
    `${emulatorCommandLine(service.dialect)}     # in another terminal`,
    "pulumi stack init try",
    `pulumi config set deployment-service:baseUrl ${emulatorAddress}`,
    `pulumi config set deployment-service:apiKey ${emulatorKey}`,
    ...Object.entries(own === undefined ? {} : settings).map(
      ([key, value]) => `pulumi config set ${key} ${value}`,
    ),
    ...(agent.variables !== undefined && declaration.secrets.size > 0 ? [`sh ${secretsScript} try`] : []),
    "pulumi up",
  ];
}

/** The branch that the workflows run for, where their code host does not say itself. */
export function branchText(ci: CiService, defaultBranch: string): string {
  return ci === "github" ? ` The workflows run for the branch \`${defaultBranch}\`.` : "";
}

function environmentsText({ stacks, service }: AgentProject, ci: CiService): string {
  const names = stacks.map(({ stack }) => `\`${stack}\``);
  const workflows = ci === "gitlab" ? ".gitlab-ci.yml" : ".github/";
  const scheduled = ci === "gitlab" ? " The job `drift` runs in a pipeline schedule that you create." : "";
  return (
    `Commit the project with the files that these commands wrote. Create the environments that the workflows use: \`preview\`, ` +
    `\`drift\`, ${names.join(", ")}. Each needs the secret \`PULUMI_ACCESS_TOKEN\`, and all but \`preview\` also ` +
    `\`${service.keyVariable}\`. The state must be one that the workflows reach, such as Pulumi Cloud, not that of ` +
    `\`pulumi login --local\`.${scheduled} If the agent is the root of the repository, a line \`${workflows}\` in its ` +
    `\`.dockerignore\` keeps the workflows out of its archive. \`${inPackage}/examples/03-ci/README.md\` says more.`
  );
}

export function readme(project: AgentProject, kind: Kind, ci: CiService | undefined, branch: string): string {
  const { agent, stacks, declaration, service } = project;
  const directory = sanitize(agent.directory);
  const isUnmanaged = declaration.unmanagedIn.length > 0 && declaration.secrets.size > 0;
  const steps = [
    `\`npm install\`${ci === undefined ? ". Without a Pulumi account, run `pulumi login --local`" : ""}.`,
    `The key of the service: set \`${service.keyVariable}\`, or log in with \`langsmith login\`. The stacks' files name the service: ${service.address}.`,
    ...stackCommands(project).map((commands) => commands.map((each) => `\`${each}\``).join(", then ") + "."),
    ...(isUnmanaged
      ? [
          "The secrets of what runs already stay as they are, until you change what the comment next to `secrets` says.",
        ]
      : []),
    ...(ci === undefined ? [] : [environmentsText(project, ci) + branchText(ci, branch)]),
  ];
  const names = stacks.map(({ stack, name }) => `\`${name}\` (stack \`${stack}\`)`).join(", ");
  const trial = trialCommands(project, kind);
  const again =
    "before you create the deployment again, set `deleteTracingProject: true` and run `pulumi up`, then destroy.";
  return [
    `# ${declaration.key}`,
    "",
    `Deploys \`${directory}\` as ${names}. Change the agent, and the next preview shows a new revision.`,
    "",
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    "",
    `\`pulumi destroy\` leaves the tracing project, which keeps the name: ${again}`,
    "",
    ...(trial.length === 0
      ? []
      : ["To try it without an account, deploy it to the emulator:", "", "```sh", ...trial, "```", ""]),
  ].join("\n");
}

export function instructions({ agent, stacks, declaration }: AgentProject, kind: Kind): string {
  const file = kind === "manifest" ? "deployments.yaml" : "index.ts";
  const check = kind === "manifest" ? "npx pulumi-deployment-service validate deployments.yaml" : "npx tsc";
  const [{ stack = "dev", name = "" } = {}] = stacks;
  const where =
    stacks.length === 1 ? "" : kind === "manifest" ? ", under `stacks`" : ", in `Pulumi.STACK.yaml`";
  const script =
    agent.variables !== undefined && declaration.secrets.size > 0
      ? ` \`sh ${secretsScript} STACK\` sets them from the agent's variables.`
      : "";
  return `# For coding agents

This Pulumi project deploys the agent in \`${sanitize(agent.directory)}\` with the npm package pulumi-deployment-service. The
deployment is declared in \`${file}\`. Read \`${inPackage}/skills/pulumi-deployment-service/SKILL.md\` before you change it.

## Commands

- \`npm install\`, then \`${check}\`: checks what is declared. Sends nothing.
- \`pulumi preview --stack ${stack}\`: shows what would change. Sends nothing.
- \`pulumi up --stack ${stack}\`: deploys. Only if you were asked to.
- \`npx pulumi-deployment-service status ${name} --stack ${stack}\`, \`… logs ${name} --stack ${stack}\`: what runs, and why it failed.
- \`npx pulumi-deployment-service doctor\`: what is wrong with the connection.

## Traps

- Secrets: never write a value into a file, a command or an answer. Declare the name in \`secrets\`; the value is set with
  \`pulumi config set --secret KEY --stack STACK\`, which asks for it.${script}
- Names: a service has one deployment of a name, so each stack needs its own \`name\`${where}. To rename the resource
  \`${declaration.key}\`, add \`aliases\`: otherwise it is deleted and created.
- Replacement: a change of \`name\`, \`source\` or \`deploymentType\` deletes the deployment with its threads and creates another one, with
  another id and address. A change of \`deploymentTier\` is a new revision.
- Every changed file in \`${sanitize(agent.directory)}\` that is uploaded creates a new revision. Exclude files with \`.dockerignore\` or \`.gitignore\`
  there, not here.
`;
}
