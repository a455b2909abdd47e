import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canary, expectNoTrace, formsOf, headerCanary } from "../../support/canary";
import type { ShownSecrets } from "../../../emulator";
import { ask, create, start } from "./service-commands";
import { scratch } from "../../support/folders";

const canaries = { apiKey: headerCanary("apiKey"), secret: canary("secret"), literal: canary("literal") };

describe.each<ShownSecrets>(["clear", "masked", "omitted"])(
  "with a service whose response of secrets is %s",
  (secrets) => {
    it("no command prints or writes one, nor the key", async () => {
      const cwd = scratch();
      const emulator = await start({ apiKey: canaries.apiKey, secrets });
      create(emulator, "chat", { secrets: [{ name: "KEY", value: canaries.secret }] });
      const words = [
        ["list"],
        ["list", "--json"],
        ["import", "--out", "i.json"],
        ["import", "--out", "j.json", "--manifest", "j.yaml", "--json"],
      ];
      for (const each of words) {
        const { code, stdout, stderr } = await ask(emulator, each, { cwd });
        expect(code).toBe(0);
        expectNoTrace(stdout + stderr, canaries);
      }
      for (const file of ["i.json", "deployments.yaml"])
        expectNoTrace(readFileSync(join(cwd, file), "utf8"), canaries);
    });
  },
);

const echo = formsOf(canaries.apiKey).join(" ");

it.each<[string, string, string]>([
  ["a page", "text/html", `<html>${echo}</html>`],
  ["a text", "text/plain", echo],
  ["a detail", "application/json", JSON.stringify({ detail: echo })],
  ["an input", "application/json", JSON.stringify({ detail: [{ loc: ["header"], msg: "no", input: echo }] })],
])("a service that repeats the key in %s does not get it printed", async (_, contentType, body) => {
  const emulator = await start({ apiKey: canaries.apiKey });
  for (const status of [400, 401, 403, 404, 422, 429]) {
    const headers = { "x-request-id": encodeURIComponent(canaries.apiKey) };
    const how = { status, body, contentType, headers, retryAfter: "3000" };
    emulator.fail({ how });
    const { code, stderr } = await ask(emulator, ["list"]);
    expect(code).toBe(3);
    expectNoTrace(stderr, canaries);
  }
});
