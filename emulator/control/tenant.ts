import type { JsonObject } from "../json-values";
import { Refusal } from "../refusal";
import { addDeployment } from "../routes/create-deployment";
import { laterThan } from "../state/service-clock";
import { byNameOrId, type ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/deployment-record";
import { addRevision, finishRollout, setRollout, settle } from "../state/revision-rollout";
import type { Failing } from "../state/script";

/**
 * The deployments of one tenant, and what happens to them without the program's doing. Unknown names and ids throw a
 * `Refusal`, and so do bodies that the service refuses. Records are copies.
 */
export interface Tenant {
  /** In the order of creation. */
  deployments(): DeploymentRecord[];
  deployment(nameOrId: string): DeploymentRecord | undefined;
  /** Follows the same rules as a POST, but the deployment is ready at once. */
  create(body: JsonObject): DeploymentRecord;
  /** Drift: changes the stored record. */
  change(
    nameOrId: string,
    mutate: (record: DeploymentRecord) => void,
    options?: ChangeOptions,
  ): DeploymentRecord;
  /** Removes the deployment at once. */
  remove(nameOrId: string): void;
  /**
   * Stops the running rollout until `finish`; if it is `"stuck"`, later revisions are queued. To stop later rollouts:
   * `configure({ rollout: "never" })`.
   */
  hold(nameOrId: string, how?: "never" | "stuck"): DeploymentRecord;
  /** Ends the running rollout now. It succeeds unless `ending` says that it fails. */
  finish(nameOrId: string, ending?: Failing): DeploymentRecord;
}

export interface ChangeOptions {
  /** Also creates a revision. */
  readonly revision?: boolean;
}

export function tenantOf(plane: ControlPlane): Tenant {
  const look = (nameOrId: string) => {
    settle(plane);
    return byNameOrId(plane, nameOrId);
  };
  const find = (nameOrId: string): DeploymentRecord => {
    const record = look(nameOrId);
    if (record === undefined) throw new Refusal(404, `The emulator has no deployment '${nameOrId}'.`);
    return record;
  };
  const after = (record: DeploymentRecord, act: (record: DeploymentRecord) => void) => {
    act(record);
    return structuredClone(record);
  };
  return {
    deployments: () => {
      settle(plane);
      return structuredClone(plane.deployments);
    },
    deployment: (nameOrId) => structuredClone(look(nameOrId)),
    create: (body) => after(addDeployment(plane, body), (record) => finishRollout(plane, record)),
    change: (nameOrId, mutate, { revision = false } = {}) => {
      const record = find(nameOrId);
      const { status } = record;
      delete record.behind;
      mutate(record);
      record.updated_at = laterThan(record.updated_at, plane.clock);
      const { source, source_revision_config } = record;
      const latest = record.revisions.at(-1);
      if (revision) addRevision(plane, record, source, source_revision_config);
      else if (latest !== undefined) latest.source_revision_config = structuredClone(source_revision_config);
      // A status that was set by hand stays.
      if (record.status !== status) setRollout(record, [record.status]);
      settle(plane);
      return structuredClone(record);
    },
    remove: (nameOrId) => {
      const gone = find(nameOrId);
      plane.deployments = plane.deployments.filter((record) => record !== gone);
    },
    hold: (nameOrId, how = "never") => after(find(nameOrId), (record) => setRollout(record, how)),
    finish: (nameOrId, ending) => after(find(nameOrId), (record) => finishRollout(plane, record, ending)),
  };
}
