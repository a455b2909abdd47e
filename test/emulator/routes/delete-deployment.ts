import { chooseFrom, type Deletion } from "../state/script";
import { settle } from "../state/settle";
import { findLivingDeployment } from "./find-deployment";
import type { Handler } from "./handler";

const DEFAULT_DELETION: Deletion = { looks: 1 };

export const deleteDeployment: Handler = (call) => {
  const { plane } = call;
  const record = findLivingDeployment(call);
  const subject = { name: record.name, revision: record.revisions.length };
  record.status = plane.rules.status.deleting;
  record.deletion = {
    script: chooseFrom(plane.settings.deletion, subject, DEFAULT_DELETION),
    startedAt: plane.clock.now(),
    looks: 0,
  };
  settle(plane);
  return { status: 204 };
};
