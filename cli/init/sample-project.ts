/** A project with a first deployment, which runs against the emulator without changes. */
import { basename } from "node:path";
import { parse } from "yaml";
import { asObject, type Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { keysFor } from "../import/keys";
import { withoutCli } from "../terminal/without-cli";
import type { Declaration } from "./declaration";
import { usualName } from "./name";
import { projectFiles, projectName, withNextSteps, type Files, type NewProject } from "./project";
import type { Place } from "./request";
import { filled, packageFiles, packageText } from "../files/package-texts";
import { emulatorAddress, emulatorCommandLine, emulatorKey, serviceFor } from "./project-service";

export const sampleSources = ["external_container", "codehost"] as const;
export type SampleSource = (typeof sampleSources)[number] | "internal_source";

export function sampleProject(source: SampleSource, place: Place): NewProject {
  const { folder, name, dialect } = place;
  const { address } = serviceFor(dialect, {});
  // Projects of one workspace are in folders of other names.
  const [key = ""] = keysFor([usualName(basename(folder))]);
  const declaration: Declaration = {
    key,
    shared: sampleOf(source, dialect),
    comment: comments[source] ?? [],
    secrets: new Map([["MODEL_API_KEY", "modelApiKey"]]),
    stacks: [{ stack: "dev", name: key, isProtected: false, args: {} }],
  };
  const project = projectName(basename(folder));
  const emulator = emulatorCommandLine(dialect);
  const dev = filled("cli/init/templates/Pulumi.dev.yaml", {
    emulator,
    withoutCli,
    realAddress: address,
    address: emulatorAddress,
    key: emulatorKey,
    modelApiKey: `${project}:modelApiKey`,
  });
  const files = {
    ...projectFiles(project, place, declaration),
    "Pulumi.dev.yaml": dev,
    ...(source === "internal_source" && exampleAgent()),
  };
  const waits = "     # in another terminal; used instead of the service";
  const steps = [emulator + waits, "pulumi stack init dev", "pulumi up"];
  const more = "For the real service, create another stack: Pulumi.dev.yaml says how.";
  return withNextSteps(files, name, steps, more);
}

export const typeComment =
  "The type serverless scales to zero while no one uses the deployment; dedicated always runs.";

function sampleOf(source: SampleSource, { graphConfigFile }: Dialect): Values {
  const samples: unknown = parse(filled("cli/init/templates/samples.yaml", { graphConfigFile }));
  return { source, ...asObject(asObject(samples)[source]) };
}

const comments: Partial<Record<SampleSource, Declaration["comment"]>> = {
  codehost: [
    "`npx pulumi-deployment-service integrations` lists the ids of the real service in dialect langsmith.",
    "Elsewhere, ask the person who set up the integration.",
  ],
  internal_source: [typeComment],
};

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Files {
  const files = packageFiles("examples/11-folder/agent").map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, packageText(`examples/11-folder/${file}`)]));
}
