/**
 * Whose deployment it is: the service, tenant and dialect it was made with. Through another connection it is not changed,
 * not deleted, and what is not found there is not deleted either.
 */
import { isUuid } from "../../schema/filters";
import { DeploymentError, isKind } from "../errors";
import { sanitize } from "../text/sanitize";
import type { Maker } from "./claims";
import type { Connected, Context, Observed } from "./service";
import { privateStateOf, type MadeWith, type Stored } from "./state";

/** Says that what the connection does not show was really deleted, where a key that sees nothing cannot tell. */
export const allDeletedVariable = "DEPLOYMENT_SERVICE_ALL_DELETED";

/** What a deployment was made with, as far as its state tells. */
export function madeWith(state: Stored): Partial<MadeWith> {
  const { tenantId } = state;
  return { ...(tenantId && { tenantId }), ...privateStateOf(state).madeWith };
}

/**
 * Whether the program gave the deployment to another service or tenant, which replaces it. Throws where the connection of the
 * same provider has changed: then it is not known whether that is meant.
 *
 * @param hasOtherProvider whether the program names another provider than before
 */
export function isMoved(state: Stored, connected: Connected, hasOtherProvider: boolean): boolean {
  if (hasOtherProvider && (isOtherAddress(state, connected) || isOtherTenant(state, connected))) return true;
  refuseElsewhere(state, connected);
  return false;
}

/** Throws where the connection is not the one that the deployment was made with. */
export function refuseElsewhere(state: Stored, connected: Connected): void {
  refuseOtherSettings(state, connected);
  refuseOtherAddress(state, connected);
}

/** As above, but for the address: what a refresh finds at another one decides. */
export function refuseOtherSettings(state: Stored, connected: Connected): void {
  const { tenantId, dialect } = madeWith(state);
  if (isOtherTenant(state, connected)) {
    throw new DeploymentError(
      `the deployment belongs to tenant ${tenantId}, the connection is set to tenant ${connected.tenantId}: ` +
        "what this tenant does not see is not taken as deleted. Set `deployment-service:tenantId`",
    );
  }
  if (dialect === undefined || dialect === connected.dialect.name) return;
  throw new DeploymentError(
    `the deployment was made with dialect ${dialect}, the connection is set to dialect ${connected.dialect.name}: set ` +
      `\`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT) to ${dialect}. Nothing was changed`,
  );
}

function isOtherTenant(state: Stored, { tenantId }: Connected): boolean {
  const made = madeWith(state).tenantId?.toLowerCase();
  return made !== undefined && tenantId !== undefined && made !== tenantId.toLowerCase();
}

export function isOtherAddress(state: Stored, connected: Connected): boolean {
  const { address } = madeWith(state);
  return address !== undefined && address !== connected.address;
}

export function refuseOtherAddress(state: Stored, connected: Connected): void {
  if (!isOtherAddress(state, connected)) return;
  const made = madeWith(state).address!;
  throw new DeploymentError(
    `the deployment was made at ${made}, the connection is set to ${connected.address}. If that is the same service under a ` +
      "new address, run `pulumi refresh --run-program`: it takes the address over where it finds the same id and name. If it " +
      `is another service, set \`deployment-service:baseUrl\` back to ${made} and run \`pulumi destroy --run-program\` there ` +
      `first, or give the deployment another Provider, which moves it. Where what the new address does ` +
      `not show was really deleted, run \`pulumi refresh --run-program\` with ${allDeletedVariable}=true. Nothing was changed`,
  );
}

/** Throws where what the service answers under the id is not the deployment that the state means. */
export function refuseAnother(context: Context, state: Stored, observed: Observed): void {
  if (observed.name !== state.name) refuseOtherAddress(state, context);
  if (observed.source === state.source) return;
  throw new DeploymentError(
    `the service answers the source ${observed.source}, the state has ${String(state.source)}, and a source never ` +
      `changes: the setting \`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT), now ${context.dialect.name}, does not ` +
      "fit this service. Nothing was changed",
  );
}

/**
 * What is to be remembered of the connection, once the service has answered.
 *
 * @param isWritten whether the service accepted a change, and so the key
 */
export function madeBy(
  { address, dialect, keyDigest }: Connected,
  { tenantId }: Observed,
  state: Stored = {},
  isWritten = true,
): MadeWith {
  const made = madeWith(state);
  // A refresh with a rotated key is to find nothing changed.
  const key = isWritten || made.address !== address ? keyDigest : made.keyDigest;
  return {
    address,
    tenantId: made.tenantId ?? tenantId,
    dialect: dialect.name,
    ...(key !== undefined && { keyDigest: key }),
  };
}

/** What the service has under the id. Throws where not even its list is there: another address is the likely reason. */
export async function readHere(context: Context, id: string, state: Stored): Promise<Observed | undefined> {
  try {
    return await context.service.read(id);
  } catch (error) {
    if (isKind(error, "not-found")) refuseOtherAddress(state, context);
    if (isKind(error, "invalid") && !isUuid(id)) throw new DeploymentError(noId(id), { cause: error });
    throw error;
  }
}

/** What is likeliest to be passed for one is the name. */
function noId(id: string): string {
  const shown = `"${sanitize(id, longestId)}"`;
  return `${shown} is not the id of a deployment: expected a UUID. \`deployment-service list\` shows each deployment's id beside its name`;
}

const longestId = 100;

/** Throws where "not found" does not say that the deployment was deleted. */
export async function confirmDeleted(context: Context, id: string, state: Stored): Promise<void> {
  const { run, log, service } = context;
  if (!run.isAllDeleted) refuseOtherAddress(state, context);
  const { tenantId } = madeWith(state);
  const seen = await service.sees(tenantId ?? null);
  if (seen === "tenant") return;
  if (!run.isAllDeleted) {
    const doubt = seen === "nothing" ? doubtOfNothing(context, state) : doubtOfOthers(id, tenantId);
    if (doubt !== undefined) {
      throw new DeploymentError(
        `${doubt}. Use the right key, or set \`deployment-service:tenantId\`. Where all that the key does not show was really ` +
          `deleted, run the command with ${allDeletedVariable}=true`,
      );
    }
  }
  const sees = seen === "nothing" ? "sees no deployment at all" : "sees deployments of other tenants only";
  log.warning(`the deployment ${id} is taken as deleted: the API key ${sees}`);
}

/** Why a key that sees nothing may be the wrong one. That of a lone deployment which the same key made is believed. */
function doubtOfNothing({ run, keyDigest, hasSiblings }: Context, state: Stored): string | undefined {
  const shows = "the service shows this API key no deployment at all";
  if (isOtherKey(madeWith(state), keyDigest))
    return `${shows}, and the deployment was made with another API key, so it is not taken as deleted`;
  if (run.knownCount > 1)
    return `${shows}, and the stack has at least ${run.knownCount}, so none is taken as deleted`;
  if (hasSiblings) return `${shows}, and the stack has or had others, so it is not taken as deleted`;
  return undefined;
}

function doubtOfOthers(id: string, tenantId: string | null | undefined): string {
  return (
    `the service does not show the deployment ${id} of tenant ${tenantId}, and shows this API key deployments of other ` +
    "tenants only, so it is not taken as deleted"
  );
}

function isOtherKey({ keyDigest: made }: Maker, keyDigest: string | undefined): boolean {
  return made !== undefined && keyDigest !== undefined && made !== keyDigest;
}

/** Throws where a replacement would be made in another tenant, and what it replaces could not be deleted. */
export async function refuseOtherTenant(context: Context, replaced: Maker): Promise<void> {
  const { keyDigest, service, run } = context;
  if (run.isAllDeleted || !isOtherKey(replaced, keyDigest)) return;
  const { tenantId } = replaced;
  if ((await service.sees(tenantId ?? null)) === "tenant") return;
  throw new DeploymentError(
    `the deployment to be replaced was made with another API key, and this key sees nothing of its tenant ${tenantId}: ` +
      `nothing was created. Use the right key, or set \`deployment-service:tenantId\`. Where the old one was really deleted, ` +
      `run \`pulumi refresh\` with ${allDeletedVariable}=true first`,
  );
}
