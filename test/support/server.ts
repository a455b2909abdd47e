/** A real server on a loopback address that answers as a test says, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Server } from "node:net";
import { onTestFinished } from "vitest";

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Handler = (response: ServerResponse, asked: Asked, count: number) => void;

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
}

/** The port, at which a server listens until the test has finished. */
export async function listening(server: Server): Promise<number> {
  const open = new Set<{ destroy(): void }>();
  server.on("connection", (socket: { destroy(): void }) => open.add(socket));
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that connects to wherever it is asked to, and notes where that was. */
export const tunnel = (targets: string[] = []) =>
  createServer().on("connect", ({ url = "" }, client) => {
    targets.push(url);
    const service = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      service.pipe(client).pipe(service);
    });
    service.on("error", () => client.destroy());
    client.on("error", () => service.destroy());
  });

/** Closed when the test has finished. */
export async function serve(handler: Handler): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const question = { method, url, headers, body };
      asked.push(question);
      handler(response, question, asked.length);
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

export function respond(
  response: ServerResponse,
  status: number,
  body: unknown = "",
  headers: Record<string, string> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers }).end(text);
}
