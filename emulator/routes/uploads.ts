import { gunzipSync } from "node:zlib";
import { fill, isObject, parseJson } from "../json-values";
import { Refusal } from "../refusal";
import { headers as names } from "../rules/dialect-rules";
import { findLivingDeployment, notFound, type Handler } from "./call";

/** How source archives get to the service. */

export const makeUploadUrl: Handler = (call) => {
  const { plane, headers } = call;
  const record = findLivingDeployment(call);
  const source = "internal_source";
  if (record.source !== source) throw new Refusal(400, fill(plane.rules.texts.uploadRefused, { source }));
  const { offer, toldHeaders } = plane.rules.uploads ?? {};
  if (call.bytes.length > 0 && offer === "refused") throw new Refusal(422, plane.rules.texts.uploadBody);
  const id = plane.ids.uuid();
  const object_path = `${record.tenant_id}/${record.id}/${id}.tar.gz`;
  record.uploads = [...(record.uploads ?? []), { id, object_path, received: false }];
  const { path = "" } = plane.rules.endpoints.find(({ name }) => name === "upload") ?? {};
  const upload_url = `http://${headers.host ?? "127.0.0.1"}${fill(path, { upload_id: id })}`;
  const upload_headers = isOffered(call.bytes) ? toldHeaders : undefined;
  return { status: 200, body: { upload_url, object_path, ...(upload_headers && { upload_headers }) } };
};

function isOffered(bytes: Buffer): boolean {
  const body = parseJson(bytes.toString());
  return isObject(body) && body["supports_upload_headers"] === true;
}

export const upload: Handler = ({ plane, params, headers, bytes }) => {
  const { texts, uploads: rules } = plane.rules;
  const id = (params["upload_id"] ?? "").toLowerCase();
  const issued = plane.deployments.flatMap((record) => record.uploads ?? []);
  const target = issued.find((candidate) => candidate.id === id);
  if (target === undefined) throw notFound(plane, "Upload", id);
  // The URL is signed for these headers, so storage requires them.
  for (const [header, value] of Object.entries(rules?.headers ?? {}))
    if (headers[header.toLowerCase()] !== value) throw new Refusal(403, fill(texts.signature, { header }));
  if (Number(headers["content-length"]) !== bytes.length) throw new Refusal(411, texts.uploadWithoutLength);
  // Storage is not part of the service, so sending the key here gives it away.
  if (headers[names.apiKey.toLowerCase()] !== undefined)
    throw new Refusal(400, fill(texts.keyGivenAway, { header: names.apiKey }));
  if (!isGzip(bytes)) throw new Refusal(400, texts.uploadNoArchive);

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
