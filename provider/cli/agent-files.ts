/** What a project for an agent has beside its program: the script that sets its secrets, and what to do next. */
import { assignment } from "../archive/environment-file";
import { sanitize } from "../text/sanitize";
import type { Agent } from "./agent";
import { configKeysOf } from "./agent-environment";
import type { CiService } from "./ci-files";
import { secretsScript, type ServiceOfProject } from "./project-service";

/** Only there once the packages are installed, so it is no link. */
const ciGuide = "node_modules/pulumi-deployment-service/examples/03-ci/README.md";
export const ciBranch = "The workflows run for the branch `main`.";
export const importFile = "import.json";
export const importCommandLine = `pulumi import --file ${importFile} --generate-code=false --protect=false`;

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

/**
 * Passes the values to the CLI on standard input, so that they are in no file and in no list of processes. Reads them as the
 * service's own command line does.
 */
function secretsText({ secrets, environmentFile }: Agent): string {
  const keys = Object.fromEntries(configKeysOf(secrets));
  return String.raw`#!/bin/sh
# Sets the secrets of a stack from the agent's environment file. This file holds no value.
#   sh ${secretsScript} [STACK]
set -eu
cd "$(dirname "$0")"
exec node - "$@" <<'EOF'
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const file = ${JSON.stringify(environmentFile)};
const keys = ${JSON.stringify(keys, undefined, 2)};

const assignment = ${String(assignment)};
const escapes = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const values = Object.create(null);
const outside = Object.assign(Object.create(null), process.env);
let text;
try {
  text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
} catch (error) {
  console.error("cannot read " + file + ": " + error.message);
  process.exit(1);
}
for (const [, name, written] of text.replace(/\r\n?/g, "\n").matchAll(assignment)) {
  const inside = written.slice(1, -1);
  const value = written.startsWith('"')
    ? inside.replace(/\\([\\'"abfnrtv])/g, (_, letter) => escapes[letter] ?? letter)
    : written.startsWith("'")
      ? inside.replace(/\\([\\'])/g, "$1")
      : written.replace(/\s+#.*/, "").trimEnd();
  values[name] = value.replace(
    /\$\{([^}:]*)(?::-([^}]*))?\}/g,
    (_, other, otherwise = "") => values[other] ?? outside[other] ?? otherwise,
  );
}

const stack = process.argv[2] === undefined ? [] : ["--stack", process.argv[2]];
for (const [name, key] of Object.entries(keys)) {
  const value = values[name];
  if (!value) {
    console.error(name + " has no value and is not set");
    process.exitCode = 1;
    continue;
  }
  const words = ["config", "set", "--secret", key, ...stack];
  // The CLI takes one line end off.
  const input = value + "\n";
  const { status, error } = spawnSync("pulumi", words, { input, stdio: ["pipe", "inherit", "inherit"] });
  if (error) console.error("cannot run pulumi: " + error.message);
  if (status !== 0) process.exit(1);
}
EOF
`;
}

function readme(
  { name, directory, environmentFile, existing }: Agent,
  { address, keyVariable }: ServiceOfProject,
  ci: CiService | undefined,
): string {
  const scheduled = ci === "gitlab" ? " The job `drift` runs in a pipeline schedule that you create." : "";
  const steps = [
    // The workflows do not reach a state on this machine.
    "`npm install`, then `pulumi stack init dev`." +
      (ci === undefined ? " Without a Pulumi account, run `pulumi login --local` before." : ""),
    ...(environmentFile !== undefined
      ? [
          `\`sh ${secretsScript}\` takes the secrets from \`${sanitize(environmentFile)}\` into the stack, encrypted.`,
        ]
      : []),
    `Set \`${keyVariable}\`. \`Pulumi.dev.yaml\` names the service: ${address}.`,
    ...(existing === undefined
      ? []
      : [
          `\`${importCommandLine}\` takes over the deployment that runs already. ` +
            "Its secrets stay as they are until you uncomment `secrets` in the program or manifest.",
        ]),
    "`pulumi preview` shows what would happen, and `pulumi up` does it.",
    `Change \`${sanitize(directory)}\`, and the next preview shows a new revision.`,
    ...(ci === undefined
      ? []
      : [
          `Commit it all, and create the environments that the workflows use: \`preview\`, \`dev\` and \`drift\`. ` +
            `Each needs the secret \`PULUMI_ACCESS_TOKEN\`, and \`dev\` and \`drift\` also \`${keyVariable}\`. ${ciBranch} ` +
            `They need a state that they reach, such as Pulumi Cloud, not that of \`pulumi login --local\`.${scheduled} ` +
            `After \`npm install\`, \`${ciGuide}\` says more.`,
        ]),
  ];
  const again =
    "the name: before you create the deployment again, set `deleteTracingProject: true` and run `pulumi up`, then destroy.";
  return `# ${name}

Deploys \`${sanitize(directory)}\`. \`pulumi destroy\` leaves the tracing project, which keeps ${again}

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
