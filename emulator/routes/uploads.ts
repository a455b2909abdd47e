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

/** The signature covers two headers: without them the store refuses. */
const signed = { "content-type": "application/gzip", "x-goog-content-length-range": "0,209715200" };

export const upload: Handler = ({ plane, params, headers }) => {
  const id = params["upload_id"] ?? "";
  const uploads = plane.deployments.flatMap((record) => record.uploads ?? []);
  const target = uploads.find((candidate) => candidate.id === id.toLowerCase());
  if (target === undefined) throw new Refusal(404, fill(plane.rules.texts.uploadNotFound, { id }));
  const differing = Object.entries(signed).find(([name, value]) => headers[name] !== value);
  if (differing !== undefined)
    throw new Refusal(403, fill(plane.rules.texts.signature, { header: differing[0] }));
  target.received = true;
  return { status: 200 };
};

function uploadPath({ rules }: ControlPlane, id: string): string {
  return (rules.endpoints.upload?.path ?? "").replace("{upload_id}", id);
}

function refuseOther(record: DeploymentRecord, source: string, text: string): void {
  if (record.source !== source) throw new Refusal(400, fill(text, { source }));
}
