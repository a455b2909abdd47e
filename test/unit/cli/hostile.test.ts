/** Names and texts that a service chooses, on the terminal and in files that are pasted, compiled and run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { langsmith } from "../../../emulator";
import { ask, askLangsmith, create, ofImage, start } from "./service-commands";
import { scratch } from "../../support/folders";

const obeyed = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*::.+::|##vso\[/mu;
/** An escape sequence, a control of one character, a line break of every kind, a text turned round, nothing seen. */
const wicked =
  "x\u001b[2J\u009b31m\r\n\u0085\u2028\u202eevil\u2066\u200b\ufeff\u{e0041}y\n::stop-commands::a ##vso[b]";
/** Without what could be a token. */
const address = wicked.replace(/#.*/, "");
const shell = "$(touch owned); `touch owned`; ' \" # ";

describe("a name that a service chose", () => {
  it.each([["list"], ["list", "--json"]])(
    "reaches the terminal as nothing that it obeys: %s %s",
    async (...words) => {
      const emulator = await start();
      create(emulator, wicked, { secrets: [{ name: wicked, value: "v" }] });
      const { stdout, stderr } = await ask(emulator, words);
      expect(stdout).toContain("evil");
      expect(stdout + stderr).not.toMatch(obeyed);
      if (words.length > 1)
        expect(JSON.parse(stdout)).toMatchObject([{ name: wicked, secretNames: [wicked] }]);
    },
  );

  it.each([["--json"], ["--yaml"], []])("of a repository likewise: %s", async (...words) => {
    const emulator = await start();
    const id = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
    const repository = { host_integration_id: id, id: 1, name: wicked, owner: wicked, url: wicked };
    emulator.repositories(id, [{ ...repository, default_branch: wicked }]);
    const { stdout } = await ask(emulator, ["repos", id, ...words]);
    expect(stdout).toContain("evil");
    expect(stdout).not.toMatch(obeyed);
    const [read] = words[0] === "--json" ? (JSON.parse(stdout) as unknown[]) : [];
    if (read) expect(read).toMatchObject({ name: wicked, url: address });
    if (words[0] === "--yaml") {
      const { deployments } = parse(stdout) as { deployments: Record<string, object> };
      expect(Object.values(deployments)).toMatchObject([
        { sourceConfig: { repoUrl: address }, sourceRevisionConfig: { repoRef: wicked } },
      ]);
    }
  });

  it("stays in the folder and out of the shell when it is imported", async () => {
    const cwd = scratch();
    const emulator = await start();
    create(emulator, "../../escape", { secrets: [{ name: `${shell}${wicked}`, value: "v" }] });
    create(emulator, wicked);
    const { code, stdout, stderr } = await ask(emulator, ["import", "--out", "import.json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [manifest, bulk] = ["deployments.yaml", "import.json"].map((file) =>
      readFileSync(join(cwd, file), "utf8"),
    );
    for (const text of [stdout, manifest!, bulk!]) expect(text).not.toMatch(obeyed);
    const { resources } = JSON.parse(bulk!) as { resources: { name: string }[] };
    for (const { name } of resources) expect(name).toMatch(/^[A-Za-z][\w.-]*$/);
    // What is pasted into a shell says the name in quotes that nothing in it ends.
    const line = stdout.split("\n").find((text) => text.includes("pulumi config set --secret"))!;
    expect(line).toMatch(/^ +pulumi config set --secret \w+ {2}# '[^']+' of [\w.-]+$/);
    expect(Object.values((parse(manifest!) as { deployments: object }).deployments)).toMatchObject([
      { name: "../../escape" },
      { name: wicked },
    ]);
  });
});

it.each([
  "logs chat --build",
  "logs chat --build --json",
  "status chat",
  "status chat --json",
  "status chat --revisions",
  "status chat --revisions --json",
])("what a build prints, and a password in an address there, steers and shows nothing: %s", async (line) => {
  const registry = "https://robot:s3cr3t+pass=99@registry.example.com/v2/";
  const emulator = await start({
    rules: langsmith,
    logs: {
      build: [
        ...["::stop-commands::token", "#8 ##vso[task.setvariable variable=PATH]/tmp", "##[error]a"],
        ...["##teamcity[buildStatus status='SUCCESS']", `#9 ERROR: failed to pull ${registry}`],
      ],
    },
    rollout: {
      polls: 0,
      fails: "BUILD_FAILED",
      reason: `##vso[task.complete result=Succeeded;] ${registry} ::error::a`,
    },
  });
  create(emulator, "chat", ofImage("registry.example.com/chat:1"));
  const { stdout, stderr } = await askLangsmith(emulator, line.split(" "));
  expect(stdout).not.toBe("");
  expect(stdout + stderr).not.toMatch(/^\s*::.+::|##(vso|teamcity)?\[|s3cr3t|pass=/m);
});
