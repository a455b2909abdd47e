/**
 * Asks in a preview whether a new deployment is one of the stack under another logical name, which the engine would delete: neither
 * provider process sees what is deleted. Best effort, and once per run it reads what the stack has, if anything is created.
 */
import * as pulumi from "@pulumi/pulumi";
import { deploymentTokens } from "../internal-inputs";
import { renameQuestion, type Candidate } from "../rename";
import { logicalName } from "../urn";
import { asObject, type Values } from "../../schema/tree";
import { isKnown, withoutDependencies } from "./without-dependencies";

interface Run {
  /** URNs of the program's deployments so far, and their aliases. */
  readonly declared: Set<string>;
  /** Names at the service of those that the stack has already, under this or another URN. */
  readonly kept: Set<unknown>;
  resources?: Promise<Values>;
}

const runs = new WeakMap<pulumi.Resource, Run>();

/**
 * @param deployment with the arguments as outputs
 * @param urn known before the deployment is registered
 */
export function askAboutRename(deployment: pulumi.CustomResource, urn: pulumi.Output<string>): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || !pulumi.runtime.isDryRun()) return;
  const run = runs.get(stack) ?? { declared: new Set(), kept: new Set() };
  runs.set(stack, run);
  void ask(run, deployment, urn).catch(() => undefined);
}

async function ask(run: Run, deployment: pulumi.CustomResource, urn: pulumi.Output<string>): Promise<void> {
  const own = await withoutDependencies(urn);
  for (const each of [own, ...(await aliasesOf(deployment))]) run.declared.add(each);
  const isThere = await isKnown(deployment.id);
  // Otherwise the engine may be gone before the question is asked.
  const done = isThere ? undefined : pulumi.runtime.rpcKeepAlive();
  try {
    const shown = deployment as unknown as Readonly<Record<string, pulumi.Output<unknown>>>;
    const inputs = await knownOf(shown);
    if (isThere) {
      run.kept.add(inputs["name"]);
      return;
    }
    const resources = await (run.resources ??= resourcesOfStack(run));
    const gone = Object.entries(resources)
      .filter(([urn, value]) => isDeployment(value) && !run.declared.has(urn))
      .map(([urn, value]): Candidate => ({
        logical: logicalName(urn),
        inputs: asObject(asObject(value)["outputs"]),
      }))
      .filter(({ inputs: { name } }) => !run.kept.has(name));
    const question = renameQuestion(gone, { logical: logicalName(own), inputs });
    if (question !== undefined) await pulumi.log.warn(question, deployment);
  } finally {
    done?.();
  }
}

/** URNs of the aliases. The property is missing from the SDK's types. */
function aliasesOf(deployment: pulumi.CustomResource): Promise<string[]> {
  const { __aliases } = deployment as pulumi.CustomResource & {
    readonly __aliases: readonly pulumi.Output<string>[];
  };
  return Promise.all(__aliases.map(withoutDependencies));
}

const compared = ["name", "source", "sourceConfig", "sourceRevisionConfig", "sourceDirectory"];

async function knownOf(outputs: Readonly<Record<string, pulumi.Output<unknown>>>): Promise<Values> {
  const entries = await Promise.all(
    compared.map(async (name): Promise<[string, unknown]> => {
      const output = outputs[name];
      const isPlain = output !== undefined && (await isKnown(output)) && !(await pulumi.isSecret(output));
      return [name, isPlain ? await withoutDependencies(output) : undefined];
    }),
  );
  return Object.fromEntries(entries);
}

/**
 * What the stack has, by URN. The CLI crashes if it is asked for the resources of a stack that was never deployed, so something must
 * show that this one was: an output, or a deployment that is there already.
 */
async function resourcesOfStack({ kept }: Run): Promise<Values> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const outputsOf = async (function_: string, args: Values) =>
    asObject(asObject(await pulumi.runtime.invoke(`pulumi:pulumi:${function_}`, args))["outputs"]);
  const outputs = await outputsOf("readStackOutputs", { name: stackName });
  if (Object.keys(outputs).length === 0 && kept.size === 0) return {};
  return outputsOf("readStackResourceOutputs", { stackName });
}

function isDeployment(resource: unknown): boolean {
  return deploymentTokens.includes(String(asObject(resource)["type"]));
}
