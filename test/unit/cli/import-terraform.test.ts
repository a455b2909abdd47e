import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import { stateFile, type Resource } from "../../support/terraform";
import { ask, create, start } from "./service-commands";
import { scratch } from "./support";

const environment = canary("environment");
const gone = "00000000-0000-4000-8000-0000000000ff";
const role = { name: "role", type: "langsmith_workspace_role", id: gone };

let cwd = "";
beforeEach(() => {
  cwd = scratch();
});

const text = (file: string) => readFileSync(join(cwd, file), "utf8");
const stateOf = (...resources: Resource[]) => stateFile(resources, { environment });
const words = ["import", "--terraform", "-", "--out", "import.json"];

describe("import --terraform", () => {
  it("takes the deployments of a state, by their addresses, and says what to do with Terraform", async () => {
    const emulator = await start();
    const secrets = [{ name: "LOG_LEVEL", value: environment }];
    const [eu, us] = ["chat-eu", "chat-us"].map((name) => create(emulator, name, { secrets }));
    const search = create(emulator, "search");
    create(emulator, "by-hand");
    writeFileSync(
      join(cwd, "terraform.tfstate"),
      stateOf(
        { name: "chat", index: "eu", id: eu! },
        { name: "chat", index: "it's us", id: us! },
        { module: "module.tools", name: "search", id: search },
        { name: "old", id: gone },
        { name: "begun", id: null },
        role,
      ),
    );
    const { code, stdout, stderr } = await ask(
      emulator,
      ["import", "--terraform", "terraform.tfstate", "--out", "import.json"],
      { cwd },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "skipped: langsmith_deployment.begun has no id in the state\n" +
        `skipped: langsmith_deployment.old (${gone}) is not on the service\n`,
    });
    expect(stdout).toContain(
      "3 deployments: import.json for the stack's state, deployments.yaml for the program.",
    );
    expect(stdout.slice(stdout.indexOf("5. "))).toMatchInlineSnapshot(`
      "5. When the preview shows no change, remove them from Terraform, so that only one tool manages them. Remove their
         blocks from its configuration too: otherwise the next apply creates them again.
           terraform state rm 'langsmith_deployment.chat["eu"]'
           terraform state rm 'langsmith_deployment.chat["it'\\''s us"]'
           terraform state rm 'module.tools.langsmith_deployment.search'
         1 other resource in terraform.tfstate stays with Terraform.
      "
    `);
    const { resources } = JSON.parse(text("import.json")) as { resources: { name: string; id: string }[] };
    expect(resources.map(({ name, id }) => [name, id])).toEqual([
      ["chat-eu", eu],
      ["chat-it-s-us", us],
      ["tools-search", search],
    ]);
    expect(text("deployments.yaml")).toContain("  chat-it-s-us:\n    name: chat-us\n");
    expectNoTrace(stdout + stderr + text("import.json") + text("deployments.yaml"), { environment });
    expect(emulator.requestLines()).toHaveLength(1);
  });

  it("names what Terraform still has to delete, and gives no command that would forget it", async () => {
    const emulator = await start();
    const [now, before] = ["chat", "chat-before"].map((name) => create(emulator, name));
    const stdin = stateOf({ name: "chat", id: now! }, { name: "chat", id: before!, isDeposed: true });
    const { stdout, stderr } = await ask(emulator, words, { cwd, stdin });
    expect(stderr).toBe(
      `skipped: langsmith_deployment.chat (${before}) was replaced, and Terraform still has to delete it: run \`terraform apply\` first\n`,
    );
    expect(stdout).not.toContain("terraform state rm");
    expect(stdout).toContain(`     langsmith_deployment.chat (${before})\n`);
    expect(text("import.json")).not.toContain(before);
  });

  it("names the workspace of a deployment that this connection does not show", async () => {
    const emulator = await start();
    const stdin = stateOf(
      { name: "chat", id: create(emulator, "chat") },
      { name: "other", id: gone, workspace: "11111111-0000-4000-8000-000000000009" },
    );
    expect((await ask(emulator, words, { cwd, stdin })).stderr).toBe(
      `skipped: langsmith_deployment.other (${gone}) belongs to the workspace 11111111-0000-4000-8000-000000000009: set ` +
        "`deployment-service:tenantId` (DEPLOYMENT_SERVICE_TENANT_ID) to it to import it\n",
    );
  });

  it("quotes addresses so that a shell hands them to Terraform as they are", async () => {
    const emulator = await start();
    const index = `it's "$HOME" \`x\` \\ !`;
    const stdin = stateOf({ name: "chat", index, id: create(emulator, "chat") });
    const { stdout } = await ask(emulator, [...words, "--json"], { cwd, stdin });
    const { terraform } = JSON.parse(stdout) as {
      terraform: { takenOver: { address: string; command: string }[] };
    };
    const [{ address, command }] = terraform.takenOver as [{ address: string; command: string }];
    const printed = execFileSync("sh", ["-c", command.replace("terraform state rm", "printf %s")]);
    expect(printed.toString()).toBe(address);
  });

  it("reads what a Windows shell wrote", async () => {
    const emulator = await start();
    const stdin = Buffer.from(`\ufeff${stateOf({ name: "chat", id: create(emulator, "chat") })}`, "utf16le");
    expect((await ask(emulator, words, { cwd, stdin })).code).toBe(0);
  });

  const onlyGone = stateOf({ name: "chat", id: gone });
  it.each<[string, string[], string, number, string]>([
    [
      "a file that is not a state",
      words,
      "{}",
      1,
      "standard input is JSON, but not a state that can be read, ",
    ],
    ["a missing file", ["import", "--terraform", "x.json", "--out", "i.json"], "", 2, "cannot read x.json"],
    [
      "--ids",
      [...words, "--ids", gone],
      onlyGone,
      2,
      "--terraform imports all deployments of the state, so it cannot be combined",
    ],
    [
      "a state whose deployments are all gone",
      words,
      onlyGone,
      3,
      "the service has none of the deployments in standard input: check that the address and the tenant",
    ],
  ])("writes nothing for %s", async (_, line, stdin, code, message) => {
    const outcome = await ask(await start(), line, { cwd, stdin });
    expect(outcome).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) as string });
    expect(readdirSync(cwd)).toEqual([]);
    expectNoTrace(outcome.stderr, { environment });
  });
});
