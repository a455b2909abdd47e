/** The history of a deployment, and ending what is stuck in it. */
import { describe, expect, it } from "vitest";
import { langsmith as rules, type Emulator } from "../../../emulator";
import { contentOf } from "../../../cli/deployments/revision-table";
import { refused } from "./outcomes";
import { ask, askLangsmith as command, create, ofImage, revise, start, writesOf } from "./service-commands";

/** Of no revision. */
const [one, other] = ["6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11", "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b12"];
const image = (tag: string) => `registry.example.com/chat:${tag}`;

/** A deployment of image 1 that is active, and a revision for each further image. */
async function withRevisions(...images: string[]): Promise<Emulator> {
  const emulator = await start({ rules });
  create(emulator, "chat", ofImage(image("1")));
  emulator.configure({ rollout: { byName: { chat: "stuck" } } });
  for (const each of images) revise(emulator, "chat", image(each));
  emulator.clearRequests();
  return emulator;
}
const idOf = (emulator: Emulator, number: number) => emulator.deployment("chat")!.revisions[number - 1]!.id;
const statesOf = (emulator: Emulator) => emulator.deployment("chat")!.revisions.map(({ state }) => state);

describe("status --revisions", () => {
  it("shows them newest first, with time, status and image, and which one is active", async () => {
    const emulator = await withRevisions("2", "3");
    const { code, stdout, stderr } = await command(emulator, ["status", "chat", "--revisions"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [heading, ...rows] = stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^CREATED +STATUS +ID +RUNS +SERVER$/);
    const time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    // The service shows the server of what is active.
    const expected = [
      ["QUEUED", "3", 3, "-"],
      ["QUEUED", "2", 2, "-"],
      ["DEPLOYED \\(active\\)", "1", 1, "1.0.0"],
    ] as const;
    for (const [at, [status, tag, number, server]] of expected.entries())
      expect(rows[at]).toMatch(
        new RegExp(`^${time} +${status} +${idOf(emulator, number)} +${image(tag)} +${server}$`),
      );
    expect(rows).toHaveLength(3);
    expect(writesOf(emulator)).toEqual([]);
    const { stdout: json } = await command(emulator, ["status", "chat", "--revisions", "--json"]);
    expect(JSON.parse(json)).toMatchObject([
      {
        id: idOf(emulator, 3),
        status: "QUEUED",
        isActive: false,
        sourceRevisionConfig: { imageUri: image("3") },
      },
      { status: "DEPLOYING", isActive: false },
      { status: "DEPLOYED", isActive: true },
    ]);
  });

  it("shows whole ids in 80 columns, and leaves out what no revision has", async () => {
    const emulator = await withRevisions("2");
    const narrow = await command(emulator, ["status", "chat", "--revisions"], { columns: 80 });
    const [shown, note] = narrow.stdout.trimEnd().split("\n\n");
    const [heading, ...rows] = shown!.split("\n");
    expect(heading).toMatch(/^CREATED +STATUS +ID$/);
    expect(note).toMatch(/^Too narrow for [A-Z, ]+: --json shows all\.$/);
    for (const [at, row] of rows.entries()) expect(row.split(" ").at(-1)).toBe(idOf(emulator, 2 - at));
    create(emulator, "folder", { source_config: { deployment_type: "dev" } });
    const { stdout } = await command(emulator, ["status", "folder", "--revisions"]);
    expect(stdout).toMatch(/^CREATED +STATUS +ID +SERVER\n/);
  });

  it("shows the commit of a folder, or else what differs in the path of its archive", () => {
    const uploaded = (id: string, repoCommitSha: string | null = null) =>
      contentOf({ sourceRevisionConfig: { repoCommitSha, sourceTarballPath: `tenant/chat/${id}.tar.gz` } });
    expect([uploaded("5ec71288-4d31"), uploaded("6ec71288-4d31")]).toEqual([
      "upload 5ec71288-4d31",
      "upload 6ec71288-4d31",
    ]);
    expect(uploaded("5ec71288", "4f".repeat(20))).toBe("4f".repeat(20));
  });

  it("says that it shows only the newest, if there may be more", async () => {
    const emulator = await withRevisions();
    emulator.configure({ rollout: { polls: 0 } });
    for (let count = 0; count < 120; count++) revise(emulator, "chat", image(String(count)));
    const { stdout, stderr } = await command(emulator, ["status", "chat", "--revisions"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(101);
    expect(stdout.split("\n")[1]).toContain(image("119"));
    expect(stderr).toBe("these are the newest 100 revisions\n");
  });
});

describe("interrupt", () => {
  const warning =
    "warning: LangSmith warns of undefined behavior after an interruption, and may remove it: use it only for a revision that is stuck\n";

  it("asks, ends the oldest revision that has not ended, and lets those behind it go on", async () => {
    const emulator = await withRevisions("2", "3");
    const asked: string[] = [];
    const answer = (text: string) => (question: string) => (asked.push(question), Promise.resolve(text));
    const declined = await command(emulator, ["interrupt", "chat"], { ask: answer("") });
    expect(declined).toEqual({
      code: 0,
      stdout: `nothing was done: revision ${idOf(emulator, 2)} of chat continues\n`,
      stderr: warning,
    });
    expect(writesOf(emulator)).toEqual([]);
    const { code, stdout, stderr } = await command(emulator, ["interrupt", "chat"], { ask: answer("y") });
    expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
    expect(asked[1]).toMatch(
      new RegExp(
        `^no stack, service ${emulator.url}:\n  deployment chat, revision ${idOf(emulator, 2)}\n  [A-Z]+, \\d+m?s old, ${image("2")}\nInterrupt it\\? \\[y/N\\] $`,
      ),
    );
    expect(stdout).toBe(
      `interrupted revision ${idOf(emulator, 2)} of chat; \`npx pulumi-deployment-service status chat --wait\` shows what comes next\n`,
    );
    const { id } = emulator.deployment("chat")!;
    expect(writesOf(emulator)).toEqual([
      `POST /v2/deployments/${id}/revisions/${idOf(emulator, 2)}/interruption 202`,
    ]);
    expect(statesOf(emulator)).toEqual(["done", "interrupted", "rolling-out"]);
  });

  it("finds the address that the service has for it", async () => {
    for (const missing of [["/interruption"], ["/interrupt"]]) {
      const emulator = await withRevisions("2");
      emulator.configure({ missing });
      const { code } = await command(emulator, ["interrupt", "chat", "--yes"]);
      expect([code, statesOf(emulator)[1]]).toEqual([0, "interrupted"]);
    }
    const emulator = await withRevisions("2");
    emulator.configure({ missing: ["/interruption", "/interrupt"] });
    const outcome = await command(emulator, ["interrupt", "chat", "--yes"]);
    expect(outcome).toMatchObject(refused("/interruption answered 404 Not Found", 3));
    expect(writesOf(emulator)).toHaveLength(2);
  });

  it("ends the revision that is named, without a question with --yes", async () => {
    const emulator = await withRevisions("2", "3");
    const words = ["interrupt", "chat", "--yes", "--revision", idOf(emulator, 3), "--json"];
    const { code, stdout } = await command(emulator, words);
    expect(code).toBe(0);
    const expected = { name: "chat", revisionId: idOf(emulator, 3), interrupted: true };
    expect(JSON.parse(stdout)).toMatchObject(expected);
    expect(statesOf(emulator)).toEqual(["done", "rolling-out", "interrupted"]);
  });

  it("does nothing, says so and ends with 0 if the revision has ended", async () => {
    const emulator = await withRevisions();
    const named = ["--revision", idOf(emulator, 1)];
    for (const [words, message] of [
      [[], "nothing was done: all revisions of chat have already ended"],
      [named, `nothing was done: revision ${idOf(emulator, 1)} of chat has already ended`],
    ] as const) {
      const outcome = await command(emulator, ["interrupt", "chat", "--yes", ...words]);
      expect(outcome).toEqual({ code: 0, stdout: `${message}\n`, stderr: "" });
    }
    expect(writesOf(emulator)).toEqual([]);
  });

  it("ends with 3 and the service's own words if the revision ends at that moment", async () => {
    const emulator = await withRevisions("2");
    const ask = () => (emulator.finish("chat"), Promise.resolve("yes"));
    const outcome = await command(emulator, ["interrupt", "chat"], { ask });
    expect(outcome).toMatchObject(refused("/interruption answered 409 Conflict", 3));
  });

  it.each([
    [["chat"], 2, "which needs a terminal: add --yes"],
    [["none", "--yes"], 3, 'the service has no deployment named "none"; the service has chat'],
    [["--yes"], 2, "NAME is missing"],
    [["chat", "--yes", "--revision", one], 3, "no revision has an id that begins with 6f0e6c1a"],
  ])("sends nothing that changes anything: %j", async (words, code, message) => {
    const emulator = await withRevisions("2");
    expect(await command(emulator, ["interrupt", ...words])).toMatchObject(refused(message, code));
    expect(writesOf(emulator)).toEqual([]);
  });
});

it.each([
  [["status", "chat", "--revisions"], "listing revisions"],
  [["interrupt", "chat", "--yes"], "interrupting a revision"],
  [["integrations"], "integrations"],
])("in dialect standard %j is not to be had, and the way out is named", async (words, what) => {
  const emulator = await start();
  const { code, stdout, stderr } = await ask(emulator, words);
  expect({ code, stdout, stderr }).toEqual({
    code: 3,
    stdout: "",
    stderr:
      `deployment-service: dialect standard does not support ${what}. If the service uses dialect langsmith, set ` +
      "`deployment-service:dialect` (DEPLOYMENT_SERVICE_DIALECT)\n",
  });
  expect(emulator.requests()).toEqual([]);
});

const repository = (owner: string) => ({ owner, name: "chat", url: `https://github.com/${owner}/chat` });

it.each<[string, string, (emulator: Emulator) => void, string[][], object[]]>([
  [
    "integrations",
    "no integrations: connect a code host in the service's settings first\n",
    (emulator) => {
      emulator.repositories(other, [repository("team")]);
      emulator.repositories(one, [repository("acme")]);
    },
    [
      ["NAME", "ID", "INSTALLATION"],
      ["acme", one, "2"],
      ["team", other, "1"],
    ],
    [
      { id: one, name: "acme", installationId: 2 },
      { id: other, name: "team", installationId: 1 },
    ],
  ],
  [
    "listeners",
    "no listeners: install one in a cluster first\n",
    (emulator) => emulator.seed({ listeners: { [one]: ["agents", "tests"] } }),
    [
      ["CLUSTER", "ID", "NAMESPACES"],
      ["cluster-1", one, "agents, tests"],
    ],
    [{ id: one, computeId: "cluster-1", namespaces: ["agents", "tests"] }],
  ],
])("%s shows the ids that a deployment needs, by name", async (name, none, add, rows, json) => {
  const emulator = await start({ rules });
  expect(await command(emulator, [name])).toEqual({ code: 0, stdout: "", stderr: none });
  add(emulator);
  const { stdout } = await command(emulator, [name]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual(rows);
  expect(JSON.parse((await command(emulator, [name, "--json"])).stdout)).toEqual(json);
});

it("logs and interrupt take the beginning of a revision's id, as screens show it", async () => {
  const emulator = await withRevisions();
  emulator.configure({ logs: { deploy: ['  File "agent.py", line 14'] } });
  const first = idOf(emulator, 1);
  const short = ["chat", "--revision", first.slice(0, 8)];
  expect((await command(emulator, ["logs", ...short])).stdout).toBe('  File "agent.py", line 14\n');
  const ended = await command(emulator, ["interrupt", "--yes", ...short]);
  expect(ended.stdout).toBe(`nothing was done: revision ${first} of chat has already ended\n`);
  const advice = "zzz: `npx pulumi-deployment-service status chat --revisions` shows them in full";
  expect(await command(emulator, ["logs", "chat", "--revision", "zzz"])).toMatchObject(
    refused(`no revision has an id that begins with ${advice}`, 3),
  );
});
