import type { JsonObject } from "../json";
import { Refusal } from "../refusal";
import { addDeployment } from "../routes/create-deployment";
import { byNameOrId, laterThan, type ControlPlane } from "../state/control-plane";
import { type DeploymentRecord, latestRevision } from "../state/record";
import { addRevision } from "../state/revisions";
import { finishRollout, freezeRollout, settle } from "../state/settle";

/** What somebody does behind the caller's back. Each of these is done at once, without a rollout. */

export function clickCreate(plane: ControlPlane, body: JsonObject): DeploymentRecord {
  const record = addDeployment(plane, body);
  finishRollout(plane, record);
  return record;
}

export interface ChangeOptions {
  /** The change also makes a revision, whose rollout follows the script. */
  readonly revision?: boolean;
}

export function clickChange(
  plane: ControlPlane,
  nameOrId: string,
  mutate: (record: DeploymentRecord) => void,
  { revision = false }: ChangeOptions = {},
): DeploymentRecord {
  const record = mustFind(plane, nameOrId);
  const status = record.status;
  delete record.behind;
  mutate(record);
  record.updated_at = laterThan(record.updated_at, plane.clock);
  const latest = latestRevision(record);
  if (revision) addRevision(plane, record, record.source, record.source_revision_config);
  else if (latest !== undefined)
    latest.source_revision_config = structuredClone(record.source_revision_config);
  if (record.status !== status) freezeRollout(record);
  settle(plane);
  return record;
}

export function clickRemove(plane: ControlPlane, nameOrId: string): void {
  const gone = mustFind(plane, nameOrId);
  plane.deployments = plane.deployments.filter((record) => record !== gone);
}

export function mustFind(plane: ControlPlane, nameOrId: string): DeploymentRecord {
  settle(plane);
  const record = byNameOrId(plane, nameOrId);
  if (record === undefined) throw new Refusal(404, `The emulator has no deployment '${nameOrId}'.`);
  return record;
}
