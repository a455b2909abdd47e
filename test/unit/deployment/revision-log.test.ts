/** Why a revision failed: the end of its log, in the error. */
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../provider/text/sanitize";
import { failedRevision, logOfFailure, newestLine } from "../../../provider/deployment/revision-log";
import type { Context } from "../../../provider/deployment/context";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { redactErrors } from "../../../provider/engine/redact-secrets";
import { redactor } from "../../../provider/text/redact";
import { canary, expectNoTrace, headerCanary } from "../../support/canary";
import { langsmith as rules } from "../../../emulator";
import { start } from "../../support/emulator";
import { observed } from "../../support/observed";
import { connect } from "../../support/http";
import { setUp } from "../../support/service";

const failedBuild = { latestRevisionId: "r2", activeRevisionId: null, latestRevisionStatus: "BUILD_FAILED" };
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

/** The lines of the error before what to do about it. */
async function endOfFailedLog(context: Context, failed: Observed): Promise<string> {
  const { below } = await failedRevision(context, { revision: "r2", previous: [] }, failed);
  return below.split(/\n?Fix the cause/)[0]!;
}

/** A deployment whose build failed with this log, and its service as a resource with these secrets sees it. */
async function broken(log: string[] | undefined, secrets: string[] = [], apiKey?: string) {
  const emulator = await start({
    rules,
    ...(apiKey !== undefined && { apiKey }),
    ...(log !== undefined && { logs: { build: log } }),
    rollout: { polls: 0, fails: "BUILD_FAILED" },
  });
  const { id, latest_revision_id: revision } = emulator.create({
    name: "chat",
    source: "internal_template",
    source_config: { deployment_type: "dev" },
    source_revision_config: {},
    secrets: [],
  });
  const { client } = connect(emulator.url, { dialect: langsmith, apiKey: emulator.apiKey });
  const service = redactErrors(client, redactor(secrets));
  const deployment = observed({ ...failedBuild, id, latestRevisionId: String(revision) });
  emulator.clearRequests();
  const { context } = setUp({}, { dialect: langsmith, service });
  return { context, deployment, emulator };
}

describe("the log of a failed revision", () => {
  it("is requested once, and its last 20 lines are shown", async () => {
    const { context, deployment, emulator } = await broken(lines(60));
    const shown = lines(60)
      .slice(40)
      .map((line) => `  ${line}`);
    expect(await endOfFailedLog(context, deployment)).toBe(
      ["The last lines of its build log:", ...shown].join("\n"),
    );
    expect(emulator.requestLines()).toHaveLength(1);
  });

  it("repeats neither the key nor a secret of the resource, on however many lines", async () => {
    const [key, secret] = [headerCanary("key"), canary("argument")];
    const log = [
      "begin",
      `KEY=${key}`,
      `echo ${secret}`,
      JSON.stringify({ secret }),
      ...secret.split("\n"),
      "end",
    ];
    const { context, deployment } = await broken(log, [secret], key);
    const told = await endOfFailedLog(context, deployment);
    expect(told).toContain("  begin\n");
    expect(told).toContain("  end");
    expectNoTrace(told, { key, secret });
  });

  it("shows while it is written no secret either, which may stand on several lines", async () => {
    const [key, secret] = [headerCanary("key"), canary("argument")];
    const { signal } = new AbortController();
    for (const last of [`KEY=${key}`, `echo ${secret}`, secret.split("\n").at(-1)!]) {
      const { context, deployment, emulator } = await broken(["begin", secret, last], [secret], key);
      const line = await newestLine(context, { ...deployment, latestRevisionStatus: "BUILDING" }, signal);
      expect(line).not.toBe("");
      expectNoTrace(String(line), { key, secret });
      expect(emulator.requestLines()).toHaveLength(1);
    }
  });

  it("is empty if there is none, if reading it fails, and if the service has no logs", async () => {
    const { context, deployment, emulator } = await broken([]);
    expect(await endOfFailedLog(context, deployment)).toBe("");
    expect(await endOfFailedLog({ ...context, dialect: standard }, deployment)).toBe("");
    emulator.requestLines();
    const service = { logAddress: () => "", logTail: () => Promise.reject(new Error("no")) };
    expect(await endOfFailedLog({ ...context, service } as never, deployment)).toBe("");
  });

  it("is nothing that a terminal obeys, no line is endless, and half a line at most is indentation", () => {
    const [spaces, long] = [" ".repeat(900), "x".repeat(900)];
    expect(linesOf(`\u001b[31mred\u001b[0m\r\n\n\u0007bell\u202e\n${long}`)).toEqual([
      "red",
      "bell",
      `${"x".repeat(300)}…`,
    ]);
    expect(linesOf(`\u001b[2m  File "agent.py"\u001b[0m\n\tx()\n   \n${spaces}x`)).toEqual([
      '  File "agent.py"',
      "    x()",
      `${" ".repeat(150)}x`,
    ]);
  });
});

it.each([
  ["CREATE_FAILED", langsmith, "build"],
  ["BUILD_FAILED", langsmith, "build"],
  ["DEPLOY_FAILED", langsmith, "deploy"],
  ["constructor", langsmith, undefined],
  ["NEVER_HEARD_OF", langsmith, undefined],
  ["BUILD_FAILED", standard, undefined],
])("the log that shows why a revision ended as %s in dialect $1.name is %s", (status, dialect, type) => {
  const failed = observed({ ...failedBuild, latestRevisionStatus: status });
  expect(logOfFailure(failed, dialect)?.type).toBe(type);
});
