import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpResponse, Inbound } from "../routes/call";
import { headers, type Rules } from "../rules/dialect-rules";
import type { Shape } from "../json-shape";
import type { Settings } from "../state/control-plane";
import { deliver, pausesOf, sendResponse } from "./delivery";
import type { Faults } from "./faults";
import type { RequestLog } from "./request-log";

const CONTROL_PREFIX = "/_emulator/";
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface Serving {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly rules: Rules;
  /** The path below which everything is; undefined for the dialect's own places. */
  readonly pathPrefix: string | undefined;
  readonly settings: Pick<Settings, "latency">;
  readonly now: () => number;
  readonly nextRequestId: () => string;
  readonly service: (inbound: Inbound) => HttpResponse;
  readonly control: (inbound: Inbound) => HttpResponse;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function listen(port: number, host: string, serving: Serving): Promise<RunningServer> {
  const handler = new RequestHandler(serving);
  const server = createServer((request, response) => {
    handler.handle(request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${reachable(address)}:${address.port}`,
    close: () => (closing ??= closeAll(server)),
  };
}

/** The address for a program on this machine, because none can connect to "all addresses". */
function reachable({ address, family }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return "127.0.0.1";
  return family === "IPv6" ? `[${address}]` : address;
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    // Any open connection, even an idle or hanging one, would keep the process alive.
    server.closeAllConnections();
  });
}

/** A bug in the emulator, or in a test's own predicate, must not look like a planned fault. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const detail = `The emulator itself failed: ${error instanceof Error ? error.message : String(error)}`;
  response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
}

/** A self-hosted installation has its pages for people next to the service. */
const webPage = "<!doctype html><html><head><title>LangSmith</title></head><body></body></html>";

class RequestHandler {
  readonly #shape: Shape;

  constructor(private readonly serving: Serving) {
    const { create } = serving.rules.requests;
    // A response has the fields of a create request, alone or as the rows of a page.
    this.#shape = { ...create, fields: { ...create.fields, resources: { kind: "list", of: create } } };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { log, faults, settings, service, control, pathPrefix, ...serving } = this.serving;
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const { method = "GET" } = request;
    // The storage for uploads is another server.
    const isStorage = method === "PUT";
    const prefixes = pathPrefix === undefined ? [serving.rules.alsoBelow ?? "", ""] : [pathPrefix];
    const prefix = isStorage ? "" : prefixes.find((each) => url.pathname.startsWith(`${each}/`));
    if (prefix === undefined) {
      response.writeHead(200, { "content-type": "text/html" }).end(webPage);
      return;
    }
    const path = url.pathname.slice(prefix.length);
    const head = { method, path, query: url.searchParams, headers: request.headers };
    const requestId = serving.nextRequestId();
    response.setHeader(headers.requestId, requestId);

    if (head.path.startsWith(CONTROL_PREFIX)) {
      const bytes = (await readBody(request, MAX_BODY_BYTES)) ?? Buffer.alloc(0);
      const inbound = { ...head, bytes, text: bytes.toString("utf8") };
      return sendResponse({ response, finish: () => {} }, control(inbound));
    }

    response.setHeader("date", new Date(serving.now()).toUTCString());
    const { request: logged, finish, body } = log.open(head, serving.now(), requestId);
    response.on("close", () => finish("reset"));
    const { uploads, texts } = serving.rules;
    const isUpload = isStorage && uploads !== undefined;
    const bytes = await readBody(request, isUpload ? uploads.largestBytes : MAX_BODY_BYTES);
    if (bytes === undefined) {
      response.setHeader("connection", "close");
      return sendResponse({ response, finish }, { status: 413, body: { detail: texts.bodyTooLarge } });
    }
    const text = isUpload ? "" : bytes.toString("utf8");
    body(text);

    const how = faults.take(logged);
    const work = () => service({ ...head, text, bytes });
    const pause = pausesOf(response);
    if (settings.latency > 0) await pause(settings.latency);
    await deliver({ response, finish, work, pause, shape: this.#shape }, how);
  }
}

/** The whole body, or undefined if it is too large. */
async function readBody(request: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largest) chunks.push(chunk);
  }
  return size > largest ? undefined : Buffer.concat(chunks);
}
