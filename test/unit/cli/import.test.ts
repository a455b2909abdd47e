import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../../canary";
import { ask, create, start } from "./service-commands";

const value = canary("value");
const secrets = [{ name: "MODEL_API_KEY", value }];

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "import-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

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
    expect(stdout).toMatchInlineSnapshot(`
      "2 deployments: import.json for the stack's state, deployments.yaml for the program.

      1. Make the program create what the manifest declares:
           import { fromManifest } from "pulumi-deployment-service";
           fromManifest("deployments.yaml");
      2. Take the deployments into the stack, as they are (Pulumi CLI 3.254 or newer), and see that nothing changes:
           pulumi import --file import.json --generate-code=false --protect=false
           pulumi preview
      3. Secrets stay as they are until you manage them, one by one: set the value, and take the name out of its
         comment in deployments.yaml:
           pulumi config set --secret chatModelApiKey  # MODEL_API_KEY of chat
      "
    `);
    expect(readdirSync(cwd).sort()).toEqual(["deployments.yaml", "import.json"]);
    expect(names("import.json")).toEqual(["chat", "search"]);
    expectNoTrace(text("import.json") + text("deployments.yaml"), { value });
    expect(emulator.requestLines()).toEqual(["GET /v2/deployments 200"]);
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

  it("ends with 3 and writes nothing when an id is not there, or nothing fits", async () => {
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

  it("moves a manifest aside that was there already", async () => {
    const emulator = await start();
    create(emulator, "chat");
    writeFileSync(join(cwd, "deployments.yaml"), "edited by hand\n");
    const run = () => ask(emulator, ["import", "--out", "import.json"], { cwd });
    expect((await run()).stderr).toContain(
      "deployments.yaml was there already: it is deployments.yaml.old now",
    );
    expect(text("deployments.yaml.old")).toBe("edited by hand\n");
    expect((await run()).stderr).toBe("");
    expect(text("deployments.yaml.old")).toBe("edited by hand\n");
  });

  it("names on standard error what it leaves out", async () => {
    const emulator = await start();
    create(emulator, "chat");
    create(emulator, "going");
    emulator.change("going", (record) => {
      record.status = "AWAITING_DELETE";
    });
    const { stdout, stderr } = await ask(emulator, ["import", "--out", "import.json", "--json"], { cwd });
    expect(stderr).toMatch(/^left out: going \([0-9a-f-]+\) is being deleted \(status AWAITING_DELETE\)\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      out: "import.json",
      manifest: "deployments.yaml",
      imported: [{ key: "chat", name: "chat", secrets: [] }],
      skipped: [{ name: "going" }],
    });
  });

  it("says with --json what sets each secret", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets });
    const { stdout } = await ask(emulator, ["import", "--out", "import.json", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      imported: [
        {
          secrets: [
            {
              name: "MODEL_API_KEY",
              configKey: "chatModelApiKey",
              command: "pulumi config set --secret chatModelApiKey",
            },
          ],
        },
      ],
    });
  });

  it.each([
    [["import"], "--out FILE is missing"],
    [["import", "--out", "x", "--manifest", "./x"], "--out and --manifest name the same file"],
    [["import", "--out", "x", "--ids", "y"], "--deployment-ids[0]: expected a UUID"],
  ])("sends nothing and ends with 2 for %j", async (words, message) => {
    const emulator = await start();
    const { code, stderr } = await ask(emulator, words, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(emulator.requests).toEqual([]);
  });

  it("ends with 2 when a file cannot be written", async () => {
    const emulator = await start();
    create(emulator, "chat");
    const { code, stderr } = await ask(emulator, ["import", "--out", "no/such/import.json"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("cannot write no/such/import.json (ENOENT)");
  });
});
