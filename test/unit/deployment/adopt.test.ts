import { secretsOfOthers } from "../../../provider/deployment/secrets";
import { describe, expect, it } from "vitest";
import { dialectAt } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { creating, declare, rejectionOf, served } from "../../support/service";

const adopting = declare({ adopt: true });

describe("adopt", () => {
  it("waits for the rollout that an interrupted run has begun", async () => {
    const begun = served(adopting, { status: "AWAITING_DATABASE", activeRevisionId: null });
    const { work, service } = creating({ find: [begun], poll: [begun, served(adopting)] }, adopting);
    expect((await work).state.observed).toMatchObject({ status: "READY", activeRevisionId: "r1" });
    expect(service.methods).toEqual(["find", "poll", "poll"]);
  });

  it("takes over what has a name that a creation would be refused", async () => {
    const dialect = dialectAt(langsmith, "https://platform.example.com");
    const long = declare({ adopt: true, name: "conversation-service-2" });
    expect(await creating({ find: [served(long)] }, long, { dialect }).work).toMatchObject({ id: "d1" });
  });

  it.each([
    [
      { sourceConfig: { deploymentType: "dev" } },
      "what differs cannot be changed (sourceConfig.deploymentType: dev => prod)",
    ],
    [
      { source: "internal_container" },
      "its source is internal_container, the program declares external_container, and the source of a deployment cannot be changed. Declare the same source, or delete the deployment first",
    ],
  ])("refuses a deployment that can never become the declared one: %j", async (found, reason) => {
    const given = declare({ adopt: true, sourceConfig: { deploymentType: "prod" } });
    const { work, service } = creating({ find: [served(given, found)] }, given);
    expect((await rejectionOf(work)).message).toBe(`cannot adopt the deployment d1: ${reason}`);
    expect(service.methods).toEqual(["find"]);
  });

  it("never sends what can never change, even if the service does not show it", async () => {
    const given = declare({ adopt: true, sourceConfig: { deploymentType: "prod" }, secrets: { KEY: "2" } });
    const found = served(given, { sourceConfig: { deploymentType: null }, secrets: { KEY: "1" } });
    const { work, service } = creating({ find: [found], update: [served(given)] }, given);
    await work;
    expect(service.calls[1]).toEqual(["update", "d1", { secrets: { KEY: "2" } }]);
  });

  it.each(Object.values(langsmith.owners))("refuses a $what, and sends nothing", async (owner) => {
    const { work, service } = creating({ find: [served(adopting, { owner })] }, adopting);
    expect((await rejectionOf(work)).message).toContain(
      `the deployment d1 is a ${owner.what}, which ${owner.owns}`,
    );
    expect(service.methods).toEqual(["find"]);
  });

  it("rolls out again if the latest revision is not active and the service reports no status for it, and says so", async () => {
    const found = served(adopting, { latestRevisionId: "r2", activeRevisionId: "r1" });
    const made = served(adopting, { latestRevisionId: "r3", activeRevisionId: "r3" });
    const { work, service, said } = creating({ find: [found], update: [made] }, adopting);
    expect((await work).state.private.rollout).toBeUndefined();
    expect(service.calls[1]).toEqual([
      "update",
      "d1",
      { sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } },
    ]);
    expect(said).toContain(
      "warning: chat: the active revision of the existing deployment is r1; the newest one, r2, may be in progress or may have failed: what is declared is rolled out again",
    );
  });

  it("leaves a newest revision that does not run as it is if it has nothing that the program declares, and says so", async () => {
    const given = declare({ adopt: true, source: "internal_container", sourceRevisionConfig: undefined });
    const found = served(given, { latestRevisionId: "r2", activeRevisionId: "r1" });
    const { work, service, said } = creating({ find: [found] }, given);
    await work;
    expect(service.methods).toEqual(["find"]);
    expect(said.join("\n")).toMatch(
      /^warning: chat: .* the newest one, r2, may be .* failed: no new one is declared$/m,
    );
  });

  describe("on a service that reports its revisions", () => {
    const of = (latestRevisionStatus: string, activeRevisionId: string | null) =>
      served(adopting, { latestRevisionId: "r2", activeRevisionId, latestRevisionStatus });
    const { latestRevisionStatus: _, ...found } = of("", "r1");
    const onLangsmith = { dialect: langsmith };

    it.each(["BUILD_FAILED", "SKIPPED", "INTERRUPTED"])(
      "rolls out again what the newest does not run that ended as %s",
      async (status) => {
        const made = served(adopting, { latestRevisionId: "r3", activeRevisionId: "r3" });
        const scripts = { find: [found], read: [of(status, "r1")], update: [made] };
        const { work, service, said } = creating(scripts, adopting, onLangsmith);
        await work;
        expect(service.methods).toEqual(["find", "read", "update"]);
        expect(said.join("\n")).toContain(`the newest one, r2, ended as ${status}: what is declared`);
      },
    );

    it("waits for one that is still being built", async () => {
      const scripts = { find: [found], read: [of("BUILDING", "r1")], poll: [of("DEPLOYED", "r2")] };
      const { work, said } = creating(scripts, adopting, onLangsmith);
      expect((await work).state.observed).toMatchObject({ activeRevisionId: "r2" });
      expect(said.filter((line) => line.startsWith("warning"))).toEqual([]);
    });
  });

  it("sends undeclared secrets along, and remembers their names", async () => {
    const secrets = { API_KEY: "old-value", OTHER: "other-value" };
    const scripts = { find: [served(adopting, { secrets })], update: [served(adopting)] };
    const { work, service, said } = creating(scripts, adopting);
    expect(secretsOfOthers((await work).state, adopting.arguments)).toEqual(["OTHER"]);
    expect(service.calls[1]).toEqual([
      "update",
      "d1",
      { secrets: { API_KEY: "s3cr3t-value", OTHER: "other-value" } },
    ]);
    expect(said[0]).toBe(
      "info: chat: adopts the existing deployment d1, updates settings, no new revision (secrets: ~API_KEY); keeps its undeclared secrets OTHER",
    );
  });
});
