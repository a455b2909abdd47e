import { describe, expect, it } from "vitest";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { creating, declare, failed, rejectionOf, served, stateAfter, updating } from "../../support/service";

const lost = failed("unreachable", { isAmbiguous: true });
const taken = failed("conflict");
const image = (imageUri: string): Partial<Observed> => ({ sourceRevisionConfig: { imageUri } });
const resourceSpec = { cpu: 0.55, maxScale: 20, sidecars: [{ name: "log", image: "log:1" }] };
const given = declare({ sourceConfig: { customUrl: "https://Chat.example.com/", resourceSpec } });

describe("a deployment of the name, after a POST whose response was lost", () => {
  const creatingOver = (found: Observed) => creating({ create: [lost, taken], find: [found] }, given);

  it.each<[string, Partial<Observed>]>([
    ["other settings than were sent", { sourceConfig: { resourceSpec: { cpu: 0.6, sidecars: [] } } }],
    ["secrets behind a mask", { secrets: { API_KEY: "VALUE WITHHELD" } }],
    ["an image with its registry", image("docker.io/registry.example.com/chat:1")],
    ["an image in lower case", image("registry.example.com/Chat:1")],
    ["no image", { sourceRevisionConfig: {} }],
  ])("is the POST's work with %s, unless it is older", async (_, more) => {
    const { work, service } = creatingOver(served(given, more));
    expect((await work).id).toBe("d1");
    expect(service.count("create")).toBe(1);
    const older = served(given, { ...more, createdAt: "2029-12-31T23:59:57Z" });
    expect((await rejectionOf(creatingOver(older).work)).cause).toBe(taken);
  });

  it.each<[string, Partial<Observed>]>([
    ["another image", image("registry.example.com/chat:2")],
    ["an image whose tag only begins the same", image("registry.example.com/chat:12")],
    ["another source", { source: "internal_container" }],
    ["no time of its creation", { createdAt: null }],
    ["the mark of a preview build", { owner: langsmith.owners["is_preview"]! }],
  ])("is someone else's with %s", async (_, more) => {
    expect((await rejectionOf(creatingOver(served(given, more)).work)).cause).toBe(taken);
  });
});

describe("a new revision, after a PATCH whose response was lost", () => {
  const second = { latestRevisionId: "r2", activeRevisionId: "r2" };
  /** Sizes make a revision there. */
  const dialect = { ...langsmith, name: "standard" };
  const { sourceRevisionConfig } = given.arguments;
  const imageUri = "registry.example.com/chat:2";
  const next = declare({ sourceRevisionConfig: { imageUri } }, given);
  const spec = (cpu: number) => ({ sourceConfig: { resourceSpec: { cpu } } });
  const sized = (cpu: number) => declare({ ...spec(cpu), sourceRevisionConfig });

  it.each([
    ["what was sent, however that is spelled", given, next, image(`docker.io/${imageUri}`), 1],
    ["another image", given, next, image("registry.example.com/chat:3"), 2],
    ["a number that was rounded", sized(1), sized(2.05), spec(2), 1],
    ["a number that has not changed", sized(1), sized(2), spec(1), 2],
  ])(
    "counts as the PATCH's work, or the change is sent again: with %s",
    async (_, before, after, shown, times) => {
      const scripts = {
        update: [lost, served(after, second)],
        read: [served(after, { ...second, ...shown })],
      };
      const { work, service } = updating(scripts, after, stateAfter(before), { dialect });
      await work;
      expect(service.count("update")).toBe(times);
    },
  );
});
