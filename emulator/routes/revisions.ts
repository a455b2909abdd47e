import { revisionResponse, revisionStatus } from "../state/response";
import { countPoll } from "../state/settle";
import { findDeployment, findRevision } from "./find-deployment";
import type { Handler } from "./handler";

/** Newest first. */
export const listRevisions: Handler = (call) => {
  const { plane, query } = call;
  const { limit, offset, filters } = query;
  const record = findDeployment(call);
  const page = record.revisions
    .filter((revision) =>
      filters.every(({ filter, value }) => {
        if (filter === "remoteReconciled") return record.remote_reconciled === value;
        return Array.isArray(value) && value.includes(revisionStatus(plane.rules, revision));
      }),
    )
    .reverse()
    .slice(offset, offset + limit);
  const resources = page.map((revision) => revisionResponse(plane, revision));
  countPoll(plane, [record]);
  return { status: 200, body: { resources, offset: offset + page.length } };
};

export const getRevision: Handler = (call) => {
  const { plane } = call;
  const record = findDeployment(call);
  const body = revisionResponse(plane, findRevision(call, record));
  countPoll(plane, [record]);
  return { status: 200, body };
};
