import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ask, start } from "./service-commands";
import { refused } from "./outcomes";
import { cli } from "./support";

const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";

const repository = (owner: string, name: string) => ({
  host_integration_id: integrationId,
  id: 1,
  name,
  owner,
  url: `https://code.example.com/${owner}/${name}`,
  default_branch: "main",
});

describe("repos", () => {
  it("`repos` shows the repositories as a table", async () => {
    const emulator = await start();
    emulator.repositories(integrationId, [repository("acme", "chat"), repository("acme", "search")]);
    expect(await ask(emulator, ["repos", integrationId])).toEqual({
      code: 0,
      stdout: `OWNER  NAME    DEFAULT BRANCH  URL
acme   chat    main            https://code.example.com/acme/chat
acme   search  main            https://code.example.com/acme/search
`,
      stderr: "",
    });
    expect(emulator.requestLines()).toEqual([`GET /v1/integrations/codehost/${integrationId}/repos 200`]);
  });

  it("prints a snippet of a manifest, each repository under a key of its own", async () => {
    const emulator = await start();
    emulator.repositories(integrationId, [repository("acme", "chat"), repository("team", "chat")]);
    const { stdout } = await ask(emulator, ["repos", integrationId, "--yaml"]);
    const entry = (owner: string) => ({
      source: "codehost",
      sourceConfig: { integrationId, repoUrl: `https://code.example.com/${owner}/chat` },
      sourceRevisionConfig: { repoRef: "main" },
    });
    expect(parse(stdout)).toEqual({ deployments: { chat: entry("acme"), "chat-2": entry("team") } });
  });

  it("prints a snippet that is a manifest below its version, whatever the repositories are called", async () => {
    const emulator = await start();
    const names = ["chat", "1", "null", "a: b", "${env.X", "*x", "\u{1f600}", "a.b", "-", "__proto__"];
    emulator.repositories(
      integrationId,
      names.map((name) => ({ ...repository("acme", name), default_branch: `${name}#1` })),
    );
    const { stdout } = await ask(emulator, ["repos", integrationId, "--yaml"]);
    const checked = await cli(["validate", "-"], { stdin: `version: 1\n${stdout}` });
    expect(checked).toEqual({ code: 0, stdout: "<stdin>: no problems\n", stderr: "" });
    expect(Object.keys((parse(stdout) as { deployments: object }).deployments)).toHaveLength(names.length);
  });

  it("uses the service's own listing with --host service, if its path is set", async () => {
    const path = "/v1/integrations/own/{integration_id}/repos";
    const emulator = await start({ serviceReposPath: path });
    emulator.repositories(integrationId, [repository("acme", "own")], "service");
    const words = ["repos", integrationId, "--host", "service"];
    const env = { DEPLOYMENT_SERVICE_SERVICE_REPOS_PATH: path };
    expect((await ask(emulator, words, { env })).stdout).toContain("own");
    expect(await ask(emulator, words)).toMatchObject(refused("DEPLOYMENT_SERVICE_SERVICE_REPOS_PATH"));
  });

  it.each([
    [["repos"], "INTEGRATION_ID is missing"],
    [["repos", "../x"], "INTEGRATION_ID must be a UUID: `integrations` lists them (dialect langsmith)"],
    [["repos", integrationId, "--yaml", "--json"], "use only one of --yaml and --json"],
  ])("sends nothing and ends with 2 for %j", async (words, message) => {
    const emulator = await start();
    expect(await ask(emulator, words)).toMatchObject(refused(message));
    expect(emulator.requests()).toEqual([]);
  });
});
