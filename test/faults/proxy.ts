/** An address of its own before a service, whose connections can be made to fail. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { selfSigned } from "./certificate";

export interface Proxy {
  readonly url: string;
  /** PEM of the certificate that is to be trusted. */
  readonly trusted?: string;
  break(): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** Refuses connections while it is broken. */
export async function refusingProxy(service: string): Promise<Proxy> {
  const open: Opened = { sockets: new Set() };
  const server = createServer((socket) => pass(socket, service, open));
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
export async function certifiedProxy(service: string): Promise<Proxy> {
  const trusted = selfSigned();
  const open: Opened = { sockets: new Set() };
  const server = createTlsServer(trusted, (socket) => pass(socket, service, open));
  // A caller that does not like the certificate goes away: that is what is tried here.
  server.on("tlsClientError", () => {});
  const port = await listen(server);
  const show = (certificate: typeof trusted) => {
    server.setSecureContext(certificate);
    for (const socket of open.sockets) socket.destroy();
    return Promise.resolve();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    trusted: trusted.cert,
    break: () => show(selfSigned()),
    repair: () => show(trusted),
    close: () => closeAll(server, open),
  };
}

interface Opened {
  readonly sockets: Set<Socket>;
}

function pass(socket: Socket, service: string, { sockets }: Opened): void {
  const inner = connect(Number(new URL(service).port), "127.0.0.1");
  for (const each of [socket, inner]) {
    sockets.add(each);
    each
      .on("error", () => {})
      .on("close", () => {
        sockets.delete(each);
        socket.destroy();
        inner.destroy();
      });
  }
  socket.pipe(inner).pipe(socket);
}

/** At a port that no system gives to whoever asks for any: nobody else gets it while it is closed. */
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

function closeAll(server: Server, { sockets }: Opened): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
