/** How often those who wait for rollouts ask, on a service whose revisions have to be asked for one by one. */
import { expect, it } from "vitest";
import { langsmith } from "../../../provider/dialects/langsmith";
import type { Context } from "../../../provider/deployment/context";
import type { Observed } from "../../../provider/deployment/service";
import { limitsOf } from "../../support/limits";
import { serveInVirtualTime, type Sent } from "../../support/transport";
import { untilActive } from "../../support/service";

const idOf = (at: number) => `6f0e6c1a-0000-4000-8000-${String(at).padStart(12, "0")}`;
/** Of what the service allows in a minute. */
const tenthOfLimit = 200;
const mostInMinute = (sent: readonly Sent[]) =>
  Math.max(...sent.map(({ at }) => sent.filter((each) => each.at >= at && each.at < at + 60_000).length));
const isLog = ({ call }: Sent) => call.path.endsWith("/logs");
const isList = ({ call }: Sent) => call.path === "/v2/deployments";

interface Building {
  readonly failsAt?: number;
  readonly waits?: boolean;
}

/** So many builds, none of which ever ends; one may fail. */
function building(count: number, { failsAt = Infinity, waits = false }: Building = {}) {
  const ids = Array.from({ length: count }, (_, at) => idOf(at));
  const wire = (id: string) => ({
    ...{ id, name: "chat", source: "github", status: "READY" },
    ...{ latest_revision_id: `${id}-r2`, active_revision_id: `${id}-r1` },
  });
  const setup = serveInVirtualTime(
    ({ path }, at) => {
      if (path === "/v2/deployments") {
        return { status: 200, body: { resources: ids.map(wire), offset: count } };
      }
      if (path.endsWith("/logs")) return { status: 200, body: { logs: ["a line"], next_offset: null } };
      const isFailed = at >= failsAt && path.includes(ids.at(-1)!);
      return { status: 200, body: { id: "r", status: isFailed ? "BUILD_FAILED" : "BUILDING" } };
    },
    { dialect: langsmith },
  );
  const { clock, client } = setup;
  const told: string[] = [];
  const log = {
    info: () => undefined,
    warning: () => undefined,
    progress: (text: string) => told.push(text),
  };
  const context = {
    ...{ service: client, clock, dialect: langsmith, log },
    ...limitsOf(clock).limits,
  } as unknown as Context;
  /** When each was first told to have failed, in milliseconds since the beginning. */
  const failures: number[] = [];
  const began = clock.now();
  const follow = async (id: string) => {
    for (;;) {
      const seen = await context.service.poll(id);
      if (seen === undefined) return;
      if (seen.latestRevisionStatus === "BUILD_FAILED") return void failures.push(clock.now() - began);
    }
  };
  /** As an operation waits, which also tells how it goes. */
  const wait = (id: string) => {
    const rollout = { revision: `${id}-r2`, previous: [`${id}-r1`] };
    const last = { id, status: "READY", latestRevisionId: `${id}-r2`, activeRevisionId: `${id}-r1` };
    return untilActive(context, rollout, last as Observed);
  };
  for (const id of ids) void (waits ? wait(id).catch(() => undefined) : follow(id));
  return { ...setup, failures, told };
}

it("100 builds at once cost less than a tenth of what the service allows in any minute, and each gets its turn", async () => {
  const { clock, sent, failures } = building(100, { failsAt: 90_000 });
  await clock.advance(200_000);
  expect(mostInMinute(sent)).toBeLessThan(tenthOfLimit);
  const counts = new Map<string, number>();
  for (const { call } of sent) counts.set(call.path, (counts.get(call.path) ?? 0) + 1);
  expect(counts.size).toBe(101);
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(2);
  // One that fails is heard of in about a minute.
  expect(failures).toHaveLength(1);
  expect(failures[0]).toBeLessThan(90_000 + 75_000);
});

it("the logs of builds are asked for one at a time, and of some of 100 the newest line is shown", async () => {
  const { clock, sent, told } = building(100, { waits: true });
  await clock.advance(300_000);
  expect(mostInMinute(sent)).toBeLessThan(tenthOfLimit);
  const times = sent.filter(isLog).map(({ at }) => at);
  expect(new Set(times).size).toBe(times.length);
  expect(times.length).toBeGreaterThanOrEqual(5);
  expect(told.filter((line) => line.endsWith(": a line"))).toHaveLength(times.length);
  // The pace of the polls is that of polls alone.
  const alone = building(100);
  await alone.clock.advance(300_000);
  expect(sent.filter(isList)).toHaveLength(alone.sent.filter(isList).length);
});
