import type { ServerResponse } from "node:http";
import type { HttpResponse } from "../routes/handler";
import type { Shape } from "../shape";
import { addExtraFields } from "./extra-fields";
import type { How } from "./faults";
import type { OpenEntry } from "./request-log";

/** Everything that sending one response needs. */
export interface Delivery {
  readonly response: ServerResponse;
  readonly entry: Pick<OpenEntry, "finish">;
  /** Does the work of the request, and gives the ordinary response. */
  readonly work: () => HttpResponse;
  /** The shape of a response, for the fault that adds fields to it. */
  readonly shape: Shape;
  /** Timers that closing the emulator must clear. */
  readonly timers: Set<NodeJS.Timeout>;
}

const JSON_TYPE = "application/json";
const errorPage = (status: number) =>
  `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>\n`;

export async function deliver(delivery: Delivery, how: How | undefined): Promise<void> {
  if (how === undefined) return sendResponse(delivery, delivery.work());
  if ("after" in how && how.after) delivery.work();

  if ("reset" in how) {
    if (how.reset === "after") delivery.work();
    delivery.entry.finish("reset");
    delivery.response.socket?.resetAndDestroy();
  } else if ("hang" in how) {
    if (how.work) delivery.work();
    delivery.entry.finish("hanging");
  } else if ("truncate" in how) {
    truncate(delivery);
  } else if ("html" in how) {
    const status = how.status ?? 502;
    send(delivery, status, errorPage(status), { "content-type": "text/html" });
  } else if ("slowMs" in how) {
    const response = delivery.work();
    await pause(delivery, how.slowMs);
    sendResponse(delivery, response);
  } else if ("drip" in how) {
    await drip(delivery, how.everyMs);
  } else if ("redirect" in how) {
    send(delivery, how.status ?? 302, "", { location: how.redirect });
  } else if ("emptyBody" in how) {
    send(delivery, how.status ?? 200, "", { "content-type": JSON_TYPE });
  } else if ("wrongShape" in how) {
    sendResponse(delivery, { status: 200, body: { ok: true } });
  } else if ("hugeBody" in how) {
    await sendHuge(delivery, how.status ?? 200, how.hugeBody);
  } else if ("dateAheadMs" in how) {
    delivery.response.setHeader("date", new Date(Date.now() + how.dateAheadMs).toUTCString());
    sendResponse(delivery, delivery.work());
  } else if ("extraFields" in how) {
    const { status, body } = delivery.work();
    sendResponse(delivery, {
      status,
      body: body === undefined ? body : addExtraFields(body, delivery.shape),
    });
  } else {
    const { status, body = { detail: `Fault ${status}` }, headers, contentType, retryAfter } = how;
    send(delivery, status, typeof body === "string" ? body : JSON.stringify(body), {
      "content-type": contentType ?? (typeof body === "string" ? "text/plain" : JSON_TYPE),
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
      ...headers,
    });
  }
}

export function sendResponse(
  delivery: Pick<Delivery, "response" | "entry">,
  { status, body }: HttpResponse,
): void {
  if (body === undefined) send(delivery, status, "", {});
  else send(delivery, status, JSON.stringify(body), { "content-type": JSON_TYPE });
}

/** The log knows the status before the caller does, so that a test may read it right after its response. */
function begin(
  { response, entry }: Pick<Delivery, "response" | "entry">,
  status: number,
  headers: Record<string, string | number>,
): void {
  entry.finish(status);
  response.writeHead(status, headers);
}

function send(
  delivery: Pick<Delivery, "response" | "entry">,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  const bodiless = status === 204 || status === 304;
  begin(delivery, status, bodiless ? headers : { ...headers, "content-length": Buffer.byteLength(text) });
  delivery.response.end(bodiless ? undefined : text);
}

function ordinaryBytes({ work }: Delivery): { status: number; bytes: Buffer } {
  const { status, body } = work();
  return { status, bytes: Buffer.from(body === undefined ? "" : JSON.stringify(body)) };
}

function truncate(delivery: Delivery): void {
  const { response } = delivery;
  const { status, bytes } = ordinaryBytes(delivery);
  begin(delivery, status, { "content-type": JSON_TYPE, "content-length": bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

async function drip(delivery: Delivery, everyMs = 0): Promise<void> {
  const { response } = delivery;
  const { status, bytes } = ordinaryBytes(delivery);
  response.socket?.setNoDelay(true);
  begin(
    delivery,
    status,
    status === 204 ? {} : { "content-type": JSON_TYPE, "content-length": bytes.length },
  );
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(delivery, everyMs);
  }
  response.end();
}

async function sendHuge(delivery: Delivery, status: number, size: number): Promise<void> {
  const { response } = delivery;
  const [opening, closing] = ['{"detail":"', '"}'];
  let rest = Math.max(0, size - opening.length - closing.length);
  const length = opening.length + rest + closing.length;
  begin(delivery, status, { "content-type": JSON_TYPE, "content-length": length });
  response.write(opening);
  const chunk = Buffer.alloc(64 * 1024, "x");
  while (rest > 0 && !response.destroyed) {
    const part = chunk.subarray(0, Math.min(rest, chunk.length));
    rest -= part.length;
    if (!response.write(part)) await drained(response);
  }
  response.end(closing);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/** Ends early when the caller goes away. */
export function pause({ response, timers }: Delivery, ms: number): Promise<void> {
  if (ms === 0) return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      timers.delete(timer);
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timers.add(timer);
    response.on("close", done);
  });
}
