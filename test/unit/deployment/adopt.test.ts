import { describe, expect, it } from "vitest";
import { create } from "../../../provider/deployment/create";
import { dialectAt } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { declare, rejectionOf, served, setUp, type Scripts } from "../../support/service";

function creating(scripts: Scripts, given: ReturnType<typeof declare>, dialect = standard) {
  const setup = setUp(scripts, { dialect });
  return { ...setup, work: setup.clock.run(create(setup.context, given)) };
}

describe("adopt", () => {
  const adopting = declare({ adopt: true });

  it("waits for the rollout that an interrupted run has begun", async () => {
    const begun = served(adopting, { status: "AWAITING_DATABASE", activeRevisionId: null });
    const { work, service } = creating({ find: [begun], poll: [begun, served(adopting)] }, adopting);
    expect((await work).state.observed).toMatchObject({ status: "READY", activeRevisionId: "r1" });
    expect(service.methods).toEqual(["find", "poll", "poll"]);
  });

  it("creates nothing that a check would have refused, and takes over what has such a name (public-api-facts, 10.4)", async () => {
    const own = dialectAt(langsmith, "https://platform.example.com");
    const long = declare({ adopt: true, name: "conversation-service-2" });
    const missing = creating({ find: [undefined] }, long, own);
    expect((await rejectionOf(missing.work)).message).toContain(
      'there is no deployment "conversation-service-2" to adopt, and a new one cannot be created: name must have at most 21 characters',
    );
    expect(missing.service.methods).toEqual(["find"]);
    const existing = creating({ find: [served(long)] }, long, own);
    expect(await existing.work).toMatchObject({ id: "d1" });
  });

  it("sends secrets that the service hides, since they cannot be compared", async () => {
    const found = served(adopting, { secrets: { API_KEY: "***" } });
    const { work, service } = creating({ find: [found], update: [served(adopting)] }, adopting);
    await work;
    expect(service.calls[1]).toEqual(["update", "d1", { secrets: { API_KEY: "s3cr3t-value" } }]);
  });

  it.each([
    [
      "tier",
      { sourceConfig: { deploymentType: "dev" } },
      "cannot adopt the deployment d1: sourceConfig.deploymentType differs and cannot be changed",
    ],
    [
      "source",
      { source: "internal_container" },
      "cannot adopt the deployment d1: its source is internal_container, the program declares external_container, and the source of a deployment cannot be changed. Declare the same source, or delete the deployment first",
    ],
  ] as const)("refuses another %s, which can never change", async (_, found, message) => {
    const given = declare({ adopt: true, sourceConfig: { deploymentType: "prod" } });
    const { work, service } = creating({ find: [served(given, found)] }, given);
    expect((await rejectionOf(work)).message).toBe(message);
    expect(service.methods).toEqual(["find"]);
  });

  it("does not wait for a rollout that nobody tells of, and says so", async () => {
    const found = served(adopting, { latestRevisionId: "r2", activeRevisionId: "r1" });
    const { work, service, said } = creating({ find: [found] }, adopting);
    expect((await work).state.private.rollout).toBeUndefined();
    expect(service.methods).toEqual(["find"]);
    expect(said).toContain(
      "warning: chat: adopts the deployment with r1 as its active revision; the newest revision, r2, may be in progress or may have failed. To redeploy, change `triggers`",
    );
  });

  describe("on a service that tells of its revisions", () => {
    const of = (latestRevisionStatus: string, activeRevisionId: string | null) =>
      served(adopting, { latestRevisionId: "r2", activeRevisionId, latestRevisionStatus });
    const { latestRevisionStatus: _, ...found } = of("", "r1");

    it.each(["BUILD_FAILED", "SKIPPED", "INTERRUPTED"])(
      "says that its newest ended as %s",
      async (status) => {
        const scripts = { find: [found], read: [of(status, "r1")] };
        const { work, service, said } = creating(scripts, adopting, langsmith);
        expect((await work).state.observed).toMatchObject({
          latestRevisionStatus: status,
          activeRevisionId: "r1",
        });
        expect(service.methods).toEqual(["find", "read"]);
        expect(said.join("\n")).toContain(`the newest revision, r2, ended as ${status}. To redeploy`);
      },
    );

    it("waits for one that is still being built", async () => {
      const scripts = { find: [found], read: [of("BUILDING", "r1")], poll: [of("DEPLOYED", "r2")] };
      const { work, said } = creating(scripts, adopting, langsmith);
      expect((await work).state.observed).toMatchObject({ activeRevisionId: "r2" });
      expect(said.filter((line) => line.startsWith("warning"))).toEqual([]);
    });

    it("fails where the first one has failed, and keeps it in the state", async () => {
      const scripts = {
        find: [{ ...found, activeRevisionId: null }],
        read: [of("BUILD_FAILED", null)],
      };
      const { work } = creating(scripts, adopting, langsmith);
      expect(await rejectionOf(work)).toMatchObject({
        id: "d1",
        message: expect.stringContaining("revision r2 failed (BUILD_FAILED)") as string,
      });
    });
  });

  it("sends the secrets that the program does not declare along, and remembers their names", async () => {
    const found = served(adopting, { secrets: { API_KEY: "old-value", OTHER: "other-value" } });
    const { work, service, said } = creating({ find: [found], update: [served(adopting)] }, adopting);
    expect((await work).state.private.unmanagedSecrets).toEqual(["OTHER"]);
    expect(service.calls[1]).toEqual([
      "update",
      "d1",
      { secrets: { API_KEY: "s3cr3t-value", OTHER: "other-value" } },
    ]);
    expect(said).toContain(
      "info: chat: adopts the existing deployment d1; keeps its undeclared secrets OTHER",
    );
  });

  it("refuses to lose secrets that it does not know and cannot see", async () => {
    const found = served(adopting, { secrets: { API_KEY: "old-value", OTHER: "***" } });
    const { work, service } = creating({ find: [found] }, adopting);
    expect((await rejectionOf(work)).message).toContain("Declare them too. Nothing was sent");
    expect(service.methods).toEqual(["find"]);
  });
});
