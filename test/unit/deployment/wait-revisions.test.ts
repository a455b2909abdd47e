/** A rollout on a service that tells how its revisions are doing. */
import { describe, expect, it } from "vitest";
import type { Rollout } from "../../../provider/deployment/state";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { observed } from "../../support/observed";
import { rejectionOf, setUp, type Script, untilActive } from "../../support/service";

/** Before: revision r1 is active, and r2 was just made. */
const made = observed({ latestRevisionId: "r2", activeRevisionId: "r1" });
const showing = (status: string | null, more: Partial<Observed> = {}): Observed => ({
  ...made,
  latestRevisionStatus: status,
  ...more,
});
const deployed = showing("DEPLOYED", { activeRevisionId: "r2" });
const logs = "https://api.example.com/v2/deployments/d1/revisions/r2/logs";

function waiting(
  script: Script<Observed | undefined>,
  wait: Partial<Rollout> = {},
  dialect = langsmith,
  accepted: Observed = made,
) {
  const setup = setUp({ poll: script }, { dialect });
  const what = { revision: "r2", previous: ["r1"], since: "", ...wait };
  return { ...setup, work: setup.clock.run(untilActive(setup.context, "chat", what, accepted)) };
}

const warnings = (said: string[]) => said.filter((line) => line.startsWith("warning"));

describe("a rollout whose revision the service tells of", () => {
  const onTheWay = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];

  it("goes through all its statuses, each of them told once, and ends deployed (J01)", async () => {
    const { work, said, service } = waiting([
      ...onTheWay.flatMap((each) => [showing(each), showing(each)]),
      deployed,
    ]);
    await work;
    expect(service.count("poll")).toBe(2 * onTheWay.length + 1);
    const told = said.map((line) => /latest revision (\w+)/.exec(line)?.[1]).filter(Boolean);
    expect(told).toEqual(onTheWay);
    expect(said.at(-1)).toMatch(/^progress: revision r2 is active/);
  });

  it.each([...onTheWay, "INTERRUPTED", "UNKNOWN", "A_NEW_STATUS", "constructor", "__proto__", "", null])(
    "goes on at %s (J02, J03, J06, J08)",
    async (status) => {
      const { work, service, said } = waiting([showing(status), showing(status), deployed]);
      await work;
      expect(service.count("poll")).toBe(3);
      expect(warnings(said)).toEqual([]);
    },
  );

  it("waits a little for the deployment to name the revision as active that is deployed", async () => {
    const { work, service, said } = waiting([showing("DEPLOYED"), showing("DEPLOYED"), deployed]);
    const { observed: last } = await work;
    expect(service.count("poll")).toBe(3);
    expect(last).toMatchObject({ activeRevisionId: "r2" });
    expect(said.filter((line) => line.includes("is active (after"))).toHaveLength(1);
    expect(warnings(said)).toEqual([]);
  });

  it("never says of a revision that it is active where the deployment goes on naming another", async () => {
    const { work, said, service } = waiting([showing("DEPLOYED")]);
    await work;
    expect(service.count("poll")).toBeLessThan(10);
    expect(said.join("\n")).not.toContain("is active (after");
    expect(warnings(said)).toEqual([
      "warning: chat: revision r2 is DEPLOYED, but the service still reports r1 as the active one",
    ]);
  });

  it.each(["AWAITING_DATABASE", "UNKNOWN", "UNUSED"])(
    "goes on while the deployment is %s, however its revision is doing (A30)",
    async (status) => {
      const { work, service } = waiting([showing("DEPLOYED", { status }), deployed]);
      await work;
      expect(service.count("poll")).toBe(2);
    },
  );

  it.each([
    ["CREATE_FAILED", "build"],
    ["BUILD_FAILED", "build"],
    ["DEPLOY_FAILED", "deploy"],
  ])(
    "fails at once with %s, and says what stands and where to read why (A06, A07, C09, H13, J05)",
    async (status, type) => {
      const { work, service } = waiting([showing("BUILDING"), showing(status), deployed]);
      expect((await rejectionOf(work)).message).toBe(
        `revision r2 failed (${status}); the deployment exists, revision r1 stays active. Why it failed is in its log: ` +
          `${logs}?type=${type} (with the API key), or on the deployment's page. Fix the cause and run \`pulumi up\`; to retry without other changes, change \`triggers\``,
      );
      expect(service.count("poll")).toBe(2);
    },
  );

  it("gives the service's reason first (public API facts, 10.7)", async () => {
    const failed = { ...showing("DEPLOY_FAILED"), latestRevisionReason: "out of\u001b[31m memory\n(137)" };
    const { work } = waiting([failed]);
    expect((await rejectionOf(work)).message).toMatch(
      /^revision r2 failed \(DEPLOY_FAILED: out of memory \(137\)\); the deployment exists/,
    );
  });

  it("fails when it had failed before the first poll, as in the run after (A06, C09, C13)", async () => {
    const { context, service, clock } = setUp({}, { dialect: langsmith });
    const wait = { revision: "r2", previous: ["r1"], since: "" };
    const { message } = await rejectionOf(
      clock.run(untilActive(context, "chat", wait, showing("BUILD_FAILED"))),
    );
    expect(message).toMatch(/^revision r2 failed \(BUILD_FAILED\).*stays active\..*Fix the cause/);
    expect(service.calls).toEqual([]);
  });

  it.each(["SKIPPED", "INTERRUPTED"])(
    "waits for the newer one when it ended as %s, which may come a little later (J04)",
    async (status) => {
      const newer = showing("DEPLOYED", { latestRevisionId: "r3", activeRevisionId: "r3" });
      const { work, said } = waiting([showing("QUEUED"), showing(status), showing(status), newer]);
      await work;
      expect(warnings(said)).toEqual([
        "warning: chat: revision r2 was superseded by r3, which is active now",
      ]);
    },
  );

  it("says that it was skipped where no newer one comes and another one is active (C24, J04)", async () => {
    const { work, said, service } = waiting([showing("SKIPPED")]);
    await work;
    expect(service.count("poll")).toBeLessThan(10);
    expect(warnings(said)).toEqual([
      "warning: chat: revision r2 ended as SKIPPED, and no newer one has replaced it: revision r1 stays active. To redeploy, change `triggers`",
    ]);
  });

  it.each([
    ["SKIPPED", null, "no revision is active"],
    ["INTERRUPTED", "r1", "revision r1 stays active"],
  ])("fails when it ended as %s, %s is active and no newer one comes", async (status, active, stands) => {
    const { work, service } = waiting([showing(status, { activeRevisionId: active })]);
    expect((await rejectionOf(work)).message).toBe(
      `revision r2 ended as ${status}, and no newer one has replaced it; the deployment exists, ${stands}. To redeploy, change ` +
        "`triggers` and run `pulumi up`",
    );
    expect(service.count("poll")).toBeLessThan(10);
  });

  it("waits for the newer one of somebody else that took its place, and says so (C24)", async () => {
    const newer = (status: string, more = {}) => showing(status, { latestRevisionId: "r3", ...more });
    const { work, said, service } = waiting([
      newer("BUILDING"),
      newer("DEPLOYING"),
      newer("DEPLOYED", { activeRevisionId: "r3" }),
    ]);
    await work;
    expect(service.count("poll")).toBe(3);
    expect(warnings(said)).toEqual(["warning: chat: revision r2 was superseded by r3, which is active now"]);
  });

  it("fails when the newer one that took its place does, naming both", async () => {
    const { work } = waiting([showing("BUILD_FAILED", { latestRevisionId: "r3" })]);
    expect((await rejectionOf(work)).message).toMatch(
      /^revision r3, which superseded revision r2, failed \(BUILD_FAILED\); the deployment exists, revision r1 stays active/,
    );
  });

  it("has ended well once it is active, whatever became of a newer one (J11)", async () => {
    const { work, said } = waiting([
      showing("BUILD_FAILED", { latestRevisionId: "r3", activeRevisionId: "r2" }),
    ]);
    await work;
    expect(warnings(said)).toEqual([]);
  });

  it.each(["BUILD_FAILED", "SKIPPED", "DEPLOYED"])(
    "is not judged by a response that lags behind, whose latest revision is one from before: %s",
    async (status) => {
      const lagging = showing(status, { latestRevisionId: "r1" });
      const { work, service, said } = waiting([lagging, lagging, deployed]);
      await work;
      expect(service.count("poll")).toBe(3);
      expect(warnings(said)).toEqual([]);
    },
  );

  it("is named with its status when the time is over (J06, H07)", async () => {
    const { work } = waiting([showing("A_NEW_STATUS")]);
    expect((await rejectionOf(work)).message).toContain(
      "the rollout did not finish within 30m: revision r2 is not active; active revision: r1, status READY, latest revision A_NEW_STATUS",
    );
  });
});

describe("a service that does not tell of its revisions", () => {
  it.each(["BUILD_FAILED", "SKIPPED", "DEPLOYED"])("is not judged by a status: %s", async (status) => {
    const { work, service } = waiting([showing(status), deployed], {}, standard);
    await work;
    expect(service.count("poll")).toBe(2);
  });
});
