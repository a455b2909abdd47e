import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { fill, isObject, type Json } from "./json";
import { Refusal, refuseIfAny } from "./refusal";
import { createDeployment } from "./routes/create-deployment";
import { countFreeDeployments } from "./routes/count-free-deployments";
import { createRevision, interruptRevision, redeployRevision } from "./routes/create-revision";
import { deleteDeployment, deleteDeployments } from "./routes/delete-deployment";
import type { HttpResponse, Handler } from "./routes/handler";
import { getDeployment, listDeployments } from "./routes/list-deployments";
import {
  createListener,
  deleteListener,
  getListener,
  listListeners,
  patchListener,
} from "./routes/listeners";
import { readBuildLogs, readDeployLogs, readLogs } from "./routes/logs";
import { patchDeployment } from "./routes/patch-deployment";
import { parseQuery } from "./routes/query";
import {
  listCodehostIntegrations,
  listCodehostRepositories,
  listServiceIntegrations,
  listServiceRepositories,
} from "./routes/repositories";
import { getRevision, listRevisions } from "./routes/revisions";
import { makePushToken, makeUploadUrl, upload } from "./routes/uploads";
import type { Endpoint, EndpointName } from "./rules/rules";
import { isUuid } from "./shape";
import type { ControlPlane } from "./state/control-plane";
import { sha256 } from "./state/ids";
import { settle } from "./state/settle";

/** A request as it came over the wire. */
export interface Inbound {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as a text; empty where it is none. */
  readonly text: string;
  /** The body. */
  readonly bytes: Buffer;
}

export interface Access {
  readonly apiKey: string;
  /** Asked for in every request when set. */
  readonly tenantId: string | undefined;
  /** The organization has the service. */
  readonly enabled: boolean;
}

const handlers: Record<EndpointName, Handler> = {
  createDeployment,
  listDeployments,
  getDeployment,
  patchDeployment,
  deleteDeployment,
  deleteDeployments,
  deleteProject: deleteDeployment,
  countFreeDeployments,
  listRevisions,
  getRevision,
  createRevision,
  redeployRevision,
  interruptRevision,
  makePushToken,
  makeUploadUrl,
  upload,
  listListeners,
  createListener,
  getListener,
  patchListener,
  deleteListener,
  listCodehostIntegrations,
  listCodehostRepositories,
  listServiceIntegrations,
  listServiceRepositories,
  readLogs,
  readRevisionLogs: readLogs,
  readBuildLogs,
  readDeployLogs,
  readRevisionDeployLogs: readDeployLogs,
};

/** Answers a request as the service would; a refusal is a response like any other. */
export function serve(plane: ControlPlane, access: Access, inbound: Inbound): HttpResponse {
  return respond(() => {
    settle(plane);
    const { rules } = plane;
    const found = route(plane, inbound);
    if (!found?.endpoint.open) authenticate(plane, access, inbound.headers);
    if (found === undefined) throw new Refusal(404, rules.texts.noSuchEndpoint);
    const { name, endpoint, params } = found;
    const body = hasBody(inbound, endpoint) ? parseBody(rules.texts.contentType, inbound) : null;
    refuseMalformedIds(params);
    const query = parseQuery(rules.queries[name] ?? {}, inbound.query, rules.unknownKeys);
    return handlers[name]({ plane, params, query, body, headers: inbound.headers, bytes: inbound.bytes });
  });
}

export function respond(work: () => HttpResponse): HttpResponse {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: { detail: error.detail as Json } };
  }
}

export function authenticate(
  { rules: { headers, texts } }: Pick<ControlPlane, "rules">,
  access: Access,
  given: IncomingHttpHeaders,
): void {
  const key = given[headers.apiKey.toLowerCase()];
  if (key === undefined) throw new Refusal(401, fill(texts.keyMissing, { header: headers.apiKey }));
  if (!sameText(String(key), access.apiKey)) throw new Refusal(401, texts.keyWrong);
  if (!access.enabled) throw new Refusal(403, texts.notEnabled);
  if (access.tenantId === undefined) return;
  const tenant = given[headers.tenant.toLowerCase()];
  if (tenant === undefined) throw new Refusal(403, fill(texts.tenantRequired, { header: headers.tenant }));
  if (tenant !== access.tenantId) throw new Refusal(403, texts.tenantWrong);
}

function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));
}

function route(plane: ControlPlane, { method, path }: Inbound) {
  for (const [name, endpoint] of Object.entries(plane.rules.endpoints)) {
    const params = endpoint.method === method ? matchPath(endpoint.path, path) : undefined;
    if (params !== undefined) return { name: name as EndpointName, endpoint, params };
  }
  return undefined;
}

/** The values of a template's placeholders, or undefined for another path. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{") && value !== "") params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function refuseMalformedIds(params: Record<string, string>): void {
  refuseIfAny(
    Object.entries(params)
      .filter(([, value]) => !isUuid(value))
      .map(([name, input]) => ({
        type: "uuid_parsing",
        loc: ["path", name],
        msg: "Input should be a valid UUID",
        input,
      })),
  );
}

function hasBody({ method }: Inbound, { noBody = false }: Endpoint): boolean {
  return !noBody && (method === "POST" || method === "PATCH");
}

export function parseBody(wrongType: string, { headers, text }: Inbound): Json {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw new Refusal(415, wrongType);
  const body = parseJson(text);
  if (body === undefined)
    throw new Refusal(422, [{ type: "json_invalid", loc: ["body"], msg: "JSON decode error", input: text }]);
  if (!isObject(body))
    throw new Refusal(422, [
      { type: "model_type", loc: ["body"], msg: "Input should be a valid object", input: body },
    ]);
  return body;
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
