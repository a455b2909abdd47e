/**
 * The key service of the stacks of tests, as Vault is one. A passphrase costs each run of the CLI a fifth of a second: it is hashed
 * a million times, so that nobody guesses it.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The key that encrypts the secrets of these stacks. */
export const key = Buffer.from("the key of all stacks of tests..");

/** The key in a stack's configuration. The service has only one key, so nothing is encrypted here. */
export const keySettings = {
  secretsprovider: "hashivault://tests",
  encryptedkey: Buffer.from("the only one").toString("base64"),
};

let server: Promise<Server> | undefined;

/** The variables by which the CLI finds it. It runs as long as the tests of this process. */
export async function keyService(): Promise<Record<string, string>> {
  const { port } = (await (server ??= start())).address() as AddressInfo;
  return { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "any" };
}

async function start(): Promise<Server> {
  const service = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: { plaintext: key.toString("base64") } }));
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  return service.unref();
}
