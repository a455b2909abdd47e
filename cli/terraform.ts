/** The part of `import` that reads a Terraform state. */
import type { ImportChoice } from "./import/choice";
import {
  NoState,
  readTerraformState,
  type TerraformDeployment,
  type TerraformState,
} from "./import/terraform";
import { settingNamed } from "../provider/settings/table";
import { decode } from "../provider/text/decode";
import { sanitize } from "../provider/text/sanitize";
import type { Observed } from "../provider/deployment/service";
import { FileError, UsageError, type ParsedArguments, type Flag, type Io } from "./command";
import { filterFlags } from "./deployments/filter-flags";
import { readInput } from "./files/manifest-file";

export const terraformFlag: Flag = {
  name: "terraform",
  value: "FILE",
  doc: "Import the deployments of a Terraform state: the state file, or the output of `terraform show -json`; `-` is standard input",
};

export interface Terraform extends TerraformState {
  readonly file: string;
}

/** Undefined without `--terraform`. */
export async function terraformIn({ flags }: ParsedArguments, io: Io): Promise<Terraform | undefined> {
  const file = flags["terraform"];
  if (file === undefined) return undefined;
  const filter = filterFlags.find(({ name }) => flags[name] !== undefined);
  if (filter !== undefined) {
    throw new UsageError(
      `--terraform imports all deployments of the state, so it cannot be combined with --${filter.name}`,
    );
  }
  const name = file === "-" ? "standard input" : sanitize(file);
  try {
    return { file: name, ...readTerraformState(decode(await readInput(file, io)).text) };
  } catch (error) {
    throw error instanceof NoState ? new FileError(`${name} ${error.message}`) : error;
  }
}

/** Reports the state's deployments that cannot be imported. Throws if the service has none of them. */
export function reportMissing(
  { file, deployments, withoutId, deposed }: Terraform,
  found: readonly Observed[],
  { stderr }: Io,
): void {
  for (const address of withoutId) stderr.write(`skipped: ${sanitize(address)} has no id in the state\n`);
  for (const { address, id = "without an id" } of deposed) {
    stderr.write(
      `skipped: ${sanitize(address)} (${id}) was replaced, and Terraform still has to delete it: run \`terraform apply\` first\n`,
    );
  }
  const ids = new Set(found.map(({ id }) => id.toLowerCase()));
  const missing = deployments.filter(({ id }) => !ids.has(id.toLowerCase()));
  if (missing.length === deployments.length) {
    const workspaces = [...new Set(missing.flatMap(({ workspace }) => workspace ?? []))];
    const theirs = workspaces.length === 0 ? "" : `. The state names the workspace ${workspaces.join(", ")}`;
    throw new Error(
      `the service has none of the deployments in ${file}: check that the address and the tenant are the ones that Terraform uses${theirs}`,
    );
  }
  const tenants = found.map(({ tenantId }) => tenantId);
  for (const { address, id, workspace } of missing) {
    const isElsewhere = workspace !== undefined && !tenants.includes(workspace);
    const why = isElsewhere
      ? `belongs to the workspace ${workspace}: set ${settingNamed("tenantId")} to it to import it`
      : "is not on the service";
    stderr.write(`skipped: ${sanitize(address)} (${id}) ${why}\n`);
  }
}

/** The keys for imported deployments, by id. */
export function keysIn({ deployments }: TerraformState): ReadonlyMap<string, string> {
  return new Map([...deployments].reverse().map(({ id, key }) => [id.toLowerCase(), key]));
}

export function idsIn({ deployments }: TerraformState): string[] {
  return [...new Set(deployments.map(({ id }) => id.toLowerCase()))];
}

/** The state's deployments that are in the import file. */
function takenOver({ deployments }: Terraform, { imported, kept }: ImportChoice): TerraformDeployment[] {
  const ids = new Set([...imported, ...kept].map(({ observed }) => observed.id.toLowerCase()));
  return deployments.filter(({ id }) => ids.has(id.toLowerCase()));
}

/** The instructions for removing the deployments from Terraform once the stack has them. */
export function handOver(terraform: Terraform, plan: ImportChoice): string[] {
  const { file, others, deposed } = terraform;
  const stay = others === 1 ? "1 other resource" : `${others} other resources`;
  return [
    "When the preview shows no change, remove them from Terraform, so that only one tool manages them. Remove their",
    "blocks from its configuration too: otherwise the next apply creates them again.",
    ...takenOver(terraform, plan)
      .flatMap((each) => stateRmCommand(terraform, each) ?? [])
      .map((line) => `  ${line}`),
    ...(deposed.length === 0
      ? []
      : [
          "Of these, Terraform still has to delete a deployment that was replaced, which `state rm` would forget. Run",
          "`terraform apply` first, then this command again:",
          ...deposed.map(({ address, id = "without an id" }) => `  ${sanitize(address)} (${id})`),
        ]),
    ...(others === 0 ? [] : [`${stay} in ${file} ${others === 1 ? "stays" : "stay"} with Terraform.`]),
  ];
}

export function handOverJson(terraform: Terraform, plan: ImportChoice) {
  const { withoutId, deposed, others } = terraform;
  return {
    takenOver: takenOver(terraform, plan).map(({ address, id, key }) => {
      return { address, id, key, command: stateRmCommand(terraform, { address }) };
    }),
    deposed,
    withoutId,
    otherResources: others,
  };
}

/** The command that removes a deployment from the state, for a POSIX shell. Undefined if it would forget a deposed one too. */
function stateRmCommand(
  { deposed }: Terraform,
  { address }: Pick<TerraformDeployment, "address">,
): string | undefined {
  if (deposed.some((each) => each.address === address)) return undefined;
  return `terraform state rm '${sanitize(address).replaceAll("'", `'\\''`)}'`;
}
