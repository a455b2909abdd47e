/** Real TLS before a plain HTTP server, with certificates that protect nothing. */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { listening } from "./server";

const fixture = (name: string) => join(__dirname, "fixtures/tls", name);

/** The one certificate that a client has to trust, for NODE_EXTRA_CA_CERTS. */
export const authority = fixture("authority.cert.pem");

export type Certificate = "trusted" | "expired" | "other-name" | "self-signed";

/** Open connections, from both sides. */
export type Connections = Set<Socket>;

export function certified(certificate: Certificate): { readonly key: Buffer; readonly cert: Buffer } {
  return {
    key: readFileSync(fixture("not-a-secret.key.pem")),
    cert: readFileSync(fixture(`${certificate}.cert.pem`)),
  };
}

/** Passes a connection on to the service at this address. When one side ends, so does the other. */
export function passOn(socket: Socket, plainUrl: string, open: Connections = new Set()): void {
  const inner = connect(Number(new URL(plainUrl).port), "127.0.0.1");
  for (const [end, other] of [
    [socket, inner],
    [inner, socket],
  ] as const) {
    open.add(end);
    end
      .on("error", () => {})
      .on("close", () => {
        open.delete(end);
        other.destroy();
      });
    end.pipe(other);
  }
}

/** The address of a server that lives as long as the test. */
export async function tlsBefore(plainUrl: string, certificate: Certificate): Promise<string> {
  const server = createServer(certified(certificate), (socket) => passOn(socket, plainUrl));
  return `https://127.0.0.1:${await listening(server)}`;
}
