import { describe, expect, it } from "vitest";
import { create, update } from "../../../provider/deployment/lifecycle";
import { canComeOf } from "../../../provider/deployment/recognize";
import type { Observed } from "../../../provider/deployment/service";
import type { Values } from "../../../provider/values";
import { langsmith } from "../../../provider/dialects/langsmith";
import { declare, failed, rejectionOf, served, setUp, stateAfter } from "../../support/service";

/** As where sizes make a revision, too. */
const revising = { ...langsmith, name: "standard" };
const lost = failed("unreachable", { isAmbiguous: true });
const taken = failed("conflict");
const sidecars = [{ name: "log", image: "log:1" }];
const volumes = [{ name: "scratch", emptyDir: {} }];
const resourceSpec = { cpu: 0.55, maxScale: 20, labels: { team: "A" }, sidecars, volumes };
const sourceConfig = { customUrl: "https://Chat.example.com/", resourceSpec };
const given = declare({ sourceConfig });

const normalized: [string, Partial<Observed>][] = [
  ["rounded and limited numbers", spec({ cpu: 0.6, maxScale: 10 })],
  ["texts in another spelling", { sourceConfig: { ...sourceConfig, customUrl: "https://chat.example.com" } }],
  ["injected sidecars", spec({ sidecars: [...sidecars, { name: "proxy", image: "proxy:1" }] })],
  ["injected labels, and others in lower case", spec({ labels: { team: "a", mesh: "on" } })],
  ["dropped empty objects", spec({ volumes: [{ name: "scratch" }] })],
  ["secrets behind a mask", { secrets: { API_KEY: "REDACTED" } }],
  ["an image with its registry", image("docker.io/registry.example.com/chat:1")],
];
const foreign: [string, Partial<Observed>][] = [
  ["another image", image("registry.example.com/chat:2")],
  ["an image whose tag only begins the same", image("registry.example.com/chat:12")],
  ["other labels", spec({ labels: { team: "other" } })],
  ["other sidecars", spec({ sidecars: [{ name: "log", image: "log:2" }] })],
  ["none of the sidecars", spec({ sidecars: [] })],
  ["another secret", { secrets: { API_KEY: "other" } }],
  ["no such secret", { secrets: { OTHER: "s3cr3t-value" } }],
  ["another source", { source: "internal_container" }],
];

function spec(more: Values): Partial<Observed> {
  return { sourceConfig: { ...sourceConfig, resourceSpec: { ...resourceSpec, ...more } } };
}

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

  it("is its work where different secrets are shown as one text", async () => {
    const secretive = declare({ sourceConfig, secrets: { A: "first-value", B: "second-value" } });
    const { context, service, clock } = setUp({
      create: [lost, taken],
      find: [served(secretive, { secrets: { A: "VALUE WITHHELD", B: "VALUE WITHHELD" } })],
    });
    await clock.run(create(context, secretive));
    expect(service.count("create")).toBe(1);
  });

  it.each(foreign)("is somebody else's with %s", async (_, more) => {
    expect((await rejectionOf(creating(served(given, more)).work)).cause).toBe(taken);
  });

  it.each(normalized)("is somebody else's if it is older, with %s", async (_, more) => {
    const found = served(given, { ...more, createdAt: "2029-12-31T23:59:57Z" });
    expect((await rejectionOf(creating(found).work)).cause).toBe(taken);
  });

  it("must be as declared where the response does not say when it was made", async () => {
    expect((await creating(served(given, { createdAt: null })).work).id).toBe("d1");
    const [, rounded] = normalized[0]!;
    const found = served(given, { ...rounded, createdAt: null });
    expect((await rejectionOf(creating(found).work)).cause).toBe(taken);
  });
});

describe("a new revision, after a PATCH whose response was lost", () => {
  const second = { latestRevisionId: "r2", activeRevisionId: "r2" };
  const image2 = "registry.example.com/chat:2";
  const next = declare({ sourceConfig, sourceRevisionConfig: { imageUri: image2 } }, given);
  const updating = async (
    found: Observed,
    { before = given, after = next, dialect = revising } = {},
  ): Promise<number> => {
    const script = { update: [lost, served(after, second)], read: [found] };
    const { context, service, clock } = setUp(script, { dialect });
    await clock.run(update(context, "d1", stateAfter(before), after));
    return service.count("update");
  };

  it.each(normalized.filter(([name]) => !name.includes("image")))(
    "is its work although the service shows %s",
    async (_, more) => {
      const found = served(next, { ...more, ...second, ...image(image2) });
      expect(await updating(found)).toBe(1);
    },
  );

  it("is somebody else's with another image, and the change is sent again", async () => {
    expect(await updating(served(next, { ...second, ...image("registry.example.com/chat:3") }))).toBe(2);
  });

  const sized = (cpu: number) =>
    declare({ sourceConfig: { resourceSpec: { cpu } }, sourceRevisionConfig: given.sourceRevisionConfig });
  const shown = (cpu: number) => ({ ...second, sourceConfig: { resourceSpec: { cpu } } });

  it.each([
    ["is its work where a number came near to the one that was sent", 1, 2.05, 2, 1],
    ["is its work where it was rounded to the one from before", 0.6, 0.58, 0.6, 1],
    ["is somebody else's where a number has not moved", 1, 2, 1, 2],
  ])("%s", async (_, was, sent, cpu, times) => {
    expect(await updating(served(sized(sent), shown(cpu)), { before: sized(was), after: sized(sent) })).toBe(
      times,
    );
  });
});

describe("a text that is shown", () => {
  it.each([
    ["https://chat.example.com/", "https://chat.example.com"],
    ["https://Chat.Example.com", "https://chat.example.com"],
    ["chat.example.com", "https://chat.example.com"],
    ["main", "refs/heads/main"],
    ["nginx:1", "docker.io/library/nginx:1"],
    [" a ", "a"],
  ])("can come of another spelling of it: %j as %j", (sent, shown) => {
    expect(canComeOf(sent, shown)).toBe(true);
  });

  it.each([
    ["main", "feature/main"],
    ["main", "mainline"],
    ["app:1.2", "app:12"],
    ["", "x"],
    ["x", ""],
    ["x", null],
  ])("is another one: %j is not %j", (sent, shown) => {
    expect(canComeOf(sent, shown)).toBe(false);
  });
});
