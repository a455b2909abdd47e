import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { isObject, type Json, type JsonObject } from "../json-values";
import type { HttpResponse } from "../routes/call";
import type { Shape } from "../json-shape";
import type { Compression } from "../state/control-plane";
import { compressed } from "./compression";
import type { How } from "./faults";
import type { Entry } from "./request-log";

/** What is needed to send a response. */
export interface Delivery {
  readonly response: ServerResponse;
  readonly finish: Entry["finish"];
  /** What a gateway in between does with the body. */
  readonly compression: Compression | null;
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
  } else if ("drip" in how) {
    await drip(delivery, begin(delivery, work()), how.everyMs);
  } else if ("redirect" in how) {
    send(delivery, how.status ?? 302, "", { location: how.redirect });
  } else if ("emptyBody" in how) {
    send(delivery, how.status ?? 200, "", json);
  } else if ("wrongShape" in how) {
    sendResponse(delivery, { status: 200, body: { ok: true } });
  } else if ("hugeBody" in how) {
    sendHuge(delivery, how.status ?? 200, how.hugeBody);
  } else if ("dateAheadMs" in how) {
    response.setHeader("date", new Date(Date.now() + how.dateAheadMs).toUTCString());
    sendResponse(delivery, work());
  } else if ("compressed" in how) {
    sendResponse({ ...delivery, compression: { encoding: how.compressed } }, work());
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

type Target = Pick<Delivery, "response" | "finish" | "compression">;

export function sendResponse(target: Target, { status, body }: HttpResponse): void {
  if (body === undefined) send(target, status, "", {});
  else send(target, status, JSON.stringify(body), json);
}

function send(target: Target, status: number, text: string, headers: Record<string, string>): void {
  const hasNoBody = status === 204 || status === 304;
  const { bytes, header } = compressed(hasNoBody ? null : target.compression, status, text);
  const length = hasNoBody ? {} : { "content-length": bytes.length };
  // The log gets the status first, so that a test can read it as soon as it has the response.
  target.finish(status);
  target.response.writeHead(status, { ...headers, ...header, ...length }).end(hasNoBody ? undefined : bytes);
}

/** Sends the head of an ordinary response, and returns its body. */
function begin({ response, finish }: Delivery, { status, body }: HttpResponse): Buffer {
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  finish(status);
  response.writeHead(status, status === 204 ? {} : { ...json, "content-length": bytes.length });
  return bytes;
}

async function drip({ response, pause }: Delivery, bytes: Buffer, everyMs = 0): Promise<void> {
  response.socket?.setNoDelay(true);
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(everyMs);
  }
  response.end();
}

const [hugeOpening, hugeClosing] = ['{"detail":"', '"}'];

function sendHuge({ response, finish }: Delivery, status: number, size: number): void {
  const length = Math.max(size, hugeOpening.length + hugeClosing.length);
  finish(status);
  response.writeHead(status, { ...json, "content-length": length });
  Readable.from(hugeChunks(length)).pipe(response);
}

function* hugeChunks(length: number): Generator<Buffer> {
  yield Buffer.from(hugeOpening);
  const chunk = Buffer.alloc(64 * 1024, "x");
  let rest = length - hugeOpening.length - hugeClosing.length;
  for (; rest > 0; rest -= chunk.length) yield chunk.subarray(0, rest);
  yield Buffer.from(hugeClosing);
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
  return async (ms) => {
    if (ms === 0) await setImmediate();
    else await setTimeout(ms, undefined, options).catch(() => {});
  };
}
