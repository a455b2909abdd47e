import { fill } from "../json";
import { Refusal } from "../refusal";
import { revisionAnswer, revisionStatus } from "../state/answer";
import { countLook } from "../state/settle";
import { findDeployment } from "./find-deployment";
import type { Handler } from "./handler";
import { parseQuery } from "./query";

/** Newest first. */
export const listRevisions: Handler = (call) => {
  const { plane, query } = call;
  const { limit, offset, filters } = parseQuery(plane.rules.queries.revisions, query);
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
  const resources = page.map((revision) => revisionAnswer(plane, revision));
  countLook(plane, [record]);
  return { status: 200, body: { resources, offset: offset + page.length } };
};

export const getRevision: Handler = (call) => {
  const { plane, params } = call;
  const record = findDeployment(call);
  const id = params["revision_id"] ?? "";
  const revision = record.revisions.find((candidate) => candidate.id === id.toLowerCase());
  if (revision === undefined) throw new Refusal(404, fill(plane.rules.texts.revisionNotFound, { id }));
  const body = revisionAnswer(plane, revision);
  countLook(plane, [record]);
  return { status: 200, body };
};
