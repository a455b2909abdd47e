/** A project with a first deployment, which runs against the emulator without changes. */
import { basename } from "node:path";
import type { Dialect } from "../dialects";
import { findingsOf } from "../dialects/service-rules";
import { keysFor } from "../import/keys";
import { typedCommands, withoutCli } from "../pulumi-cli";
import type { Declaration } from "./declaration";
import { exampleFiles, exampleText } from "./example";
import { usualName } from "./name";
import { projectFiles, projectName, withNextSteps, type Files, type NewProject } from "./project";
import type { Caller, Place } from "./request";
import { emulatorAddress, emulatorCommandLine, emulatorKey, serviceFor } from "./service";

export const sampleSources = ["external_container", "codehost"] as const;
export type SampleSource = (typeof sampleSources)[number] | "internal_source";

export function sampleProject(
  source: SampleSource,
  place: Place,
  { stderr, env }: Pick<Caller, "stderr" | "env">,
): NewProject {
  const { folder, name, dialect } = place;
  const { address, dialect: rules } = serviceFor(dialect, {});
  for (const { property, reason } of findingsOf({ source }, rules, false))
    if (property === "source") stderr.write(`note: the source ${reason}\n`);
  // Projects of one workspace are in folders of other names.
  const [key = ""] = keysFor([usualName(basename(folder))]);
  const declaration: Declaration = {
    ...{ key, ...declared(source, dialect) },
    secrets: new Map([["MODEL_API_KEY", "modelApiKey"]]),
    stacks: [{ stack: "dev", name: key, isProtected: false, args: {} }],
  };
  const project = projectName(basename(folder));
  const emulator = emulatorCommandLine(dialect);
  const connecting = [
    "pulumi stack init prod",
    `pulumi config set deployment-service:baseUrl ${address}`,
    "pulumi config set --secret deployment-service:apiKey",
    "pulumi config set --secret modelApiKey",
  ];
  const dev = `# The stack dev talks to the emulator: ${emulator}
# ${withoutCli} For the real service, create another stack:
${connecting.map((command) => `#   ${command}\n`).join("")}config:
  # Overrides DEPLOYMENT_SERVICE_URL. If the emulator uses another port, change it here.
  deployment-service:baseUrl: ${emulatorAddress}
  # In plain text, because the emulator protects nothing. Set keys of a real service with --secret.
  deployment-service:apiKey: ${emulatorKey}
  ${JSON.stringify(`${project}:modelApiKey`)}: not-a-real-key
`;
  const files = {
    ...projectFiles(project, place, declaration, { dev }),
    ...(source === "internal_source" && exampleAgent()),
  };
  const waits = "     # in another terminal; it stands in for the service";
  const steps = [emulator + waits, "pulumi stack init dev", "pulumi up"];
  const shown = typedCommands(connecting, env).map((command) => `  ${command}`);
  const more = ["For the real service, create another stack and configure it:", ...shown, ""];
  return withNextSteps(files, name, steps, more, { env });
}

export const typeComment =
  "The type serverless scales to zero while no one uses the deployment; dedicated always runs.";

function declared(
  source: SampleSource,
  { graphConfigFile }: Dialect,
): Pick<Declaration, "shared" | "comments"> {
  switch (source) {
    case "external_container":
      return {
        shared: {
          source,
          sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
          sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
        },
        comments: {},
      };
    case "codehost":
      return {
        shared: {
          source,
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
        shared: {
          source,
          sourceConfig: { deploymentType: "serverless" },
          sourceRevisionConfig: { graphConfigPath: graphConfigFile },
          sourceDirectory: "./agent",
        },
        comments: { sourceConfig: [typeComment] },
      };
  }
}

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Files {
  const files = exampleFiles("11-folder/agent").map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, exampleText(`11-folder/${file}`)]));
}
