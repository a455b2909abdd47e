/** Real TLS before a server that speaks plain HTTP, with certificates that are made once and guard nothing. */
import { readFileSync } from "node:fs";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";

const fixture = (name: string) => join(__dirname, "fixtures/tls", name);

/** The one certificate that a client has to trust, for NODE_EXTRA_CA_CERTS. */
export const authority = fixture("authority.cert.pem");

export type Certificate = "trusted" | "expired" | "other-name" | "self-signed";

export interface TlsServer {
  readonly url: string;
  close(): void;
}

export async function tlsBefore(plainUrl: string, certificate: Certificate): Promise<TlsServer> {
  const port = Number(new URL(plainUrl).port);
  const open = new Set<TLSSocket>();
  const server = createServer(
    {
      key: readFileSync(fixture("not-a-secret.key.pem")),
      cert: readFileSync(fixture(`${certificate}.cert.pem`)),
    },
    (socket) => {
      const inner = connect(port, "127.0.0.1");
      open.add(socket);
      for (const [end, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        end.pipe(other);
        end.on("error", () => other.destroy()).on("close", () => other.destroy());
      }
      socket.on("close", () => open.delete(socket));
    },
  );
  // A client that does not trust the certificate ends the handshake.
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
