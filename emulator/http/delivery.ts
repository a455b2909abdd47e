import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { isObject, type Json, type JsonObject } from "../json-values";
import type { HttpResponse } from "../routes/call";
import type { Shape } from "../json-shape";
import type { How } from "./faults";
import type { Entry } from "./request-log";

/** What is needed to send a response. */
export interface Delivery {
  readonly response: ServerResponse;
  readonly finish: Entry["finish"];
  /** Does the work of the request, and returns the ordinary response. */
  readonly work: () => HttpResponse;
  /** The shape of a response. */
  readonly shape: Shape;
  /** Ends early if the caller disconnects. */
  readonly pause: (ms: number) => Promise<void>;
}

const json = { "content-type": "application/json" };

export async function deliver(delivery: Delivery, how: How | undefined): Promise<void> {
  const { response, work, finish, pause } = delivery;
  if (how === undefined) return sendResponse(delivery, work());
  if ("after" in how && how.after) work();

  if ("reset" in how) {
    if (how.reset === "after") work();
    finish("reset");
    response.socket?.resetAndDestroy();
  } else if ("hang" in how) {
    if (how.work) work();
    finish("hanging");
  } else if ("truncate" in how) {
    const bytes = begin(delivery, work());
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  } else if ("html" in how) {
    const { status = 502 } = how;
    send(delivery, status, errorPage(status), { "content-type": "text/html" });
  } else if ("slowMs" in how) {
    const ordinary = work();
    await pause(how.slowMs);
    sendResponse(delivery, ordinary);
  } else if ("redirect" in how) {
    send(delivery, how.status ?? 302, "", { location: how.redirect });
  } else if ("emptyBody" in how) {
    send(delivery, how.status ?? 200, "", json);
  } else if ("wrongShape" in how) {
    sendResponse(delivery, { status: 200, body: { ok: true } });
  } else if ("dateAheadMs" in how) {
    response.setHeader("date", new Date(Date.now() + how.dateAheadMs).toUTCString());
    sendResponse(delivery, work());
  } else if ("compressed" in how) {
    sendCompressed(delivery, work(), how.compressed);
  } else if ("extraFields" in how) {
    const { status, body } = work();
    sendResponse(delivery, { status, body: body && addExtraFields(body, delivery.shape) });
  } else {
    const { status, body = { detail: `Fault ${status}` }, headers, contentType, retryAfter } = how;
    const isText = typeof body === "string";
    send(delivery, status, isText ? body : JSON.stringify(body), {
      "content-type": contentType ?? (isText ? "text/plain" : json["content-type"]),
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
      ...headers,
    });
  }
}

type Target = Pick<Delivery, "response" | "finish">;

export function sendResponse(target: Target, { status, body }: HttpResponse): void {
  send(target, status, textOf(body), body === undefined ? {} : json);
}

const packers: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

/** As a gateway passes it on, whatever the request accepts. Any other name stands in the header alone. */
function sendCompressed(target: Target, { status, body }: HttpResponse, encoding: string): void {
  const text = textOf(body);
  send(target, status, packers[encoding]?.(text) ?? text, { ...json, "content-encoding": encoding });
}

function textOf(body: HttpResponse["body"]): string {
  return body === undefined ? "" : JSON.stringify(body);
}

function send(target: Target, status: number, body: string | Buffer, headers: Record<string, string>): void {
  const hasNoBody = status === 204 || status === 304;
  const length = hasNoBody ? {} : { "content-length": Buffer.byteLength(body) };
  // The log gets the status first, so that a test can read it as soon as it has the response.
  target.finish(status);
  target.response.writeHead(status, { ...headers, ...length }).end(hasNoBody ? undefined : body);
}

/** Sends the head of an ordinary response, and returns its body. */
function begin({ response, finish }: Delivery, { status, body }: HttpResponse): Buffer {
  const bytes = Buffer.from(textOf(body));
  finish(status);
  response.writeHead(status, status === 204 ? {} : { ...json, "content-length": bytes.length });
  return bytes;
}

function errorPage(status: number): string {
  return `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>\n`;
}

/** What a later version of the service could add. */
const later: JsonObject = { added_later: { since: "v3", items: [1, null] } };

/** Adds a key to every object, except where the user chooses the keys: there, it would be drift. */
function addExtraFields(value: Json, shape?: Shape): Json {
  if (Array.isArray(value)) {
    const items = shape?.kind === "list" ? shape.of : shape;
    return value.map((item) => addExtraFields(item, items));
  }
  if (!isObject(value) || shape?.kind === "free") return value;
  const fields = shape?.kind === "object" ? shape.fields : {};
  const members = Object.entries(value).map(
    ([key, member]) => [key, addExtraFields(member, fields[key])] as const,
  );
  return { ...Object.fromEntries(members), ...later };
}

/** Pauses that end early when the response is closed, and keep no process alive. */
export function pausesOf(response: ServerResponse): Delivery["pause"] {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  const options = { ref: false, signal: closed.signal };
  return (ms) => setTimeout(ms, undefined, options).catch(() => {});
}
