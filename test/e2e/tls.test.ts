import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { authority, tlsBefore, type Certificate, type TlsServer } from "../support/tls";
import { connectionTo, main } from "./support";

let emulator: Emulator;
const servers = new Map<Certificate, TlsServer>();

beforeAll(async () => {
  emulator = await startEmulator();
  for (const certificate of ["trusted", "expired", "other-name"] as const) {
    servers.set(certificate, await tlsBefore(emulator.url, certificate));
  }
});
afterAll(async () => {
  for (const server of servers.values()) server.close();
  await emulator.close();
});

const over = (certificate: Certificate) => ({
  ...connectionTo(emulator),
  DEPLOYMENT_SERVICE_URL: servers.get(certificate)!.url,
  NODE_EXTRA_CA_CERTS: authority,
});

describe("a private certificate authority in NODE_EXTRA_CA_CERTS", () => {
  const list = (certificate: Certificate) =>
    new Promise<{ stdout: string; stderr: string }>((done) => {
      execFile(process.execPath, [main, "list", "--json"], { env: over(certificate) }, (_, stdout, stderr) =>
        done({ stdout, stderr }),
      );
    });

  it("is trusted by the command", async () => {
    expect(await list("trusted")).toEqual({ stdout: "[]\n", stderr: "" });
  });

  it.each<[Certificate, string]>([
    ["expired", "CERT_HAS_EXPIRED"],
    ["other-name", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("does not make a certificate valid that is %s", async (certificate, code) => {
    emulator.clearRequests();
    const { stderr } = await list(certificate);
    expect(stderr).toContain(`refused the certificate of ${servers.get(certificate)!.url} (${code})`);
    expect(emulator.requests()).toEqual([]);
  });
});
