import { describe, expect, it } from "vitest";
import type { Observed } from "../../../provider/deployment/service";
import type { Rollout } from "../../../provider/deployment/private-state";
import { transientKinds } from "../../../provider/errors";
import { linesBelow } from "../../../provider/errors";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { observed } from "../../support/observed";
import { failed, rejectionOf, setUp, type Script, untilActive } from "../../support/service";

/** Before: revision r1 is active, and r2 was just made. */
const made = observed({ latestRevisionId: "r2", activeRevisionId: "r1" });
const done = observed({ latestRevisionId: "r2", activeRevisionId: "r2" });
const seenAs = (more: Partial<Observed>): Observed => ({ ...made, ...more });
const superseded = "warning: chat: revision r2 was superseded by r3, which is active now";

function waiting(
  poll: Script<Observed | undefined>,
  wait: Partial<Rollout> = {},
  { dialect = standard, timeout = 30 * 60_000, accepted = made } = {},
) {
  const setup = setUp({ poll }, { dialect, timeout });
  const what: Rollout = { revision: "r2", previous: ["r1"], ...wait };
  const began = setup.clock.now();
  const work = setup.clock.run(untilActive(setup.context, what, accepted));
  const warnings = () => setup.said.filter((line) => line.startsWith("warning"));
  return { ...setup, work, warnings, elapsed: () => setup.clock.now() - began };
}

describe("a rollout", () => {
  it("that has already ended is not polled (J07)", async () => {
    const { work, service } = waiting([], {}, { accepted: done });
    await work;
    expect(service.calls).toEqual([]);
  });

  it("ends with any new revision if its own is not known yet (A09)", async () => {
    const first = observed({ latestRevisionId: null, activeRevisionId: null });
    const { work, warnings } = waiting([first, done], { revision: null, previous: [] });
    await work;
    expect(warnings()).toEqual([]);
  });

  it.each(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])("fails at once with %s", async (status) => {
    const { work, service } = waiting([seenAs({ status }), done]);
    expect((await rejectionOf(work)).message).toBe(`the deployment is being deleted (status ${status})`);
    expect(service.count("poll")).toBe(1);
  });

  it.each(["unauthorized", "forbidden", "untrusted"] as const)(
    "fails at once if waiting cannot help: %s",
    async (kind) => {
      const refused = failed(kind);
      const { work, service } = waiting([made, refused, done]);
      expect((await rejectionOf(work)).message).toBe(refused.message);
      expect(service.count("poll")).toBe(2);
    },
  );

  it.each(["conflict", "foreign", ...transientKinds] as const)(
    "continues through polls that fail as %s, and reports the last failure if no later poll succeeds (A05, H04, H05, J09)",
    async (kind) => {
      const failure = failed(kind);
      const { work, service } = waiting([failure, failure, done]);
      await work;
      expect(service.count("poll")).toBe(3);
      expect((await rejectionOf(waiting([failure], {}, { timeout: 61_000 }).work)).message).toContain(
        `active revision: r1, status READY when last seen; since then, ${failure.message}. The deployment exists`,
      );
    },
  );

  it("fails if the deployment is missing in three polls in a row (J08)", async () => {
    const { work, service } = waiting([undefined, undefined, made, undefined]);
    expect((await rejectionOf(work)).message).toContain("it was deleted outside this stack");
    expect(service.count("poll")).toBe(6);
  });

  it("ends at its time limit, even in the middle of the wait for a poll (J10)", async () => {
    const { work, elapsed } = waiting([made], {}, { timeout: 61_000 });
    expect((await rejectionOf(work)).message).toBe(
      "the rollout did not finish within 1m1s: revision r2 is not active; active revision: r1, status READY. The deployment " +
        "exists and the rollout may still be in progress: the next `pulumi up` resumes waiting. To wait longer, set the resource option `customTimeouts`",
    );
    expect(elapsed()).toBe(61_000);
  });

  it("reports its progress after a second when the status changes, and every half minute (J01)", async () => {
    const starting = Array.from({ length: 31 }, () => seenAs({ status: "AWAITING_DATABASE" }));
    const { work, said } = waiting([...starting, done]);
    await work;
    const rest = "waiting for revision r2 to become active";
    expect(said).toEqual([
      ...["2s", "32s", "1m2s"].map(
        (time) => `progress: awaits database ${time} of 30m: ${rest} (status AWAITING_DATABASE)`,
      ),
      "progress: active after 1m4s: revision r2",
    ]);
  });

  it("begins its progress with state and time in 26 characters, whatever the status and the name (J01)", async () => {
    const { work, said } = waiting([seenAs({ status: "AWAITING_SOMETHING_RATHER_LONG" }), done]);
    await work;
    expect(said[0]!.replace("progress: ", "").slice(0, 26)).toBe("awaits somethin… 2s of 30m");
  });

  it.each(["UNUSED", "SLEEPING", "constructor"])(
    "is done after a few polls if its revision is active under a status that nobody knows: %s",
    async (status) => {
      for (const dialect of [standard, langsmith]) {
        const { work, service, warnings } = waiting([{ ...done, status }], {}, { dialect });
        await work;
        expect(service.count("poll")).toBeLessThan(10);
        expect(warnings()).toEqual([
          `warning: chat: revision r2 is active, but the deployment's status is ${status}, not READY: this no longer waits`,
        ]);
      }
    },
  );

  it.each([
    ["AWAITING_DATABASE", "r2"],
    ["UNKNOWN", "r2"],
    ["SLEEPING", "r1"],
  ])("is not done at %s while %s is active", async (status, activeRevisionId) => {
    const { work } = waiting([{ ...done, status, activeRevisionId }]);
    expect((await rejectionOf(work)).message).toContain("did not finish within 30m");
  });

  it.each(["BUILD_FAILED", "SKIPPED", "DEPLOYED"])(
    "is not judged by the status of a revision in dialect standard: %s",
    async (latestRevisionStatus) => {
      const { work, service } = waiting([seenAs({ latestRevisionStatus }), done]);
      await work;
      expect(service.count("poll")).toBe(2);
    },
  );
});

describe("a rollout on a service that reports its revisions", () => {
  const onTheWay = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];
  const showing = (latestRevisionStatus: string | null, more: Partial<Observed> = {}) =>
    seenAs({ latestRevisionStatus, ...more });
  const deployed = showing("DEPLOYED", { activeRevisionId: "r2" });
  const newer = (status: string, activeRevisionId = "r1") =>
    showing(status, { latestRevisionId: "r3", activeRevisionId });
  const following = (poll: Script<Observed | undefined>) => waiting(poll, {}, { dialect: langsmith });

  it("goes through all statuses, reports each of them once, and ends deployed (J01)", async () => {
    const { work, said, service } = following([
      ...onTheWay.flatMap((each) => [showing(each), showing(each)]),
      deployed,
    ]);
    await work;
    expect(service.count("poll")).toBe(2 * onTheWay.length + 1);
    expect(said.map((line) => /latest revision (\w+)/.exec(line)?.[1]).filter(Boolean)).toEqual(onTheWay);
    expect(said.at(-1)).toMatch(/^progress: active after \S+: revision r2$/);
  });

  const ofBefore = { latestRevisionId: "r1" };
  it.each<[string | null, Partial<Observed>]>([
    ...[...onTheWay, "INTERRUPTED", "UNKNOWN", "A_NEW_STATUS", "constructor", "__proto__", "", null].map(
      (status): [string | null, object] => [status, {}],
    ),
    ...["AWAITING_DATABASE", "UNKNOWN", "UNUSED"].map((status): [string, object] => ["DEPLOYED", { status }]),
    ...["BUILD_FAILED", "SKIPPED", "DEPLOYED"].map((status): [string, object] => [status, ofBefore]),
  ])("continues at %s with %j (A30, J02, J03, J06, J08)", async (status, more) => {
    const seen = showing(status, more);
    const { work, service, warnings } = following([seen, seen, deployed]);
    await work;
    expect(service.count("poll")).toBe(3);
    expect(warnings()).toEqual([]);
  });

  it("never calls a revision active while the service names another", async () => {
    const { work, warnings } = following([showing("DEPLOYED")]);
    expect((await rejectionOf(work)).message).toContain("revision r2 is not active; active revision: r1");
    expect(warnings()).toEqual([]);
  });

  it.each([
    ["CREATE_FAILED", "build"],
    ["BUILD_FAILED", "build"],
    ["DEPLOY_FAILED", "deploy"],
  ])(
    "fails at once with %s, and says what is active and where to read why (A06, A07, J05)",
    async (status, type) => {
      const { work, service } = following([showing("BUILDING"), showing(status), deployed]);
      const error = await rejectionOf(work);
      expect(error.message).toBe(
        `revision r2 failed (${status}); the deployment exists, revision r1 stays active`,
      );
      expect(linesBelow(error).split("\n")).toEqual([
        'Fix the cause and run `pulumi up`; to retry without other changes, change `triggers` (`triggers: ["retry-1"]`; removing it later creates another revision).',
        "To see why, run `npx pulumi-deployment-service logs chat` or open the deployment's page",
        `Its log is also at https://api.example.com/v2/deployments/d1/revisions/r2/logs?type=${type} (with the API key)`,
      ]);
      expect(service.count("poll")).toBe(2);
    },
  );

  it.each([
    ["the service's reason", "out of\u001b[31m memory\n(137)", "out of memory (137)"],
    [
      "the last error in the log, if the service gives no reason",
      undefined,
      "ERROR: no version of fastapi fits",
    ],
  ])("begins its error with %s", async (_, latestRevisionReason, first) => {
    const { work, service } = following([showing("DEPLOY_FAILED", { latestRevisionReason })]);
    service.logTail = () =>
      Promise.resolve("ERROR: no version of fastapi fits\nERROR: failed to solve: exit code: 1\nended\n");
    expect((await rejectionOf(work)).message).toContain(
      `${first}: revision r2 failed (DEPLOY_FAILED); the dep`,
    );
    expect((await rejectionOf(work)).message.indexOf(first)).toBe(0);
  });

  it.each(["SKIPPED", "INTERRUPTED"])(
    "waits for the newer revision that took the place of its own, which ended as %s (C24, J04)",
    async (status) => {
      const { work, warnings } = following([showing(status), showing(status), newer("DEPLOYED", "r3")]);
      await work;
      expect(warnings()).toEqual([superseded]);
    },
  );

  const leftAlone = (status: string, stands: string) =>
    `revision r2 ended as ${status}, and no newer one has replaced it; the deployment exists, ${stands}. To redeploy, change ` +
    '`triggers` (`triggers: ["retry-1"]`; removing it later creates another revision) and run `pulumi up`';

  it("ends with a warning if its revision was skipped, no newer one follows, and another is active (J04)", async () => {
    const { work, service, warnings } = following([showing("SKIPPED")]);
    await work;
    expect(service.count("poll")).toBeLessThan(10);
    expect(warnings()).toEqual([`warning: chat: ${leftAlone("SKIPPED", "revision r1 stays active")}`]);
  });

  it.each([
    ["SKIPPED", null, "no revision is active"],
    ["INTERRUPTED", "r1", "revision r1 stays active"],
  ])(
    "fails if its revision ended as %s, %s is active and no newer one follows",
    async (status, activeRevisionId, stands) => {
      const { work, service } = following([showing(status, { activeRevisionId })]);
      expect((await rejectionOf(work)).message).toBe(leftAlone(status, stands));
      expect(service.count("poll")).toBeLessThan(10);
    },
  );

  it("fails if the newer revision that took its place fails, and names both", async () => {
    expect((await rejectionOf(following([newer("BUILD_FAILED")]).work)).message).toMatch(
      /^revision r3, which superseded revision r2, failed \(BUILD_FAILED\); the deployment exists, revision r1 stays active/,
    );
  });

  it("has succeeded once its revision is active, even if a newer one failed (J11)", async () => {
    const { work, warnings } = following([newer("BUILD_FAILED", "r2")]);
    await work;
    expect(warnings()).toEqual([]);
  });
});
