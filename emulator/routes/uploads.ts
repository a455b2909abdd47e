import { gunzipSync } from "node:zlib";
import { fill } from "../json";
import { Refusal } from "../refusal";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/record";
import { findLivingDeployment } from "./find-deployment";
import type { Handler } from "./handler";

/** How an image or a source archive reaches the service from the outside. */

export const makePushToken: Handler = (call) => {
  const record = findLivingDeployment(call);
  refuseOther(record, "internal_docker", call.plane.rules.texts.pushTokenRefused);
  return {
    status: 200,
    body: { token: call.plane.ids.commit(), registry_url: `registry.example.com/${record.id}` },
  };
};

export const makeUploadUrl: Handler = (call) => {
  const { plane, headers } = call;
  const record = findLivingDeployment(call);
  refuseOther(record, "internal_source", plane.rules.texts.uploadRefused);
  const id = plane.ids.uuid();
  const object_path = `${record.tenant_id}/${record.id}/${id}.tar.gz`;
  record.uploads = [...(record.uploads ?? []), { id, object_path, received: false }];
  const upload_url = `http://${headers.host ?? "127.0.0.1"}${uploadPath(plane, id)}`;
  return { status: 200, body: { upload_url, object_path } };
};

export const upload: Handler = ({ plane, params, headers, bytes }) => {
  const { rules } = plane;
  const id = (params["upload_id"] ?? "").toLowerCase();
  const uploads = plane.deployments.flatMap((record) => record.uploads ?? []);
  const target = uploads.find((candidate) => candidate.id === id);
  if (target === undefined) throw new Refusal(404, fill(rules.texts.uploadNotFound, { id }));
  // The signature covers these headers: without them the storage refuses.
  const differing = Object.entries(rules.uploadHeaders ?? {}).find(
    ([name, value]) => headers[name] !== value,
  );
  if (differing !== undefined) throw new Refusal(403, fill(rules.texts.signature, { header: differing[0] }));
  if (Number(headers["content-length"]) !== bytes.length)
    throw new Refusal(411, rules.texts.uploadWithoutLength);
  // Storage is none of the service: a key that comes along is a key that was given away.
  if (headers[rules.headers.apiKey.toLowerCase()] !== undefined)
    throw new Refusal(400, fill(rules.texts.keyGivenAway, { header: rules.headers.apiKey }));
  if (!isGzip(bytes)) throw new Refusal(400, rules.texts.uploadNoArchive);
  target.received = true;
  plane.uploads.set(id, bytes);
  return { status: 200 };
};

function isGzip(bytes: Buffer): boolean {
  try {
    gunzipSync(bytes);
    return true;
  } catch {
    return false;
  }
}

function uploadPath({ rules }: ControlPlane, id: string): string {
  return (rules.endpoints.upload?.path ?? "").replace("{upload_id}", id);
}

function refuseOther(record: DeploymentRecord, source: string, text: string): void {
  if (record.source !== source) throw new Refusal(400, fill(text, { source }));
}
