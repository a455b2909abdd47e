/** The files of a new project. */
import { stringify } from "yaml";
import { asObject, type Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { withoutCli } from "../pulumi-cli";
import { version } from "../version";
import type { Kind } from "./request";
import { perStackValues, type Declaration } from "./declaration";
import { exampleText } from "./example";
import { manifestOf } from "./manifest";
import { programOf } from "./typescript";
import {
  connectCommands,
  emulatorAddress,
  emulatorCommandLine,
  emulatorKey,
  isUsual,
  type ProjectService,
} from "./service";

export const projectSources = ["external_container", "codehost"] as const;
export type ProjectSource = (typeof projectSources)[number] | "internal_source";

export interface Project {
  /** A name that both Pulumi and npm accept. */
  readonly name: string;
  readonly kind: Kind;
  readonly dialect: Dialect;
  readonly declaration: Declaration;
}

/**
 * The files by name.
 *
 * @param stacks the configuration file of each stack
 */
export function projectFiles(
  project: Project,
  stacks: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    "Pulumi.yaml": projectFile(project),
    ...Object.fromEntries(Object.entries(stacks).map(([stack, text]) => [`Pulumi.${stack}.yaml`, text])),
    ...(project.kind === "typescript" ? programFiles(project) : manifestFiles(project)),
    "package.json": packageFile(project),
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

/** With the stack `dev`, the project runs against the emulator without changes. */
export function emulatorStackFile({ name, dialect }: Pick<Project, "name" | "dialect">): string {
  return `# The stack dev talks to the emulator: ${emulatorCommandLine(dialect)}
# ${withoutCli} For the real service, create another stack:
${connectCommands(dialect)
  .map((command) => `#   ${command}\n`)
  .join("")}config:
  # Overrides DEPLOYMENT_SERVICE_URL. If the emulator uses another port, change it here.
  deployment-service:baseUrl: ${emulatorAddress}
  # In plain text, because the emulator protects nothing. Set keys of a real service with --secret.
  deployment-service:apiKey: ${emulatorKey}
  ${JSON.stringify(`${name}:modelApiKey`)}: not-a-real-key
`;
}

/** Has no key: that comes from the environment. Keys without a namespace are the project's. */
export function stackFileFor(
  { args }: Declaration,
  kind: Kind,
  at: number,
  { address, tenantId, keyVariable }: ProjectService,
): string {
  const own = perStackValues(args).flatMap(({ value: { configKey, values } }) =>
    values[at] === undefined ? [] : [[configKey, values[at]] as const],
  );
  const config = {
    "deployment-service:baseUrl": address,
    ...(tenantId !== undefined && { "deployment-service:tenantId": tenantId }),
    ...(kind === "typescript" && Object.fromEntries(own)),
  };
  return `# The API key is not here: it comes from ${keyVariable}, or from a login.\n${stringify({ config })}`;
}

/** The first deployment of a project that has no agent. */
export function sampleDeclaration(key: string, source: ProjectSource, dialect: Dialect): Declaration {
  const { args, comments = {} } = sourceArguments(source, dialect);
  return {
    key,
    args: { source, ...args },
    comments,
    secrets: new Map([["MODEL_API_KEY", "modelApiKey"]]),
    stacks: [{ stack: "dev", name: key, isProtected: false, args: {} }],
  };
}

export const typeComment =
  "The type serverless scales to zero while no one uses the deployment; dedicated always runs.";

function sourceArguments(
  source: ProjectSource,
  { graphConfigFile }: Dialect,
): { args: Values; comments?: Declaration["comments"] } {
  switch (source) {
    case "external_container":
      return {
        args: {
          sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
          sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
        },
      };
    case "codehost":
      return {
        args: {
          sourceConfig: {
            // The emulator accepts any id.
            integrationId: "00000000-0000-4000-8000-000000000000",
            repoUrl: "https://code.example.com/acme/chat",
            buildOnPush: false,
          },
          sourceRevisionConfig: { repoRef: "main", graphConfigPath: graphConfigFile },
        },
        comments: {
          "sourceConfig.integrationId": [
            "`npx pulumi-deployment-service integrations` lists the ids of the real service in dialect langsmith.",
            "Elsewhere, ask the person who set up the integration.",
          ],
        },
      };
    case "internal_source":
      return {
        args: {
          sourceConfig: { deploymentType: "serverless" },
          sourceRevisionConfig: { graphConfigPath: graphConfigFile },
          sourceDirectory: "./agent",
        },
        comments: { sourceConfig: [typeComment] },
      };
  }
}

function programFiles({ declaration }: Project): Record<string, string> {
  return { "index.ts": programOf(declaration), "tsconfig.json": exampleText("01-hello/tsconfig.json") };
}

function manifestFiles({ declaration, dialect }: Project): Record<string, string> {
  return {
    "deployments.yaml": manifestOf(declaration, isUsual(dialect) ? undefined : dialect.name),
    "index.js": `const { fromManifest } = require("pulumi-deployment-service");

// The outputs: the URL of each deployment.
for (const [key, { url }] of Object.entries(fromManifest("deployments.yaml"))) exports[key] = url;
`,
  };
}

function packageFile({ name, kind }: Project): string {
  const { dependencies, devDependencies, ...others } = JSON.parse(
    exampleText("01-hello/package.json"),
  ) as Values;
  const content = {
    ...{ ...others, name },
    dependencies: { ...asObject(dependencies), "pulumi-deployment-service": `^${version()}` },
    ...(kind === "manifest" ? { main: "index.js" } : { devDependencies }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
