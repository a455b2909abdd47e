import { describe, expect, it, vi } from "vitest";
import type * as clock from "../../../provider/time/clock";
import { langsmith, type JsonObject } from "../../../emulator";
import { ask, askLangsmith, create, start } from "./service-commands";
import { refused } from "./outcomes";
import { cli } from "./support";

// Calls are repeated at once; only what can be called off still takes its time.
vi.mock("../../../provider/time/clock", async (original) => {
  const { systemClock, ...rest } = await original<typeof clock>();
  const sleep = (ms: number, signal?: AbortSignal) =>
    signal === undefined ? Promise.resolve() : systemClock.sleep(ms, signal);
  return { ...rest, systemClock: { ...systemClock, sleep } };
});

describe("list", () => {
  it("shows a table of every deployment, through all pages, sorted by name", async () => {
    const emulator = await start();
    for (let index = 0; index < 205; index++) create(emulator, `app-${index}`);
    const { code, stdout, stderr } = await ask(emulator, ["list"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [heading, first, ...rest] = stdout.trimEnd().split("\n");
    expect(heading!.split(/ {2,}/)).toEqual(["NAME", "STATE", "URL", "SOURCE", "UPDATED", "ID"]);
    expect(first).toMatch(/^app-0 +ready +https:\S+ +internal_template +\d{4}-\d\d-\d\d +[0-9a-f-]{36}$/);
    const names = [first!, ...rest].map((line) => line.split(" ")[0]!);
    expect(names).toHaveLength(205);
    expect(names).toEqual([...names].sort());
    expect(emulator.requestLines()).toHaveLength(3);
  });

  it("shows a record without an id as it is, next to the others", async () => {
    const emulator = await start({ rules: langsmith });
    for (const name of ["chat", "search"])
      create(emulator, name, { source_config: { deployment_type: "dev" } });
    const headers = { "x-api-key": emulator.apiKey };
    const listed = await (await fetch(`${emulator.url}/v2/deployments`, { headers })).json();
    const records = (listed as { resources: JsonObject[] }).resources;
    const resources = records.map(({ id, ...rest }) =>
      rest["name"] === "chat" ? rest : { id: id!, ...rest },
    );
    emulator.fail({
      when: { method: "GET" },
      times: 1,
      how: { status: 200, body: { resources, offset: 0 } },
    });
    const { code, stdout, stderr } = await askLangsmith(emulator, ["list", "--json"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ id: "", name: "chat" }, { name: "search" }]);
  });

  it("aligns whatever is written in the names", async () => {
    const emulator = await start();
    const names = "plain 漢字かな 한국어 café\u0301 🚀-rocket ❤\ufe0f 𠮷野家 ﾊﾝｶｸ"
      .split(" ")
      .concat("漢".repeat(40));
    for (const name of names) create(emulator, name);
    const { stdout } = await ask(emulator, ["list"]);
    const lines = stdout.trimEnd().split("\n");
    // Measured by a rule of its own: what these names hold that is wide, or nothing.
    const widthOf = (text: string) =>
      [...text.replace(/[\u0301\ufe0f]/g, "")].reduce(
        (sum, character) => sum + (/[漢字かな한국어🚀❤𠮷野家]/u.test(character) ? 2 : 1),
        0,
      );
    const columnOf = (line: string, word: RegExp) => widthOf(line.slice(0, line.search(word)));
    expect(new Set(lines.map((line) => columnOf(line, /STATE|ready/))).size).toBe(1);
    expect(lines).toHaveLength(names.length + 1);
  });

  it("ends with 3 if an id does not exist, after it has printed the others", async () => {
    const emulator = await start();
    const id = create(emulator, "chat");
    const missing = "00000000-0000-4000-8000-0000000000ff";
    const { code, stdout, stderr } = await ask(emulator, ["list", "--ids", `${id},${missing}`]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `deployment-service: the service has no deployment with the id ${missing}\n`,
    });
    expect(stdout).toContain("chat");
    const filtered = await ask(emulator, ["list", "--json", "--ids", id, "--status", "UNUSED"]);
    expect(filtered).toEqual({
      code: 3,
      stdout: "[]\n",
      stderr: `deployment-service: the service has no deployment with the id ${id}, or the other filters exclude it\n`,
    });
  });

  it("`list` passes every filter on", async () => {
    const emulator = await start();
    const id = create(emulator, "chat");
    const filters = `list --name-contains ch --status READY --remote-reconciled true --image-version 1.0.0
      --deployment-type prod --deployment-ids ${id}, --json`;
    const { stdout } = await ask(emulator, filters.split(/\s+/));
    expect(JSON.parse(stdout)).toMatchObject([{ id, name: "chat" }]);
    await ask(emulator, ["list", "--tag-value-ids", "a, b"]);
    expect(emulator.requests().map(({ query }) => query)).toEqual([
      {
        name_contains: "ch",
        status: "READY",
        remote_reconciled: "true",
        image_version: "1.0.0",
        deployment_type: "prod",
        deployment_ids: id,
        limit: "100",
      },
      { tag_value_ids: "a,b", limit: "100" },
    ]);
  });

  it("says so when there is nothing, and prints an empty list as JSON", async () => {
    const emulator = await start();
    expect(await ask(emulator, ["list"])).toEqual({ code: 0, stdout: "", stderr: "no deployments\n" });
    expect((await ask(emulator, ["list", "--json"])).stdout).toBe("[]\n");
  });

  it.each([
    [
      "a wrong key",
      { DEPLOYMENT_SERVICE_API_KEY: "wrong-key-1" },
      /401 Unauthorized.*Check DEPLOYMENT_SERVICE_API_KEY/,
    ],
    ["a wrong address", { DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:1/x" }, /could not reach/],
  ])("ends with 3 and one sentence for %s", async (_, env, message) => {
    const outcome = await ask(await start(), ["list"], { env });
    expect(outcome).toMatchObject(refused(message, 3));
    expect(outcome.stderr).toMatch(/^deployment-service: [^\n]+\n$/);
    expect(outcome.stderr).not.toContain("wrong-key-1");
  });

  it.each([
    [
      ["--deployment-type", "gold"],
      "--deployment-type: expected one of serverless, dedicated, dev_free, dev, prod",
    ],
    [["--remote-reconciled", "yes"], "--remote-reconciled must be one of true, false"],
    [[], "DEPLOYMENT_SERVICE_URL is not set; DEPLOYMENT_SERVICE_API_KEY is not set"],
  ])("sends nothing and ends with 2 for %j, or without an address and a key", async (words, message) => {
    const emulator = await start();
    const outcome = words.length === 0 ? cli(["list"]) : ask(emulator, ["list", ...words]);
    expect(await outcome).toMatchObject(refused(message));
    expect(emulator.requests()).toEqual([]);
  });

  it("shows no password of a repository, or of the deployment's own address", async () => {
    const emulator = await start();
    const repo_url = "https://user:hush-hush@code.example.com/acme/chat";
    const custom_url = "https://user:hush-hush@chat.example.com";
    create(emulator, "chat", { source: "codehost", source_config: { repo_url, custom_url } });
    const { stdout } = await ask(emulator, ["list", "--json"]);
    const [repoUrl, url] = ["https://code.example.com/acme/chat", "https://chat.example.com"];
    expect(JSON.parse(stdout)).toMatchObject([{ sourceConfig: { repoUrl, customUrl: url }, url }]);
    expect((await ask(emulator, ["list"], { columns: 200 })).stdout).not.toContain("hush");
  });
});
