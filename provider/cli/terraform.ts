/** The part of `import` that begins with a state of Terraform. */
import type { ImportPlan } from "../import/plan";
import {
  NoState,
  readTerraformState,
  type TerraformDeployment,
  type TerraformState,
} from "../import/terraform";
import { sanitize } from "../text/sanitize";
import type { Observed } from "../deployment/service";
import { UsageError, type ParsedArguments, type Flag, type Io } from "./command";
import { filterFlags } from "./filters";
import { readInput } from "./manifest-file";

export const terraformFlag: Flag = {
  name: "terraform",
  value: "FILE",
  doc: "Those of a Terraform state: what `terraform show -json` prints, or the state file; `-` is standard input",
};

export interface Terraform extends TerraformState {
  readonly file: string;
}

/** Undefined where the command line names no state, "not a state" once a person was told why the file is none. */
export async function terraformIn(
  { flags, typedFlags }: ParsedArguments,
  io: Io,
): Promise<Terraform | "not a state" | undefined> {
  const file = flags["terraform"];
  if (file === undefined) return undefined;
  const filter = filterFlags.find(({ name }) => flags[name] !== undefined);
  if (filter !== undefined) {
    throw new UsageError(
      `--terraform takes all deployments of the state, so it cannot be combined with ${typedFlags[filter.name]}`,
    );
  }
  const name = file === "-" ? "standard input" : sanitize(file);
  try {
    return { file: name, ...readTerraformState(decoded(await readInput(file, io))) };
  } catch (error) {
    if (!(error instanceof NoState)) throw error;
    io.stderr.write(`deployment-service: ${name} ${error.message}\n`);
    return "not a state";
  }
}

/** A shell of Windows writes what is redirected into a file in UTF-16. */
function decoded(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

/** Names what the state has and cannot be imported. Throws where the service has none of it. */
export function reportMissing(terraform: Terraform, found: readonly Observed[], { stderr }: Io): void {
  const { file, deployments, withoutId } = terraform;
  for (const address of withoutId) stderr.write(`left out: ${sanitize(address)} has no id in the state\n`);
  const missing = missingIn(terraform, found);
  if (missing.length === deployments.length) {
    throw new Error(
      `the service has none of the deployments in ${file}: are the address and the tenant those that Terraform uses?`,
    );
  }
  for (const { address, id } of missing)
    stderr.write(`left out: ${sanitize(address)} (${id}) is not on the service\n`);
}

function missingIn({ deployments }: Terraform, found: readonly Observed[]): TerraformDeployment[] {
  const ids = new Set(found.map(({ id }) => id.toLowerCase()));
  return deployments.filter(({ id }) => !ids.has(id.toLowerCase()));
}

/** The keys that imported deployments are to have, by their ids. */
export function keysIn({ deployments }: TerraformState): ReadonlyMap<string, string> {
  return new Map([...deployments].reverse().map(({ id, key }) => [id.toLowerCase(), key]));
}

export function idsIn({ deployments }: TerraformState): string[] {
  return [...new Set(deployments.map(({ id }) => id.toLowerCase()))];
}

/** What of the state is in the import file. */
function takenOver({ deployments }: Terraform, { imported, kept }: ImportPlan): TerraformDeployment[] {
  const ids = new Set([...imported, ...kept].map(({ observed }) => observed.id.toLowerCase()));
  return deployments.filter(({ id }) => ids.has(id.toLowerCase()));
}

/** What to do with Terraform once the stack has the deployments. */
export function handOver(terraform: Terraform, plan: ImportPlan, step: number): string[] {
  const { file, others } = terraform;
  const stay = others === 1 ? "1 other resource" : `${others} other resources`;
  return [
    `${step}. When the preview shows no change, let Terraform forget them, so that no two tools own one deployment. Remove`,
    "   their blocks from its configuration too: otherwise the next apply creates them anew.",
    ...takenOver(terraform, plan).map((each) => `     ${forget(each)}`),
    ...(others === 0 ? [] : [`   ${stay} in ${file} ${others === 1 ? "stays" : "stay"} with Terraform.`]),
  ];
}

export function handOverJson(terraform: Terraform, plan: ImportPlan) {
  const { withoutId, others } = terraform;
  return {
    takenOver: takenOver(terraform, plan).map((each) => ({ ...each, command: forget(each) })),
    withoutId,
    otherResources: others,
  };
}

/** The command that removes a deployment from the state, for a POSIX shell. */
function forget({ address }: TerraformDeployment): string {
  return `terraform state rm '${sanitize(address).replaceAll("'", `'\\''`)}'`;
}
