/** The connection that a deployment was created with. Another one must not change or delete it, nor take it for deleted. */
import { isUuid } from "../../schema/uuid";
import { DeploymentError, isKind, SharedError } from "../errors";
import { sanitize } from "../text/sanitize";
import type { Connected, Context } from "./context";
import { isDeleting, type Observed } from "./service";
import type { MadeWith } from "./private-state";
import type { State } from "./state";

/**
 * Whether the program assigned the deployment to another service or tenant, which replaces it. Throws if the same provider has a
 * different connection, since that may be a mistake.
 *
 * @param hasOtherProvider whether the program uses a different provider than before
 */
export function isMoved(state: State, connected: Connected, hasOtherProvider: boolean): boolean {
  if (hasOtherProvider && (isOtherAddress(state, connected) || isOtherTenant(state, connected))) return true;
  refuseElsewhere(state, connected);
  return false;
}

/** Reads the deployment of a state; undefined if there is none. Throws if it may be another one, or only hidden. */
export async function readManaged(context: Context, id: string, state: State): Promise<Observed | undefined> {
  refuseOtherSettings(state, context);
  const observed = await readUnmanaged(context, id, state);
  if (observed === undefined) await refuseUnseen(state, context);
  else if (!isDeleting(observed)) refuseAnother(context, state, observed);
  return observed;
}

/** Throws unless this connection may change or delete the deployment. */
export function refuseElsewhere(state: State, connected: Connected): void {
  refuseOtherSettings(state, connected);
  refuseOtherAddress(state, connected);
}

/** Throws if something else than a program owns the deployment. */
export function refuseOwned({ id, owner }: Observed): void {
  if (owner === undefined) return;
  throw new DeploymentError(
    `the deployment ${id} is a ${owner.what}, which ${owner.owns}. It is never adopted, imported or deleted here. To read it, use ` +
      "`getDeployment`. If a stack has it already, `pulumi state delete` removes it there",
  );
}

/** Throws for another tenant or dialect. A refresh accepts a new address if it finds the deployment there. */
function refuseOtherSettings(state: State, connected: Connected): void {
  const { tenantId } = state.observed;
  const dialect = state.private.madeWith?.dialect;
  if (isOtherTenant(state, connected)) {
    throw new SharedError(
      `the deployment belongs to tenant ${tenantId}, but the connection is set to tenant ${connected.tenantId}`,
      `: nothing was assumed to be deleted. Set \`deployment-service:tenantId\` to ${tenantId}. ${onlyWithProgram}`,
    );
  }
  if (dialect === undefined || dialect === connected.dialect.name) return;
  throw new SharedError(
    `the deployment was created with dialect ${dialect}, but the connection is set to dialect ${connected.dialect.name}`,
    `: set \`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT) to ${dialect}. Nothing was changed. ${onlyWithProgram}`,
  );
}

/** Without the program, the engine uses the settings of the last `up`. */
const onlyWithProgram = "`refresh` and `destroy` use the new value only with `--run-program`";

function isOtherTenant({ observed }: State, { tenantId }: Connected): boolean {
  const made = observed.tenantId?.toLowerCase();
  return made !== undefined && tenantId !== undefined && made !== tenantId.toLowerCase();
}

function isOtherAddress({ private: { madeWith } }: State, connected: Connected): boolean {
  return madeWith !== undefined && madeWith.address !== connected.address;
}

/** @param isAsked whether the service at this address has answered that it does not have the deployment */
function refuseOtherAddress(state: State, connected: Connected, isAsked = false): void {
  if (!isOtherAddress(state, connected)) return;
  const made = state.private.madeWith!.address;
  const brief = `the deployment was created at ${made}, but the connection is set to ${connected.address}`;
  const back = `set \`deployment-service:baseUrl\` back to ${made}`;
  const deleted = "If the deployment no longer exists, run `pulumi state delete`. Nothing was changed";
  const wayOut = isAsked
    ? `, which does not have it and is probably another service: ${back}`
    : ". If that is the same service under a new address, run `pulumi refresh --run-program`: it accepts the new address if " +
      `it finds the same id and name there. If it is another service, ${back} and first run \`pulumi destroy --run-program\`, ` +
      "or assign the deployment to another Provider, which moves it";
  throw new SharedError(brief, `${wayOut}. ${deleted}`);
}

/** Throws if the service has a different deployment under the same id. */
function refuseAnother(context: Context, state: State, observed: Observed): void {
  if (observed.name !== state.arguments.name) refuseOtherAddress(state, context, true);
  if (observed.source === state.arguments.source) return;
  throw new DeploymentError(
    `the service reports the source ${observed.source}, but the state has ${String(state.arguments.source)}, and the source of a ` +
      `deployment cannot change: the setting \`deployment-service:dialect\` (DEPLOYMENT_SERVICE_DIALECT), now ` +
      `${context.dialect.name}, is wrong for this service. Nothing was changed`,
  );
}

/**
 * What the state records of the connection after a response.
 *
 * @param isWritten whether the service accepted a write with this key
 */
export function madeBy(
  { address, dialect, keyDigest }: Connected,
  made?: MadeWith,
  isWritten = true,
): MadeWith {
  // A refresh with a rotated key must not change the state.
  const isNew = made?.address !== address || (isWritten && keyDigest !== undefined);
  const key = isNew ? keyDigest : made.keyDigest;
  return { address, dialect: dialect.name, ...(key !== undefined && { keyDigest: key }) };
}

/** Reads the deployment. If not even the list exists, throws an error that names another address as the likely reason. */
export async function readUnmanaged(
  context: Context,
  id: string,
  state?: State,
): Promise<Observed | undefined> {
  try {
    return await context.service.read(id);
  } catch (error) {
    if (isKind(error, "not-found") && state !== undefined) refuseOtherAddress(state, context, true);
    if (isKind(error, "invalid") && !isUuid(id)) throw noId(id);
    throw error;
  }
}

/** The most likely mistake is to pass the name. */
function noId(id: string): DeploymentError {
  return new DeploymentError(
    `"${sanitize(id, 100)}" is not the id of a deployment: expected a UUID. ` +
      "`npx pulumi-deployment-service list` shows the id of each deployment",
  );
}

/** Throws if "not found" may only mean a wrong key, tenant or address. Only this may need a request. */
export async function refuseUnseen(state: State, context: Context): Promise<void> {
  refuseOtherAddress(state, context, true);
  const { tenantId: owner } = state.observed;
  const maker = state.private.madeWith?.keyDigest;
  if (maker !== undefined && maker === context.keyDigest) return;
  if (owner != null && owner.toLowerCase() === context.tenantId?.toLowerCase()) return;
  if (await context.service.seesTenant(owner ?? null)) return;
  const tenant =
    owner == null
      ? ""
      : ` set \`deployment-service:tenantId\` to ${owner} (for \`refresh\` and \`destroy\`, DEPLOYMENT_SERVICE_TENANT_ID),`;
  throw new SharedError(
    "this API key does not see the deployment or any other of its tenant",
    `, and it is not the key that created the deployment: nothing was changed. Use the right key,${tenant} or, if the ` +
      "deployment no longer exists, run `pulumi state delete`",
  );
}
