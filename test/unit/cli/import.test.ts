import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import { langsmith, langsmithWith, type Emulator } from "../../../emulator";
import { ask, create, start } from "./service-commands";
import { cli, scratch } from "./support";

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
    expect(stdout.replace(emulator.url, "http://127.0.0.1:8787")).toMatchInlineSnapshot(`
      "2 deployments: import.json for the stack's state, deployments.yaml for the program.

      1. Make the program read the manifest, in index.ts (in index.js, with \`const { fromManifest } = require(…)\`):
           import { fromManifest } from "pulumi-deployment-service";
           fromManifest("deployments.yaml");
      2. Give the stack the settings that this command used, unless it has them:
           npx pulumi config set deployment-service:baseUrl http://127.0.0.1:8787
      3. Import the deployments into the stack (Pulumi CLI 3.254 or newer), and check that nothing changes:
           npx pulumi import --file import.json --generate-code=false --protect=false
           npx pulumi preview
      4. 1 secret stays unmanaged. To take one over, set its value, then uncomment its name in deployments.yaml,
         where a comment has each command:
           npx pulumi config set --secret chatModelApiKey  # MODEL_API_KEY of chat
      "
    `);
    expect(readdirSync(cwd).sort()).toEqual(["deployments.yaml", "import.json"]);
    expect(names("import.json")).toEqual(["chat", "search"]);
    expectNoTrace(text("import.json") + text("deployments.yaml"), { value });
    expect(emulator.requestLines()).toEqual(["GET /v2/deployments 200"]);
  });

  it("stores in the stack the settings that it used, but not the key, and shows one of many secrets", async () => {
    const emulator = await start({ rules: langsmith });
    for (const name of ["chat", "search"]) create(emulator, name, { secrets });
    const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
    const { stdout } = await ask(emulator, ["import"], { cwd, env });
    expect(stdout.match(/pulumi config set .*/g)).toEqual([
      `pulumi config set deployment-service:baseUrl ${emulator.url}`,
      "pulumi config set deployment-service:dialect langsmith",
      "pulumi config set --secret chatModelApiKey  # MODEL_API_KEY of chat",
    ]);
    expect(stdout).toContain("2 secrets stay unmanaged");
  });

  it("says that the newest revision, whose values it imports, is not the one that runs", async () => {
    const emulator = await start();
    create(emulator, "chat");
    create(emulator, "search");
    emulator.configure({ rollout: { polls: 0, fails: true } });
    emulator.change("chat", () => undefined, { revision: true });
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
      await ask(emulator, ["import", "--out", "i.json", "--manifest", "d.yaml", ...words], { cwd });
      return names("i.json");
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
    const outcome = await ask(emulator, [...words, "--ids", `${id},${missing}`], { cwd });
    expect(outcome).toEqual({
      code: 3,
      stdout: "",
      stderr: `deployment-service: the service has no deployment with the id ${missing}\n`,
    });
    expect((await ask(emulator, [...words, "--name-contains", "zzz"], { cwd })).code).toBe(3);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("adds to a manifest that is there, and leaves what it has as it is", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets });
    const run = (...words: string[]) => ask(emulator, ["import", "--out", "import.json", ...words], { cwd });
    await run();
    const edited = `# ours\n${text("deployments.yaml").replace("source: internal_template", "source:   internal_template # kept")}`;
    writeFileSync(join(cwd, "deployments.yaml"), edited);
    chmodSync(join(cwd, "deployments.yaml"), 0o640);

    create(emulator, "search", { secrets });
    const { code, stdout, stderr } = await run("--name-contains", "search");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("1 deployment: import.json for the stack's state");
    expect(text("deployments.yaml").startsWith(edited)).toBe(true);
    expect(text("deployments.yaml")).toContain("  search:\n");
    expect(names("import.json")).toEqual(["search"]);
    expect(statSync(join(cwd, "deployments.yaml")).mode & 0o777).toBe(0o640);

    // All of them together: whether the stack has them already, only the stack knows, which then skips them.
    create(emulator, "docs");
    const before = text("deployments.yaml");
    const again = await run();
    expect(again.stderr).toBe(
      "chat: is already in deployments.yaml and was not changed there\nsearch: is already in deployments.yaml and was not changed there\n",
    );
    expect(again.stdout).toContain("deployments.yaml already had 2 of them");
    expect(text("deployments.yaml").startsWith(before)).toBe(true);
    expect(names("import.json")).toEqual(["chat", "docs", "search"]);

    const complete = text("deployments.yaml");
    expect((await run()).code).toBe(0);
    expect(text("deployments.yaml")).toBe(complete);
    expect(readdirSync(cwd).sort()).toEqual(["deployments.yaml", "import.json"]);
  });

  describe("on a service of another dialect", () => {
    const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
    const run = (emulator: Emulator, more = env) =>
      ask(emulator, ["import", "--out", "import.json"], { cwd, env: more });
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

    it("adds nothing but deployments to a manifest that is there", async () => {
      const emulator = await start({ rules: langsmith });
      create(emulator, "chat");
      const there = "\ufeff# ours\r\nversion: 1 # the first\r\ndeployments: {}\r\n";
      writeFileSync(join(cwd, "deployments.yaml"), there);
      await run(emulator);
      const written = text("deployments.yaml");
      expect(written).toMatch(/^\ufeff# ours\r\nversion: 1 # the first\r\ndeployments:\r\n {2}chat:\r\n/);
      create(emulator, "search");
      await run(emulator);
      expect(text("deployments.yaml").startsWith(written)).toBe(true);
    });

    it("marks a deployment that exists although the dialect's rules would refuse to create it", async () => {
      const emulator = await start({ rules: langsmithWith({ namePattern: "^[A-Z]" }) });
      create(emulator, "Chat");
      for (const _ of ["at first", "again"]) expect((await run(emulator)).code).toBe(0);
      const written = text("deployments.yaml");
      expect(written).toMatch(/^dialect: langsmith$/m);
      expect(written).toContain(
        "adopt: true # it exists already; a new one could not be created like this\n",
      );
      expect(await problems()).toContain("no problems");
    });

    it("refuses a manifest of another dialect, and changes nothing", async () => {
      const emulator = await start();
      create(emulator, "chat");
      const there = "version: 1\ndialect: langsmith\ndeployments: {}\n";
      writeFileSync(join(cwd, "deployments.yaml"), there);
      const { code, stderr } = await run(emulator, { DEPLOYMENT_SERVICE_DIALECT: "standard" });
      expect(code).toBe(1);
      expect(stderr).toContain("the file is for dialect langsmith");
      expect(text("deployments.yaml")).toBe(there);
    });
  });

  it("changes and sends nothing if the manifest has problems", async () => {
    const emulator = await start();
    const broken = "version: 1\ndeployments:\n  chat: { source: git }\n  other: { sauce: git }\n";
    writeFileSync(join(cwd, "deployments.yaml"), broken);
    const { code, stdout, stderr } = await ask(emulator, ["import", "--out", "import.json"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^deployments.yaml:3:19: source: expected one of/);
    expect(stderr).toContain("deployments.yaml has problems; nothing was written\n");
    expect(stderr).not.toContain("sauce");
    expect(text("deployments.yaml")).toBe(broken);
    expect(emulator.requests()).toEqual([]);
  });

  it.each([
    [
      ["--out", "deployments.yaml", "--manifest", "new.yaml"],
      "deployments.yaml exists and was not written by this",
    ],
    [["--out", "theirs.json"], "theirs.json exists and was not written by this command"],
    [["--out", "link.json"], "link.json exists and was not written by this command"],
    [["--out", "folder"], "cannot write folder: it is a folder"],
    [["--out", "i.json", "--manifest", "folder"], "cannot write folder: it is a folder"],
    [["--out", "./i.json", "--manifest", "folder/../i.json"], "--out and --manifest name the same file"],
    [["--out", "no/such/import.json"], "cannot write no/such/import.json: its folder does not exist"],
    [["--out", "theirs.json/i.json"], "theirs.json/i.json: its folder does not exist"],
    [["--out", "-"], "cannot write -: it is not a file name"],
    [["--out", "--json"], "--out needs a value"],
  ])("overwrites only its own files, and otherwise sends nothing: %j (F10, F11)", async (words, message) => {
    const emulator = await start();
    create(emulator, "chat");
    const manifest = "version: 1\ndeployments: {}\n";
    const theirs = '{ "resources": [{ "type": "aws:s3/bucket:Bucket", "name": "b", "id": "b" }] }';
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "deployments.yaml"), manifest);
    writeFileSync(join(cwd, "theirs.json"), theirs);
    symlinkSync("theirs.json", join(cwd, "link.json"));
    const before = readdirSync(cwd);
    const { code, stdout, stderr } = await ask(emulator, ["import", ...words], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(readdirSync(cwd)).toEqual(before);
    expect([text("deployments.yaml"), text("theirs.json")]).toEqual([manifest, theirs]);
    expect(emulator.requests()).toEqual([]);
  });

  it("keeps what was saved into the manifest during the request", async () => {
    const file = join(cwd, "deployments.yaml");
    const save = () => writeFileSync(file, "version: 1\ndeployments: {} # saved\n");
    const emulator = await start({ onRequest: save });
    create(emulator, "chat");
    writeFileSync(file, "version: 1\ndeployments: {}\n");
    expect((await ask(emulator, ["import", "--out", "import.json"], { cwd })).code).toBe(0);
    expect(text("deployments.yaml")).toMatch(/^version: 1\ndeployments: # saved\n {2}chat:\n/);
  });

  it("adds to the file that a symbolic link leads to, and keeps the link", async () => {
    const emulator = await start();
    create(emulator, "chat");
    mkdirSync(join(cwd, "shared"));
    writeFileSync(join(cwd, "shared/ours.yaml"), "version: 1\ndeployments: {}\n");
    symlinkSync("shared/ours.yaml", join(cwd, "deployments.yaml"));
    expect((await ask(emulator, ["import", "--out", "import.json"], { cwd })).code).toBe(0);
    expect(readlinkSync(join(cwd, "deployments.yaml"))).toBe("shared/ours.yaml");
    expect(text("shared/ours.yaml")).toContain("  chat:\n");
    expect(readdirSync(join(cwd, "shared"))).toEqual(["ours.yaml"]);
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

  it("leaves the manifest as it is if the import file cannot be written after all", async () => {
    const emulator = await start();
    create(emulator, "chat");
    const manifest = "version: 1\ndeployments: {}\n";
    writeFileSync(join(cwd, "deployments.yaml"), manifest);
    const { code, stderr } = await ask(emulator, ["import", "--out", "/dev/full"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("deployment-service: cannot write /dev/full: ENOSPC: no space left on device\n");
    expect(text("deployments.yaml")).toBe(manifest);
    expect(readdirSync(cwd)).toEqual(["deployments.yaml"]);
  });
});
