/** The life of a deployment whose source code is a folder: real folders, and an emulator with real uploads. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { langsmithWith, type Fault, type LangsmithOptions } from "../../../emulator";
import { contentChanges } from "../../../provider/deployment/content";
import { clock } from "../../model/support/idle-clock";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { rejectionOf } from "../../support/service";
import { write } from "../../support/folders";
import { makeSource, textsOf } from "../../support/source";

let one: OneDeployment;

const start = async (rules: Partial<LangsmithOptions> = {}) =>
  (one = await startOne({ rules: langsmithWith(rules), clock }, "langsmith"));

const agent = (sourceDirectory: string, more: object = {}) => ({
  name: "agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "dev_zero" },
  sourceDirectory,
  secrets: { MODEL_API_KEY: "canary-5d1f7a" },
  ...more,
});

/** What was asked for, without reads and without ids. */
const steps = () =>
  one.emulator
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, "ID")}`);

/** A folder whose content is deployed. */
async function deployedFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  await start();
  const folder = makeSource(files);
  await one.up(agent(folder));
  return folder;
}

const patch = ["PATCH /v2/deployments/ID"];
const upload = ["POST /v2/deployments/ID/upload-url", "PUT /_storage/ID", ...patch];
const creation = ["POST /v2/deployments", ...upload];
const deployed = () => textsOf(one.emulator.uploaded("agent")!);
const revisions = () => one.emulator.deployment("agent")!.revisions;

describe("a folder", () => {
  it("is created, archived, uploaded without the key, and rolled out", async () => {
    await start();
    const folder = makeSource({ "tools/search.py": "find = 1\n" });
    const writes = await one.up(agent(folder));
    expect(steps()).toEqual(creation);
    expect(writes.at(-1)!.body).toMatchObject({
      revision_source: "internal_source",
      source_revision_config: { langgraph_config_path: "langgraph.json" },
    });
    expect(Object.keys(deployed())).toEqual(["agent.py", "langgraph.json", "tools/search.py"]);
    const put = one.emulator.requests().find(({ method }) => method === "PUT")!;
    expect(put.headers).toMatchObject({ "content-type": "application/gzip" });
    expect(Object.keys(put.headers)).not.toContain("x-api-key");
    expect(revisions()).toHaveLength(1);
    expect(one.kept!.outputs).toMatchObject({ generation: 1, status: "READY" });
  });

  it("says that a revision, whatever makes it, runs on the newest server, unless its configuration chooses one", async () => {
    const folder = await deployedFolder();
    const lineFor = async (more: object) => (await one.previewOf(agent(folder, more))).explanation;
    expect(await lineFor({ secrets: { OTHER: "1" } })).toMatch(
      /^creates a new revision .*; on the newest server \(now 1\.0\.0\)$/,
    );
    expect(await lineFor({ deleteTracingProject: true })).not.toContain("server");
    const config = JSON.parse(readFileSync(join(folder, "langgraph.json"), "utf8")) as object;
    write(folder, { "langgraph.json": JSON.stringify({ ...config, api_version: "0.16" }) });
    expect(await lineFor({})).toBe("creates a new revision (sourceDirectory: ~langgraph.json)");
    await one.up(agent(folder));
    expect(await lineFor({ secrets: { OTHER: "1" } })).not.toContain("server");
  });

  it.each<[object, string[]]>([
    [{ triggers: 2 }, upload],
    [{ triggers: 2, sourceConfig: { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_M" } }, upload],
    [{ sourceConfig: { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_M" } }, patch],
    [{ sourceConfig: { deploymentType: "dev_zero", buildCommand: "make" } }, patch],
    [{ secrets: { MODEL_API_KEY: "another-canary" } }, patch],
  ])("is uploaded again only if a revision of the source is made: %j", async (change, sent) => {
    const folder = await deployedFolder();
    await one.up(agent(folder, change));
    expect(steps()).toEqual(sent);
  });

  it("whose file can be executed now is another content", async () => {
    const folder = await deployedFolder({ "run.sh": "echo\n" });
    write(folder, { "run.sh*": "echo\n", "agent.py": "graph = 2\n" });
    const { inputs } = await one.previewOf(agent(folder));
    expect(contentChanges(one.kept!.inputs, inputs.arguments)).toMatchObject([
      { summary: "~agent.py, ~run.sh" },
    ]);
  });

  it("that moves with the same content changes nothing, and is read where it went when something else does", async () => {
    const folder = await deployedFolder();
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    onTestFinished(() => rmSync(moved, { recursive: true }));
    expect(await one.previewOf(agent(moved))).toMatchObject({ kind: "none", explanation: undefined });
    await one.up(agent(moved));
    expect(steps()).toEqual([]);
    await one.up(agent(moved, { triggers: 2 }));
    expect(steps()).toEqual(upload);
  });

  it("brings local packages from next to it along, and drift does not see their common root", async () => {
    await start();
    const root = makeSource({
      "apps/agent/langgraph.json": JSON.stringify({
        dependencies: [".", "../../libs/shared"],
        graphs: { agent: "./agent.py:graph" },
      }),
      "apps/agent/agent.py": "",
      "libs/shared/pyproject.toml": "[project]",
      "libs/other/secret.txt": "not part of it",
    });
    const config = { sourceRevisionConfig: { graphConfigPath: "langgraph.json" } };
    const args = agent(join(root, "apps/agent"), config);
    const writes = await one.up(args);
    expect(one.warnings).toEqual([]);
    const path = { langgraph_config_path: "apps/agent/langgraph.json" };
    expect(writes[0]!.body).toMatchObject({ source_revision_config: path });
    expect(writes[3]!.body).toMatchObject({ source_revision_config: path });
    expect(Object.keys(deployed())).toEqual([
      "apps/agent/agent.py",
      "apps/agent/langgraph.json",
      "libs/shared/pyproject.toml",
    ]);
    expect(await one.refresh()).toBe(false);
    expect(await one.previewOf(args)).toMatchObject({ kind: "nothing" });
  });

  it("is deployed again if someone else has deployed another archive since", async () => {
    const args = agent(await deployedFolder());
    one.emulator.change(
      "agent",
      (record) => void (record.source_revision_config["source_tarball_path"] = "from/elsewhere.tar.gz"),
      { revision: true },
    );
    expect(await one.refresh()).toBe(true);
    expect((await one.previewOf(args)).explanation).toBe(
      "creates a new revision (sourceDirectory: a different archive was deployed outside of this stack); on the newest server " +
        "(now 1.0.0)",
    );
    await one.up(args);
    expect(steps()).toEqual(upload);
    expect(await one.refresh()).toBe(false);
  });

  it("that changes after the preview is sent as it is found, which the state says", async () => {
    await start();
    const folder = makeSource();
    await one.up(agent(folder), { checked: () => write(folder, { "agent.py": "graph = 3\n" }) });
    expect(deployed()["agent.py"]).toBe("graph = 3\n");
    one.kept = { ...one.kept!, inputs: { ...one.kept!.inputs, ...one.kept!.outputs } };
    expect(await one.previewOf(agent(folder))).toMatchObject({ kind: "nothing" });
  });

  it("that is no longer declared stays deployed, with a warning", async () => {
    const { sourceDirectory: _, ...rest } = agent(await deployedFolder());
    expect(one.preview(rest).warnings).toEqual([
      expect.stringContaining("sourceDirectory is no longer declared"),
    ]);
    expect(await one.up(rest)).toEqual([]);
  });
});

describe("an upload", () => {
  const storage = { method: "PUT" };
  const [post, address, put] = creation;
  it.each<[string, Fault["how"]]>([
    ["503", { status: 503 }],
    ["a lost connection", { reset: "before" }],
    ["a lost response", { reset: "after" }],
  ])("is repeated after %s", async (_, how) => {
    await start();
    one.emulator.fail({ when: storage, how });
    await one.up(agent(makeSource()));
    expect(steps()).toEqual([post, address, put, put, ...patch]);
    expect(revisions()).toHaveLength(1);
  });

  it.each<[string, Partial<LangsmithOptions>, (string | undefined)[]]>([
    ["sends the headers that the service returns", {}, [address, put]],
    ["asks without a body where that is refused", { uploadOffer: "refused" }, [address, address, put]],
  ])("offers to send any headers and %s", async (_, rules, asked) => {
    const uploadHeaders = rules.uploadOffer === undefined ? { "X-Amz-Tagging": "a=b" } : undefined;
    await start({ ...rules, uploadHeaders });
    await one.up(agent(makeSource()));
    expect(steps()).toEqual([post, ...asked, ...patch]);
    const puts = one.emulator.requests().filter(({ method }) => method === "PUT");
    const own = uploadHeaders ? "x-amz-tagging" : "x-goog-content-length-range";
    for (const { headers } of puts)
      expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([own]);
  });

  const refused = { status: 403, body: "<Error><Message>no</Message></Error>" };
  it.each<[string, Fault["how"], RegExp]>([
    [
      "is refused",
      refused,
      /^PUT http:\/\/127\.0\.0\.1:\d+ answered 403 Forbidden: no\. The deployment exists but has no source/,
    ],
    ["is redirected", { redirect: "http://127.0.0.1:9/", status: 307 }, /answered 307 Temporary Redirect/],
    ["fails", { status: 500 }, /answered 500/],
  ])(
    "that %s leaves the deployment in the state, and the next run needs one revision",
    async (_, how, text) => {
      await start();
      const folder = makeSource();
      const fault = one.emulator.fail({ when: storage, times: "always", how });
      const { message } = await rejectionOf(one.up(agent(folder)));
      expect(message).toMatch(text);
      expect(message).not.toMatch(/_storage|canary/);
      fault.cancel();
      await one.refresh();
      expect(await one.previewOf(agent(folder))).toMatchObject({
        explanation:
          "creates a new revision (sourceDirectory: uploads 2 files); on the newest server (now 1.0.0)",
        inputs: { generation: 1 },
      });
      await one.up(agent(folder));
      expect(steps()).toEqual(upload);
      expect(revisions()).toHaveLength(1);
      expect(one.kept!.outputs.generation).toBe(1);
    },
  );

  it("whose PATCH is answered with an older state is waited for, and its failed build fails the `up`", async () => {
    const emulator = (await start()).emulator;
    emulator.configure({ lag: 1, rollout: { polls: 1, fails: "BUILD_FAILED" } });
    expect((await rejectionOf(one.up(agent(makeSource())))).message).toContain("failed (BUILD_FAILED)");
  });

  it("whose PATCH has no response is looked up, and makes one revision", async () => {
    await start();
    one.emulator.fail({ when: { method: "PATCH" }, how: { reset: "after" } });
    await one.up(agent(makeSource()));
    expect(steps()).toEqual(creation);
    expect(revisions()).toHaveLength(1);
  });
});

it.each([
  ["after the creation", { method: "POST", path: /upload-url$/ }],
  ["after it got an address", { method: "PUT" }],
  ["after the upload", { method: "PATCH" }],
])(
  "a run that is killed before it writes its state %s is continued with `adopt`: one deployment, one revision",
  async (_, when) => {
    await start();
    const folder = makeSource();
    const fault = one.emulator.fail({ when, times: "always", how: { status: 422 } });
    await rejectionOf(one.up(agent(folder)));
    fault.cancel();
    one.kept = undefined;
    expect((await rejectionOf(one.up(agent(folder)))).message).toContain("`adopt: true`");
    await one.up({ ...agent(folder), adopt: true });
    expect(one.emulator.deployments()).toHaveLength(1);
    expect(revisions()).toHaveLength(1);
  },
);
