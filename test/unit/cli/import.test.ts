import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import { langsmith, langsmithWith, type Emulator } from "../../../emulator";
import { refused } from "./outcomes";
import { ask, askLangsmith, create, revise, start } from "./service-commands";
import { scratch } from "../../support/folders";
import { cli } from "./support";

const value = canary("value");
const secrets = [{ name: "MODEL_API_KEY", value }];

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

const text = (file: string) => readFileSync(join(cwd, file), "utf8");
const names = (file: string) =>
  (JSON.parse(text(file)) as { resources: { name: string }[] }).resources.map(({ name }) => name);

describe("import", () => {
  it("writes both files and says what to type next", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets });
    create(emulator, "search");
    const { code, stdout, stderr } = await ask(emulator, ["import", "--out", "import.json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^2 deployments: import.json for the stack's state/);
    expect(stdout.match(/^ {5}.*/gm)).toEqual([
      '     fromManifest("deployments.yaml");',
      "     pulumi import --file import.json --generate-code=false --protect=false",
      "     pulumi preview",
      "     pulumi config set --secret chatModelApiKey  # MODEL_API_KEY of chat",
    ]);
    expect(readdirSync(cwd).sort()).toEqual(["deployments.yaml", "import.json"]);
    expect(names("import.json")).toEqual(["chat", "search"]);
    expectNoTrace(text("import.json") + text("deployments.yaml"), { value });
    expect(emulator.requestLines()).toEqual(["GET /v2/deployments 200"]);
  });

  it("shows the command for one of many secrets", async () => {
    const emulator = await start({ rules: langsmith });
    for (const name of ["chat", "search"]) create(emulator, name, { secrets });
    const { stdout } = await askLangsmith(emulator, ["import"], { cwd });
    expect(stdout.match(/pulumi config set .*/g)).toEqual([
      "pulumi config set --secret chatModelApiKey  # MODEL_API_KEY of chat",
    ]);
    expect(stdout).toContain("2 secrets stay unmanaged");
  });

  it("says that the newest revision, whose values it imports, is not the one that runs", async () => {
    const emulator = await start();
    create(emulator, "chat");
    create(emulator, "search");
    emulator.configure({ rollout: { polls: 0, fails: true } });
    revise(emulator, "chat");
    const { code, stderr } = await ask(emulator, ["import"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^chat: its newest revision \S+ is not active: it may be in progress or may have failed; revision \S+ stays active\..*`triggers`.*\n$/,
    );
  });

  it("takes the chosen ids, the chosen names, or both", async () => {
    const emulator = await start();
    const [chat, search] = ["chat", "search", "chat-eu"].map((name) => create(emulator, name));
    const chosen = async (...words: string[]) => {
      cwd = scratch();
      await ask(emulator, ["import", ...words], { cwd });
      return names("import.json");
    };
    expect(await chosen("--ids", `${chat},${search}`)).toEqual(["chat", "search"]);
    expect(await chosen("--deployment-ids", search!)).toEqual(["search"]);
    expect(await chosen("--name-contains", "chat")).toEqual(["chat", "chat-eu"]);
    expect(await chosen("--ids", `${chat}`, "--name-contains", "chat")).toEqual(["chat"]);
  });

  it("ends with 3 and writes nothing when an id is not there, or nothing fits (F09)", async () => {
    const emulator = await start();
    const missing = "00000000-0000-4000-8000-0000000000ff";
    const id = create(emulator, "chat");
    const words = ["import", "--out", "import.json"];
    expect(await ask(emulator, [...words, "--ids", `${id},${missing}`], { cwd })).toEqual({
      code: 3,
      stdout: "",
      stderr: `deployment-service: the service has no deployment with the id ${missing}\n`,
    });
    expect((await ask(emulator, [...words, "--name-contains", "zzz"], { cwd })).code).toBe(3);
    expect(readdirSync(cwd)).toEqual([]);
  });

  describe("on a service of another dialect", () => {
    const run = (emulator: Emulator) => askLangsmith(emulator, ["import", "--out", "import.json"], { cwd });
    const problems = async () => (await cli(["validate", "deployments.yaml"], { cwd })).stdout;

    it("writes the dialect, so that `validate` applies its rules without a connection", async () => {
      const emulator = await start({ rules: langsmith });
      create(emulator, "chat", { secrets });
      expect((await run(emulator)).code).toBe(0);
      expect(text("deployments.yaml")).toContain("\nversion: 1\ndialect: langsmith\ndeployments:\n  chat:\n");
      expect(await problems()).toContain("no problems");
      writeFileSync(join(cwd, "deployments.yaml"), text("deployments.yaml").replace("  chat:", "  Chat:"));
      expect(await problems()).toContain('name "Chat" (4 characters) must have at most 63 lowercase letters');
    });

    it("writes nothing that `validate` warns of, such as a folder's deployment without its folder", async () => {
      const emulator = await start({ rules: langsmith });
      create(emulator, "agent", {
        source: "internal_source",
        source_revision_config: { langgraph_config_path: "langgraph.json" },
      });
      await run(emulator);
      expect(text("deployments.yaml")).toContain("source: internal_source");
      expect(await problems()).toContain("no problems");
    });

    it("marks a deployment that exists although the dialect's rules would refuse to create it", async () => {
      const emulator = await start({ rules: langsmithWith({ namePattern: "^[A-Z]" }) });
      create(emulator, "Chat");
      expect((await run(emulator)).code).toBe(0);
      const written = text("deployments.yaml");
      expect(written).toMatch(/^dialect: langsmith$/m);
      expect(written).toContain(
        "adopt: true # it exists already; a new one could not be created like this\n",
      );
      expect(await problems()).toContain("no problems");
    });
  });

  it.each([
    [[], "nothing is overwritten. deployments.yaml exists: choose another name with --manifest, or delete"],
    [
      ["--out", "link.json"],
      "link.json exists: choose another name with --out, or delete the file; deployments.yaml exists: choose",
    ],
    [["--out", "/dev/full", "--manifest", "new.yaml"], "/dev/full exists"],
    [["--out", "folder"], "cannot write folder: it is a folder"],
    [["--out", "i.json", "--manifest", "folder"], "cannot write folder: it is a folder"],
    [["--out", "./i.json", "--manifest", "folder/../i.json"], "--out and --manifest are the same file"],
    [["--out", "no/such/import.json"], "cannot write no/such/import.json: its folder does not exist"],
    [["--out", "theirs.json/i.json"], "theirs.json/i.json: its folder does not exist"],
    [["--out", "-"], "cannot write -: it is not a file name"],
  ])("overwrites nothing, and then sends nothing: %j (F10, F11)", async (words, message) => {
    const emulator = await start();
    create(emulator, "chat");
    const manifest = "version: 1\ndeployments: {}\n";
    const theirs = '{ "resources": [{ "type": "aws:s3/bucket:Bucket", "name": "b", "id": "b" }] }';
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "deployments.yaml"), manifest);
    writeFileSync(join(cwd, "theirs.json"), theirs);
    symlinkSync("theirs.json", join(cwd, "link.json"));
    const before = readdirSync(cwd);
    const outcome = await ask(emulator, ["import", ...words], { cwd });
    expect(outcome).toMatchObject(refused(message));
    expect(outcome.stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(readdirSync(cwd)).toEqual(before);
    expect([text("deployments.yaml"), text("theirs.json")]).toEqual([manifest, theirs]);
    expect(emulator.requests()).toEqual([]);
  });

  it("names on standard error what it leaves out, and prints with --json how to set each secret", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets });
    create(emulator, "going");
    emulator.change("going", (record) => void (record.status = "AWAITING_DELETE"));
    const { stdout, stderr } = await ask(emulator, ["import", "--out", "import.json", "--json"], { cwd });
    expect(stderr).toMatch(/^skipped: going \([0-9a-f-]+\) is being deleted \(status AWAITING_DELETE\)\n$/);
    const configKey = "chatModelApiKey";
    const secret = { name: "MODEL_API_KEY", configKey, command: `pulumi config set --secret ${configKey}` };
    expect(JSON.parse(stdout)).toMatchObject({
      out: "import.json",
      manifest: "deployments.yaml",
      imported: [{ key: "chat", name: "chat", secrets: [secret] }],
      skipped: [{ name: "going" }],
    });
  });
});
