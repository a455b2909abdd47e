/** A proxy before a service, whose connections can be broken. */
import { createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { certified, passOn, type Connections } from "../support/tls";
import type { Fault } from "./faults";

export interface Proxy {
  readonly url: string;
  break(): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** The proxy that a fault of the connection needs. */
export async function proxyFor({ connection }: Fault, service: string): Promise<Proxy | undefined> {
  if (connection === undefined) return undefined;
  return connection === "refused" ? refusingProxy(service) : certifiedProxy(service);
}

/** Refuses connections while it is broken. */
async function refusingProxy(service: string): Promise<Proxy> {
  const open: Connections = new Set();
  const server = createServer((socket) => passOn(socket, service, open));
  const port = await listenAnywhere(server);
  const end = () => closeAll(server, open);
  return {
    url: `http://127.0.0.1:${port}`,
    break: end,
    repair: async () => void (await listen(server, port)),
    close: end,
  };
}

/** Shows a certificate that nobody trusts while it is broken. */
async function certifiedProxy(service: string): Promise<Proxy> {
  const open: Connections = new Set();
  const server = createTlsServer(certified("trusted"), (socket) => passOn(socket, service, open));
  // A client that does not trust the certificate disconnects, as it should.
  server.on("tlsClientError", () => {});
  const port = await listen(server);
  const show = (certificate: "trusted" | "self-signed") => {
    server.setSecureContext(certified(certificate));
    for (const socket of open) socket.destroy();
    return Promise.resolve();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    break: () => show("self-signed"),
    repair: () => show("trusted"),
    close: () => closeAll(server, open),
  };
}

/** Listens at a port outside of the ephemeral range, so that no other process gets it while it is closed. */
async function listenAnywhere(server: Server): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if ((await listen(server, port).catch(() => undefined)) === port) return port;
  }
}

function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closeAll(server: Server, open: Connections): Promise<void> {
  for (const socket of open) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
