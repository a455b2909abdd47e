import type { IncomingHttpHeaders } from "node:http";
import { fill, type Json } from "../json-values";
import { Refusal } from "../refusal";
import type { Query } from "../rules/query";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord, RevisionRecord } from "../state/deployment-record";

/** The part of a request that is known before its body arrives. */
export interface Head {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface Inbound extends Head {
  /** Empty if there is no body. */
  readonly text: string;
  readonly bytes: Buffer;
}

/** A request, as an endpoint sees it. */
export interface Call {
  readonly plane: ControlPlane;
  /** The values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Null if the endpoint reads none. */
  readonly body: Json;
  readonly headers: IncomingHttpHeaders;
  /** The body as it arrived. */
  readonly bytes: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  /** If absent, the response has no body. */
  readonly body?: Json;
}

export type Handler = (call: Call) => HttpResponse;

export function notFound({ rules }: ControlPlane, what: string, id: string): Refusal {
  return new Refusal(404, fill(rules.texts.notFound, { what, id }));
}

/** The deployment that the path refers to. Throws a Refusal if there is none. */
export function findDeployment({ plane, params }: Call): DeploymentRecord {
  const id = params["deployment_id"] ?? "";
  const record = plane.deployments.find((candidate) => candidate.id === id.toLowerCase());
  if (record === undefined) throw notFound(plane, "Deployment", id);
  return record;
}

/** The same, but refuses a deployment that is being deleted. */
export function findLivingDeployment(call: Call): DeploymentRecord {
  const record = findDeployment(call);
  if (record.deletion !== undefined)
    throw new Refusal(409, fill(call.plane.rules.texts.beingDeleted, { name: record.name }));
  return record;
}

export function findRevision({ plane, params }: Call, record: DeploymentRecord): RevisionRecord {
  const id = params["revision_id"] ?? "";
  const revision = record.revisions.find((candidate) => candidate.id === id.toLowerCase());
  if (revision === undefined) throw notFound(plane, "Revision", id);
  return revision;
}
