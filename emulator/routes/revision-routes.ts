import { fill } from "../json-values";
import { Refusal } from "../refusal";
import { countPoll, endRollout, settle } from "../state/revision-rollout";
import { findDeployment, findLivingDeployment, findRevision, type Handler } from "./call";
import { revisionResponse, revisionStatus } from "./responses";

/** Newest first. */
export const listRevisions: Handler = (call) => {
  const { plane, query } = call;
  const { limit, offset, filters } = query;
  const { status, remote_reconciled } = filters;
  const record = findDeployment(call);
  const isShown = (remote_reconciled ?? record.remote_reconciled) === record.remote_reconciled;
  const page = record.revisions
    .filter(
      (each) => isShown && (!Array.isArray(status) || status.includes(revisionStatus(plane.rules, each))),
    )
    .reverse()
    .slice(offset, offset + limit);
  const resources = page.map((revision) => revisionResponse(plane.rules, revision));
  countPoll(plane, [record]);
  return { status: 200, body: { resources, offset: offset + page.length } };
};

export const getRevision: Handler = (call) => {
  const { plane } = call;
  const record = findDeployment(call);
  const body = revisionResponse(plane.rules, findRevision(call, record));
  countPoll(plane, [record]);
  return { status: 200, body };
};

/** Ends an unfinished revision; a queued one then starts. */
export const interruptRevision: Handler = (call) => {
  const { plane } = call;
  const record = findLivingDeployment(call);
  const revision = findRevision(call, record);
  if (revision.state !== "rolling-out" && revision.state !== "queued")
    throw new Refusal(409, fill(plane.rules.texts.interruptionRefused, { id: revision.id }));
  endRollout(plane, record, revision, { state: "interrupted" });
  settle(plane);
  return { status: 202 };
};
