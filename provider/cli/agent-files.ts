/** What a project for an agent has beside its program: the script that sets its secrets, and what to do next. */
import type { Agent } from "./agent";
import type { CiService } from "./ci-files";
import type { ServiceOfProject } from "./project-service";

/** Only there once the packages are installed, so it is no link. */
const ciGuide = "node_modules/pulumi-deployment-service/examples/03-ci/README.md";
export const secretsScript = "set-secrets.sh";
export const importFile = "import.json";
export const importCommandLine = `pulumi import --file ${importFile} --generate-code=false --protect=false`;

/** `MODEL_API_KEY` to `modelApiKey` */
export function configKeyOf(secret: string): string {
  return secret.toLowerCase().replace(/(?<=.)_+(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** @param trial the commands that deploy it to the emulator */
export function agentFiles(
  agent: Agent,
  service: ServiceOfProject,
  ci: CiService | undefined,
  trial: readonly string[],
): Record<string, string> {
  const hasSecrets = agent.environmentFile !== undefined;
  return {
    ...(hasSecrets && { [secretsScript]: secretsText(agent) }),
    ...(agent.existing && { [importFile]: agent.existing.file }),
    "README.md": readme(agent, service, ci) + trialText(trial),
  };
}

/** Passes the values to the CLI on standard input, so that they are in no file and in no list of processes. */
function secretsText({ secrets, environmentFile }: Agent): string {
  const keys = Object.fromEntries(secrets.map((name) => [name, configKeyOf(name)]));
  const file = `'${environmentFile!.replaceAll("'", `'\\''`)}'`;
  return `#!/bin/sh
# Sets the secrets of a stack from ${environmentFile!}. This file holds no value.
#   sh ${secretsScript} [STACK]
set -eu
cd "$(dirname "$0")"
exec env ${secrets.map((name) => `-u ${name}`).join(" ")} node --env-file=${file} - "$@" <<'EOF'
const { execFileSync } = require("node:child_process");
const keys = ${JSON.stringify(keys, undefined, 2)};
const stack = process.argv[2] === undefined ? [] : ["--stack", process.argv[2]];
for (const [name, key] of Object.entries(keys)) {
  const value = process.env[name];
  if (!value) console.error(name + " has no value and is not set");
  else execFileSync("pulumi", ["config", "set", "--secret", key, ...stack], { input: value, stdio: ["pipe", "inherit", "inherit"] });
}
EOF
`;
}

function readme(
  { name, directory, environmentFile, existing }: Agent,
  { address, keyVariable }: ServiceOfProject,
  ci: CiService | undefined,
): string {
  const steps = [
    "`npm install`, then `pulumi stack init dev`. Without a Pulumi account, run `pulumi login --local` before.",
    ...(environmentFile !== undefined
      ? [`\`sh ${secretsScript}\` takes the secrets from \`${environmentFile}\` into the stack, encrypted.`]
      : []),
    `Set \`${keyVariable}\`. \`Pulumi.dev.yaml\` names the service: ${address}.`,
    ...(existing === undefined
      ? []
      : [`\`${importCommandLine}\` takes over the deployment that runs already.`]),
    "`pulumi preview` shows what would happen, and `pulumi up` does it.",
    `Change \`${directory}\`, and the next preview shows a new revision.`,
    ...(ci === undefined
      ? []
      : [
          `Commit it all, and create the environments that the workflows use: \`preview\`, \`dev\` and \`drift\`. Each needs the secret \`PULUMI_ACCESS_TOKEN\`, and \`dev\` and \`drift\` also \`${keyVariable}\`. After \`npm install\`, \`${ciGuide}\` says more.`,
        ]),
  ];
  return `# ${name}

Deploys [${directory}](${directory}). \`pulumi destroy\` leaves the tracing project, which keeps the name: before you create the deployment again, set \`deleteTracingProject: true\` and run \`pulumi up\`, then destroy.

${steps.map((step, at) => `${at + 1}. ${step}\n`).join("")}`;
}

function trialText(commands: readonly string[]): string {
  if (commands.length === 0) return "";
  return `
To try it without an account, deploy it to the emulator, in a stack of its own:

\`\`\`sh
${commands.join("\n")}
\`\`\`
`;
}
