/** A project with a first deployment, which runs against the emulator without changes. */
import { basename } from "node:path";
import { parse } from "yaml";
import { asObject } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { keysFor } from "../import/keys";
import type { Declaration } from "./declaration";
import { usualName } from "./name";
import { projectFiles, projectName, withNextSteps, type Files, type NewProject, type Place } from "./project";
import { filled, packageFiles, packageText } from "../files/package-texts";
import { isUsual, serviceFor } from "./project-service";

/** @param wanted a source; the default is a folder where the dialect has uploads, else an image */
export function sampleProject(wanted: string | undefined, place: Place): NewProject {
  const { folder, name, dialect } = place;
  const source = wanted ?? (dialect.paths.uploadAddress ? "internal_source" : "external_container");
  const { address } = serviceFor(dialect, {});
  // Projects of one workspace are in folders of other names.
  const [key = ""] = keysFor([usualName(basename(folder))]);
  const sample = sampleOf(source, dialect);
  const declaration: Declaration = {
    key,
    shared: sample.args,
    comment: sample.comment,
    secrets: new Map([["MODEL_API_KEY", "modelApiKey"]]),
    stacks: [{ stack: "dev", name: key, isProtected: false, args: {} }],
  };
  const project = projectName(basename(folder));
  const emulator = `npx pulumi-deployment-service emulator${isUsual(dialect) ? "" : ` --dialect ${dialect.name}`}`;
  const dev = filled("cli/init/templates/Pulumi.dev.yaml", {
    emulator,
    realAddress: address,
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

/** What a first deployment from a source declares, and the lines of the comment above it. */
export function sampleOf(source: string, { graphConfigFile }: Dialect) {
  const samples: unknown = parse(filled("cli/init/templates/samples.yaml", { graphConfigFile }));
  const { comment, ...args } = asObject(asObject(samples)[source]);
  return { comment: Array.isArray(comment) ? comment.map(String) : [], args: { source, ...args } };
}

/** The smallest agent that the public service builds: that of the example. */
function exampleAgent(): Files {
  const files = packageFiles("examples/11-folder/agent").map((file) => `agent/${file}`);
  return Object.fromEntries(files.map((file) => [file, packageText(`examples/11-folder/${file}`)]));
}
