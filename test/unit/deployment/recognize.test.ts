import { describe, expect, it } from "vitest";
import { create } from "../../../provider/deployment/create";
import { update } from "../../../provider/deployment/update";
import type { Observed } from "../../../provider/deployment/service";
import { langsmith } from "../../../provider/dialects/langsmith";
import { declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";

/** As where sizes make a revision, too. */
const revising = { ...langsmith, name: "standard" };
const lost = failed("unreachable", { isAmbiguous: true });
const taken = failed("conflict");
const resourceSpec = { cpu: 0.55, maxScale: 20, sidecars: [{ name: "log", image: "log:1" }] };
const given = declare({ sourceConfig: { customUrl: "https://Chat.example.com/", resourceSpec } });

const normalized: [string, Partial<Observed>][] = [
  ["other settings than were sent", { sourceConfig: { resourceSpec: { cpu: 0.6, sidecars: [] } } }],
  ["secrets behind a mask", { secrets: { API_KEY: "VALUE WITHHELD" } }],
  ["an image with its registry", image("docker.io/registry.example.com/chat:1")],
  ["an image in lower case", image("registry.example.com/Chat:1")],
  ["no image", { sourceRevisionConfig: {} }],
];
const foreign: [string, Partial<Observed>][] = [
  ["another image", image("registry.example.com/chat:2")],
  ["an image whose tag only begins the same", image("registry.example.com/chat:12")],
  ["another source", { source: "internal_container" }],
  ["no time of its creation", { createdAt: null }],
];

function image(imageUri: string): Partial<Observed> {
  return { sourceRevisionConfig: { imageUri } };
}

describe("a deployment of the name, after a POST whose response was lost", () => {
  const creating = (found: Observed) => {
    const { context, service, clock } = setUp({ create: [lost, taken], find: [found] });
    return { work: clock.run(create(context, given)), service };
  };

  it.each(normalized)("is its work although the service shows %s", async (_, more) => {
    const { work, service } = creating(served(given, more));
    expect((await work).id).toBe("d1");
    expect(service.count("create")).toBe(1);
  });

  it.each(foreign)("is somebody else's with %s", async (_, more) => {
    expect((await rejectionOf(creating(served(given, more)).work)).cause).toBe(taken);
  });

  it.each(normalized)("is somebody else's if it is older, with %s", async (_, more) => {
    const found = served(given, { ...more, createdAt: "2029-12-31T23:59:57Z" });
    expect((await rejectionOf(creating(found).work)).cause).toBe(taken);
  });
});

describe("a new revision, after a PATCH whose response was lost", () => {
  const second = { latestRevisionId: "r2", activeRevisionId: "r2" };
  const image2 = "registry.example.com/chat:2";
  const next = declare({ sourceRevisionConfig: { imageUri: image2 } }, given);
  const updating = async (found: Observed, { before = given, after = next } = {}): Promise<number> => {
    const script = { update: [lost, served(after, second)], read: [found] };
    const { context, service, clock } = setUp(script, { dialect: revising });
    await clock.run(update(context, "d1", stateAfter(before), after));
    return service.count("update");
  };

  it("is its work if it runs what was sent, however that is spelt", async () => {
    expect(await updating(served(next, { ...second, ...image(`docker.io/${image2}`) }))).toBe(1);
  });

  it("is somebody else's with another image, and the change is sent again", async () => {
    expect(await updating(served(next, { ...second, ...image("registry.example.com/chat:3") }))).toBe(2);
  });

  const sized = (cpu: number) =>
    declare({
      sourceConfig: { resourceSpec: { cpu } },
      sourceRevisionConfig: given.arguments.sourceRevisionConfig,
    });

  it.each([
    ["is its work where a number was rounded", 2.05, 2, 1],
    ["is somebody else's where a number has not moved, and the change is sent again", 2, 1, 2],
  ])("%s", async (_, sent, cpu, times) => {
    const shown = { ...second, sourceConfig: { resourceSpec: { cpu } } };
    expect(await updating(served(sized(sent), shown), { before: sized(1), after: sized(sent) })).toBe(times);
  });
});
