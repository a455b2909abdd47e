/** What to do next with a project for an agent: on the screen and in its README. */
import { keeperOfName } from "../../provider/dialects";
import { sanitize } from "../../provider/text/sanitize";
import type { Agent } from "./agent";
import type { Declaration } from "./declaration";
import type { Place } from "./project";
import type { ProjectService } from "./project-service";
import type { ProjectStack } from "./stacks";
import { filled } from "../files/package-texts";
import type { WorkflowRequest } from "./workflows";

export interface AgentProject {
  readonly place: Place;
  readonly agent: Agent;
  readonly service: ProjectService;
  readonly declaration: Declaration;
  readonly workflows: WorkflowRequest | undefined;
}

export function importFile(stack: string, { length }: readonly ProjectStack[]): string {
  return length === 1 ? "import.json" : `import.${stack}.json`;
}

/** The commands that deploy each stack, in the order in which they are typed. */
export function stackCommands(stacks: readonly ProjectStack[]): string[] {
  const isOne = stacks.length === 1;
  return stacks.flatMap(({ stack, existing, isProtected, setSecrets = [] }) => {
    const chosen = isOne ? "" : ` --stack ${stack}`;
    const protection = isProtected ? "" : " --protect=false";
    const importing = `pulumi import --file ${importFile(stack, stacks)} --generate-code=false`;
    return [
      `pulumi stack init ${stack}`,
      ...(existing === undefined ? [setSecrets].flat() : [importing + protection + chosen]),
      `pulumi preview${chosen}`,
      `pulumi up${chosen}`,
    ];
  });
}

/** @param commands that deploy it */
export function readme(project: AgentProject, commands: readonly string[]): string {
  const { place, agent, declaration, service, workflows } = project;
  const { stacks } = declaration;
  const login = service.dialect.vendor?.profile.login;
  const keeper = keeperOfName({}, service.dialect);
  return filled("cli/init/templates/README.md", {
    key: declaration.key,
    directory: sanitize(agent.directory),
    names: stacks.map(({ stack, name }) => `\`${name}\` (stack \`${stack}\`)`).join(", "),
    keyVariable: service.keyVariable,
    orLogin: login === undefined ? "" : `, or run \`${login}\``,
    address: service.address,
    commands: commands.join("\n"),
    program: place.kind === "manifest" ? "deployments.yaml" : "index.ts",
    graphConfigFile: agent.pinsServer ? undefined : service.dialect.graphConfigFile,
    hasVariables: agent.variables !== undefined,
    production: stacks.find(({ isProtected }) => isProtected)?.stack,
    hasWorkflows: workflows !== undefined,
    isGitHub: workflows?.ci === "github",
    isGitLab: workflows?.ci === "gitlab",
    stacks: stacks.map(({ stack }) => `\`${stack}\``).join(", "),
    defaultBranch: workflows?.repository.defaultBranch,
    kept: keeper?.what,
    freedBy: keeper?.freedBy,
  });
}
