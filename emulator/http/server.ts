import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpResponse } from "../routes/handler";
import type { Inbound } from "../service";
import type { Shape } from "../shape";
import { deliver, pause, sendResponse } from "./delivery";
import type { Faults } from "./faults";
import { RateLimit } from "./rate-limit";
import type { RequestLog } from "./request-log";

export const CONTROL_PREFIX = "/_emulator/";
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface Serving {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly requestIdHeader: string;
  readonly responseShape: Shape;
  readonly bodyTooLarge: string;
  /** Bytes. */
  readonly largestUpload: number;
  readonly now: () => number;
  /** Milliseconds that each response of the service takes. */
  readonly latency: () => number;
  /** How many requests the service takes in any second; 0 for no limit. */
  readonly requestsPerSecond: () => number;
  readonly nextRequestId: () => string;
  readonly service: (inbound: Inbound) => HttpResponse;
  readonly control: (inbound: Inbound) => HttpResponse;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function listen(port: number, host: string, serving: Serving): Promise<RunningServer> {
  const timers = new Set<NodeJS.Timeout>();
  const limit = new RateLimit();
  const server = createServer((request, response) => {
    handle(serving, limit, timers, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${reachable(address)}:${address.port}`,
    close: () => (closing ??= closeAll(server, timers)),
  };
}

/** What a program on this machine calls it: no program can connect to "all addresses". */
function reachable({ address, family }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return "127.0.0.1";
  return family === "IPv6" ? `[${address}]` : address;
}

function closeAll(server: Server, timers: Set<NodeJS.Timeout>): Promise<void> {
  for (const timer of timers) clearTimeout(timer);
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    // Idle, hanging and half-sent alike: nothing may keep the process alive.
    server.closeAllConnections();
  });
}

/** A mistake in the emulator, or in a test's own predicate, must not look like a fault that was planned. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const detail = `The emulator itself failed: ${error instanceof Error ? error.message : String(error)}`;
  response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
}

async function handle(
  serving: Serving,
  limit: RateLimit,
  timers: Set<NodeJS.Timeout>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const head = {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
  };
  const requestId = serving.nextRequestId();
  response.setHeader(serving.requestIdHeader, requestId);

  if (head.path.startsWith(CONTROL_PREFIX)) {
    const bytes = (await readBody(request, MAX_BODY_BYTES)) ?? Buffer.alloc(0);
    const inbound = { ...head, bytes, text: bytes.toString("utf8") };
    return sendResponse({ response, entry: { finish: () => {} } }, serving.control(inbound));
  }

  response.setHeader("date", new Date(serving.now()).toUTCString());
  const entry = serving.log.open(head, serving.now(), requestId);
  response.on("close", () => entry.finish("reset"));
  // Only uploads are put.
  const isUpload = head.method === "PUT";
  const bytes = await readBody(request, isUpload ? serving.largestUpload : MAX_BODY_BYTES);
  if (bytes === undefined) {
    response.setHeader("connection", "close");
    return sendResponse({ response, entry }, { status: 413, body: { detail: serving.bodyTooLarge } });
  }
  const text = isUpload ? "" : bytes.toString("utf8");
  entry.body(text);
  if (!limit.takes(serving.now(), serving.requestsPerSecond())) {
    response.setHeader("retry-after", "1");
    return sendResponse({ response, entry }, { status: 429, body: { detail: "Too Many Requests" } });
  }
  const how = serving.faults.take(entry.request);
  const work = () => serving.service({ ...head, text, bytes });
  const delivery = { response, entry, work, timers, shape: serving.responseShape };
  const latency = serving.latency();
  if (latency > 0) await pause(delivery, latency);
  await deliver(delivery, how);
}

/** The whole body, or undefined when it is larger than that. */
async function readBody(request: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largest) chunks.push(chunk);
  }
  return size > largest ? undefined : Buffer.concat(chunks);
}
