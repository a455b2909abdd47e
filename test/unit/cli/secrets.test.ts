import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canary, expectNoTrace, formsOf, headerCanary } from "../../support/canary";
import type { ShownSecrets } from "../../../emulator";
import { ask, create, start } from "./service-commands";
import { cli, scratch } from "./support";

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

describe("a manifest with a secret in plain text", () => {
  const manifest = (more: string) => `version: 1
deployments:
  chat:
    source: external_container
    secrets: { KEY: ${JSON.stringify(canaries.literal)}${more} }
`;

  it.each([
    ["is fine", ""],
    ["has a problem on that line", ", OTHER: [1]"],
    ["is misspelt", ", KEY: 2"],
  ])("that %s does not get it printed by `validate`", async (_, more) => {
    const cwd = scratch();
    writeFileSync(join(cwd, "d.yaml"), manifest(more));
    for (const format of ["text", "json", "github"]) {
      const { stdout, stderr } = await cli(["validate", "d.yaml", "--format", format], { cwd });
      expect(stdout).not.toBe("");
      expectNoTrace(stdout + stderr, canaries);
    }
  });

  it("shows no variable of the environment in the program made from it", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "d.yaml"), manifest("").replace(/KEY: .* }/, "KEY: '${env.TOKEN}' }"));
    const { code, stdout, stderr } = await cli(["generate", "d.yaml"], {
      cwd,
      env: { TOKEN: canaries.secret },
    });
    expect(code).toBe(0);
    expectNoTrace(stdout + stderr, canaries);
  });
});
