import { fill } from "../json-values";
import { Refusal } from "../refusal";
import { statuses } from "../rules/dialect-rules";
import { usualDeletion } from "../state/control-plane";
import { chooseFrom } from "../state/script";
import { settle } from "../state/revision-rollout";
import { findDeployment, type Handler } from "./call";

export const deleteDeployment: Handler = (call) => {
  const { plane, query } = call;
  const { rules, settings, clock } = plane;
  const record = findDeployment(call);
  const { name, revisions } = record;
  if (record.deletion !== undefined) throw new Refusal(409, fill(rules.texts.beingDeleted, { name }));

  const script = chooseFrom(settings.deletion, { name, revision: revisions.length }, usualDeletion(rules));
  record.status = statuses.deleting;
  record.deletion = { script, startedAt: clock.now(), polls: 0 };
  if (query.filters["delete_tracing_project"] === true) plane.tracingProjects.delete(name);
  settle(plane);
  return { status: 204 };
};
