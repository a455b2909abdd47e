import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { fill, isObject, parseJson, type Json, type JsonObject } from "./json-values";
import { Refusal, refuseIfAny } from "./refusal";
import type { Handler, HttpResponse, Inbound } from "./routes/call";
import { createDeployment } from "./routes/create-deployment";
import { deleteDeployment } from "./routes/delete-deployment";
import { listIntegrations, listListeners, listRepositories } from "./routes/integrations";
import { readBuildLogs, readDeployLogs, readLogs } from "./routes/log-route";
import { patchDeployment } from "./routes/patch-deployment";
import { getDeployment, listDeployments } from "./routes/read-deployments";
import { getRevision, interruptRevision, listRevisions } from "./routes/revision-routes";
import { makeUploadUrl, upload } from "./routes/uploads";
import { parseQuery } from "./rules/query";
import { headers, type EndpointName, type Rules } from "./rules/dialect-rules";
import { isUuid } from "./json-shape";
import type { ControlPlane } from "./state/control-plane";
import { sha256 } from "./state/ids";
import { settle } from "./state/revision-rollout";

export interface Access {
  readonly apiKey: string;
  /** If set, every request must name it. */
  readonly tenantId?: string;
  /** If set, it replaces the key where that is sent as a token. */
  readonly accessToken?: string | undefined;
}

const handlers: Record<EndpointName, Handler> = {
  ...{ createDeployment, listDeployments, getDeployment, patchDeployment, deleteDeployment },
  ...{ listRevisions, getRevision, interruptRevision, readLogs, readBuildLogs, readDeployLogs },
  ...{ listListeners, makeUploadUrl, upload },
  listCodehostIntegrations: listIntegrations,
  listCodehostRepositories: listRepositories("codehost"),
  listServiceRepositories: listRepositories("service"),
};

/** Answers a request as the service would. */
export function serve(plane: ControlPlane, access: Access, inbound: Inbound): HttpResponse {
  return orRefusal(() => {
    settle(plane);
    const { rules } = plane;
    const found = route(plane, inbound);
    const { accessToken } = plane.settings;
    if (!found?.endpoint.open) authenticate(rules, { ...access, accessToken }, inbound.headers);
    if (found === undefined) throw new Refusal(404, rules.texts.noSuchEndpoint);
    const { params, endpoint } = found;
    const hasBody = !endpoint.noBody && (inbound.method === "POST" || inbound.method === "PATCH");
    const body = hasBody ? parseBody(rules, inbound) : null;
    refuseMalformedIds(params);
    const query = parseQuery(rules.queries[endpoint.name] ?? {}, inbound.query);
    const { headers, bytes } = inbound;
    return handlers[endpoint.name]({ plane, params, query, body, headers, bytes });
  });
}

/** A refusal is a response like any other. */
export function orRefusal(work: () => HttpResponse): HttpResponse {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, detail } = error;
    if (typeof detail === "string") return { status, body: { detail } };
    return { status, body: { detail: detail.map(({ loc, ...problem }) => ({ ...problem, loc: [...loc] })) } };
  }
}

function route({ rules, settings }: ControlPlane, { method, path }: Inbound) {
  for (const endpoint of rules.endpoints) {
    if (settings.missing.some((end) => endpoint.path.endsWith(end))) continue;
    const params = endpoint.method === method ? matchPath(endpoint.path, path) : undefined;
    if (params !== undefined) return { endpoint, params };
  }
  return undefined;
}

/** The values of a template's placeholders, or undefined if the path does not match. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const given = path.split("/");
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{") && value !== "") params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

/** The key of a request, in either of the headers that can hold it. */
export function keyOf({ bearer = false }: Rules, given: IncomingHttpHeaders): string | undefined {
  const key = given[headers.apiKey.toLowerCase()];
  if (key !== undefined || !bearer) return key?.toString();
  return /^Bearer (.+)$/i.exec(given.authorization ?? "")?.[1];
}

export function authenticate(rules: Rules, access: Access, given: IncomingHttpHeaders): void {
  const { texts } = rules;
  const key = keyOf(rules, given);
  if (key === undefined) throw new Refusal(401, fill(texts.keyMissing, { header: headers.apiKey }));
  const digest = (text: string) => Buffer.from(sha256(text));
  const isToken = given[headers.apiKey.toLowerCase()] === undefined;
  const expected = isToken ? (access.accessToken ?? access.apiKey) : access.apiKey;
  if (!timingSafeEqual(digest(key), digest(expected))) throw new Refusal(401, texts.keyWrong);
  if (access.tenantId === undefined) return;
  const tenant = given[headers.tenant.toLowerCase()];
  if (tenant === undefined) throw new Refusal(403, fill(texts.tenantRequired, { header: headers.tenant }));
  if (tenant !== access.tenantId) throw new Refusal(403, texts.tenantWrong);
}

export function parseBody({ texts }: Rules, { headers, text }: Inbound): JsonObject {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw new Refusal(415, texts.contentType);
  const refuse = (type: string, msg: string, input: Json): never => {
    throw new Refusal(422, [{ type, loc: ["body"], msg, input }]);
  };
  const body = parseJson(text);
  if (body === undefined) return refuse("json_invalid", "JSON decode error", text);
  return isObject(body) ? body : refuse("model_type", "Input should be a valid object", body);
}

function refuseMalformedIds(params: Record<string, string>): void {
  const malformed = Object.entries(params).filter(([, value]) => !isUuid(value));
  const [type, msg] = ["uuid_parsing", "Input should be a valid UUID"];
  refuseIfAny(malformed.map(([name, input]) => ({ type, loc: ["path", name], msg, input })));
}
