/** The files of a new project. */
import type { Dialect } from "../dialects";
import { checkManifest } from "../manifest/check";
import { printProgram } from "../manifest/generate/program";
import { SourceText } from "../manifest/source";
import type { Integration } from "../deployment/repository";
import { indented, manifestEntry } from "../import/manifest";
import type { Imported } from "../import/choice";
import type { Agent } from "./agent";
import type { CiService } from "./ci-files";
import { configKeysOf } from "./agent-environment";
import { agentFiles } from "./agent-files";
import {
  connectCommands,
  emulatorAddress,
  emulatorCommandLine,
  emulatorKey,
  isUsual,
  type ProjectTarget,
  serviceOf,
  trialCommands,
} from "./project-service";
import { sanitize } from "../text/sanitize";

export type Kind = "typescript" | "manifest";

export const projectSources = ["external_container", "codehost"] as const;
type ProjectSource = (typeof projectSources)[number] | "internal_source";

export interface Project extends ProjectTarget {
  /** A name that both Pulumi and npm accept. */
  readonly name: string;
  readonly kind: Kind;
  readonly source: ProjectSource;
  /** The service's integrations; empty if they were not requested. */
  readonly integrations: readonly Integration[];
  /** The existing agent project to deploy, if there is one. */
  readonly agent?: Agent | undefined;
  readonly ci?: CiService | undefined;
}

/** The files by name. With the stack `dev`, the project runs against the emulator without changes. */
export function projectFiles(project: Project, version: string): Record<string, string> {
  return {
    "Pulumi.yaml": projectFile(project),
    "Pulumi.dev.yaml": stackConfig(project),
    ...(project.kind === "typescript" ? typescript(project) : manifest(project)),
    ...(project.source === "internal_source" && project.agent === undefined && sourceFolder),
    ...(project.agent && agentFiles(project.agent, serviceOf(project), project.ci, trialCommands(project))),
    "package.json": packageJson(project, version),
    ".gitignore": "node_modules/\n",
  };
}

function projectFile({ name, dialect }: Project): string {
  const config = isUsual(dialect)
    ? ""
    : `config:
  deployment-service:dialect:
    value: ${dialect.name}
`;
  return `name: ${JSON.stringify(name)}
runtime: nodejs
description: Deployments, declared with pulumi-deployment-service.
${config}`;
}

function stackConfig(project: Project): string {
  if (project.agent !== undefined) return agentConfig(project);
  return `# The stack dev talks to the emulator: ${emulatorCommandLine(project)}
# For the real service, create another stack:
${connectCommands(project)
  .map((command) => `#   ${command}\n`)
  .join("")}config:
  # Overrides DEPLOYMENT_SERVICE_URL. If the emulator uses another port, change it here.
  deployment-service:baseUrl: ${emulatorAddress}
  # In clear, because the emulator protects nothing. Set keys of a real service with --secret.
  deployment-service:apiKey: ${emulatorKey}
  ${JSON.stringify(`${project.name}:modelApiKey`)}: not-a-real-key
`;
}

/** Has no key: that is in the environment. */
function agentConfig(project: Project): string {
  const { address, keyVariable } = serviceOf(project);
  return `# The key is in the environment: ${keyVariable}.
config:
  # Overrides DEPLOYMENT_SERVICE_URL.
  deployment-service:baseUrl: ${address}
`;
}

/** The emulator accepts any id. */
const anyIntegration = "00000000-0000-4000-8000-000000000000";
const integrationsCommandLine = "npx pulumi-deployment-service integrations";

/** The initial integration id, with comments for the user. */
function integrationOf({ integrations, dialect }: Project): { id: string; comments: string[] } {
  const [first, ...others] = integrations;
  if (first !== undefined && others.length === 0) {
    const comment = `The integration ${sanitize(first.name)}; \`npx pulumi-deployment-service repos ${first.id}\` lists its repositories.`;
    return { id: first.id, comments: [comment] };
  }
  if (first !== undefined) {
    const list = integrations.map(({ id, name }) => `  ${id} ${sanitize(name)}`);
    return { id: anyIntegration, comments: ["Choose an integration for the real service:", ...list] };
  }
  const isListed = dialect.paths.codehostIntegrations !== undefined;
  const where = isListed
    ? `\`${integrationsCommandLine}\` lists the ids for the real service.`
    : "Ask the person who set up the integration for its id on the real service.";
  return { id: anyIntegration, comments: [where] };
}

/** The deployment's key, and its logical name. */
function keyOf({ source, agent }: Project): string {
  if (agent !== undefined) return agent.name;
  return source === "internal_source" ? "agent" : "chat";
}

function typescript(project: Project): Record<string, string> {
  return {
    "index.ts": programOf(project),
    "tsconfig.json": `{
  "compilerOptions": {
    "strict": true,
    "target": "es2022",
    "module": "node16",
    "moduleResolution": "node16",
    "noEmit": true
  },
  "files": ["index.ts"]
}
`,
  };
}

/** The program that `generate` makes of the manifest. It also exports the status, to show what runs. */
function programOf(project: Project): string {
  const source = new SourceText("deployments.yaml", `version: 1\n${deploymentsOf(project)}`);
  const { root, view } = checkManifest(source, {});
  const program = printProgram(source, root!, view!);
  return program.replace(/^export const url = (\w+)\.url;$/m, "export const { status, url } = $1;");
}

function manifest(project: Project): Record<string, string> {
  return {
    "deployments.yaml": `# yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json
version: 1
${isUsual(project.dialect) ? "" : `dialect: ${project.dialect.name}\n`}${deploymentsOf(project)}`,
    "index.js": `const { fromManifest } = require("pulumi-deployment-service");

const { ${JSON.stringify(keyOf(project))}: deployment } = fromManifest("deployments.yaml");

exports.status = deployment.status;
exports.url = deployment.url;
`,
  };
}

function deploymentsOf(project: Project): string {
  const { agent, dialect } = project;
  if (agent?.existing !== undefined) return existingDeployment(agent, agent.existing, dialect);
  return `deployments:
  ${quotedKey(keyOf(project))}:
${declaration[project.source](project)}${secretsOf(project)}`;
}

/** YAML takes some names for other values. */
function quotedKey(key: string): string {
  return /^(null|true|false)$/.test(key) ? JSON.stringify(key) : key;
}

/** `${` would begin a reference. */
function quotedPath(path: string): string {
  return JSON.stringify(path).replaceAll("${", () => "$${");
}

/** As the import writes it, but with the folder in place of the archive. */
function existingDeployment({ directory }: Agent, existing: Imported, { graphConfigFile }: Dialect): string {
  const sourceRevisionConfig = { graphConfigPath: graphConfigFile };
  const args = { ...existing.args, sourceDirectory: directory, sourceRevisionConfig };
  return `deployments:\n${indented(manifestEntry({ ...existing, args }).text, 2)}`;
}

function secretsOf({ agent }: Project): string {
  const secrets = agent === undefined ? ["MODEL_API_KEY"] : agent.secrets;
  if (secrets.length === 0) return "";
  const keys = [...configKeysOf(secrets)];
  return `    secrets:\n${keys.map(([name, key]) => `      ${name}: \${config.${key}}\n`).join("")}`;
}

/** The first lines of the deployment. */
const declaration: Readonly<Record<ProjectSource, (project: Project) => string>> = {
  external_container: () => `    source: external_container
    sourceConfig:
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 }
    sourceRevisionConfig:
      imageUri: registry.example.com/chat:1.4.2
`,
  codehost: (project) => {
    const { id, comments } = integrationOf(project);
    return `    source: codehost
    sourceConfig:
${comments.map((comment) => `      # ${comment}\n`).join("")}      integrationId: ${id}
      repoUrl: https://code.example.com/acme/chat
      buildOnPush: false
    sourceRevisionConfig:
      repoRef: main
      graphConfigPath: ${project.dialect.graphConfigFile}
`;
  },
  internal_source: ({ dialect, agent }) => `    source: internal_source
    # The type serverless scales to zero while nobody uses the deployment; dedicated always runs.
    sourceConfig: { deploymentType: serverless${agent === undefined ? "" : ", deploymentTier: SERVERLESS_S"} }
    sourceDirectory: ${quotedPath(agent?.directory ?? "./agent")}
    sourceRevisionConfig: { graphConfigPath: ${dialect.graphConfigFile} }
`,
};

/** The smallest agent that the public service builds. */
const sourceFolder: Readonly<Record<string, string>> = {
  "agent/langgraph.json": `{
  "dependencies": ["."],
  "graphs": { "agent": "./agent.py:graph" }
}
`,
  "agent/agent.py": `from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    question: str
    answer: str


def answer(state: State) -> dict[str, str]:
    return {"answer": f"You asked: {state['question']}"}


graph = (
    StateGraph(State)
    .add_node("answer", answer)
    .add_edge(START, "answer")
    .add_edge("answer", END)
    .compile()
)
`,
  "agent/requirements.txt": "langgraph\n",
};

function packageJson({ name, kind }: Project, version: string): string {
  const content = {
    name,
    version: "0.0.0",
    private: true,
    main: kind === "manifest" ? "index.js" : "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", "pulumi-deployment-service": `^${version}` },
    // Pulumi's bundled compiler is too old for this tsconfig.json.
    ...(kind !== "manifest" && { devDependencies: { typescript: "^5.0.0" } }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
