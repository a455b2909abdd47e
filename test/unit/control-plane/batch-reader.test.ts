import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pages, BatchReader } from "../../../provider/control-plane/batch-reader";
import { ReadQueue, ReadResults } from "../../../provider/control-plane/read-results";
import type { Observed } from "../../../provider/deployment/service";
import { ControlPlaneError } from "../../../provider/errors";
import { VirtualClock } from "../../support/clock";
import { newController, type Limits } from "../../../provider/time/limits";
import { failureOf } from "../../support/http";
import { limitsOf } from "../../support/limits";
import { observed } from "../../support/observed";
import { runs } from "../../support/runs";

/** How long a request takes, and the engine from one response to its next question, in milliseconds. */
const latency = 100;
const handOver = 10;

/** A service that lists its deployments in a fixed order, and notes what it was asked. */
class FakeListing implements Pages {
  readonly requests: string[] = [];
  failing: Error | undefined;
  /** Of the requests for ids. */
  readonly limits: Limits[] = [];

  constructor(
    private readonly clock: VirtualClock,
    private readonly ids: readonly string[],
  ) {}

  async byIds(ids: readonly string[], limits: Limits): Promise<ReadResults> {
    this.limits.push(limits);
    await this.#respond(`ids:${ids.length}`);
    const asked = ids.map((id) => id.toLowerCase());
    return new ReadResults(this.ids.filter((id) => asked.includes(id)).map((id) => observed({ id })));
  }

  async page(offset: number) {
    await this.#respond(`page:${offset}`);
    const ids = this.ids.slice(offset, offset + 100);
    return { entries: ids.map((id) => ({ deployment: observed({ id }) })), offset: offset + ids.length };
  }

  async #respond(request: string): Promise<void> {
    this.requests.push(request);
    await this.clock.sleep(latency);
    if (this.failing) throw this.failing;
  }
}

function setUp(ids: readonly string[], clock = new VirtualClock()) {
  const listing = new FakeListing(clock, ids);
  const shared = new BatchReader(listing, clock);
  const reader = {
    read: (id: string, limits = limitsOf(clock).limits) => shared.read(id, limits),
    readBeforeWrite: (id: string) => shared.read(id, limitsOf(clock).limits, { beforeWrite: true }),
    forget: (id: string) => shared.forget(id),
  };
  return { clock, listing, reader };
}

const numbered = (count: number, name = "d") =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

/** The engine: so many reads in flight, the next one handed over when one ends, each a moment after the other. */
async function refresh(
  clock: VirtualClock,
  reader: Pick<ReturnType<typeof setUp>["reader"], "read">,
  ids: readonly string[],
  parallelism: number,
) {
  const left = [...ids];
  const found: (Observed | undefined)[] = [];
  const worker = async (delay: number) => {
    await clock.sleep(delay);
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      found.push(await reader.read(id));
      await clock.sleep(handOver);
    }
  };
  const workers = Array.from({ length: parallelism }, (_, index) => worker(Math.floor(index / 10)));
  await clock.run(Promise.all(workers));
  return found;
}

it.each([1, 4, 8, 16, 32, 100, 250])(
  "a refresh of all deployments of a service costs 3 to 5 requests for 250 deployments, %i at a time",
  async (parallelism) => {
    const ids = numbered(250);
    const { clock, listing, reader } = setUp(ids);
    const found = await refresh(clock, reader, ids, parallelism);
    expect(found.map((deployment) => deployment?.id).sort()).toEqual([...ids].sort());
    expect(listing.requests.length).toBeGreaterThanOrEqual(3);
    expect(listing.requests.length).toBeLessThanOrEqual(5);
  },
);

it("a refresh of few among thousands never costs more than twice what ids alone would cost", async () => {
  const sizes = fc.record({
    own: fc.integer({ min: 1, max: 120 }),
    parallelism: fc.integer({ min: 1, max: 64 }),
    others: fc.integer({ min: 0, max: 5_000 }),
  });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ own, parallelism, others }) => {
      const ids = numbered(own);
      const { clock, listing, reader } = setUp([...numbered(others, "other"), ...ids]);
      await refresh(clock, reader, ids, parallelism);
      expect(listing.requests.length).toBeLessThanOrEqual(2 * Math.ceil(own / Math.min(parallelism, 100)));
    }),
    runs(20),
  );
});

it("a read that was answered leaves no listener on the signal of its caller", async () => {
  const queue = new ReadQueue<{ id: string }>();
  const { limits } = limitsOf(new VirtualClock());
  const { signal } = newController();
  const read = queue.join({ id: "d1" }, { ...limits, signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await queue.answer(() => Promise.resolve(new ReadResults([observed({ id: "d1" })])));
  expect(await read).toMatchObject({ id: "d1" });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it.each([8, 16])("50 updates, %i at a time, share one request", async (parallelism) => {
  const ids = numbered(50);
  const { clock, listing, reader } = setUp(ids);
  const update = async (id: string) => {
    const found = await reader.readBeforeWrite(id);
    reader.forget(id);
    return found;
  };
  await refresh(clock, { read: update }, ids, parallelism);
  expect(listing.requests).toEqual(["page:0"]);
});

describe("what was read ahead", () => {
  /** Two reads by themselves: after the second, a page with everything on it was read. */
  async function readAhead() {
    const setup = setUp(numbered(50));
    const { clock, listing, reader } = setup;
    await clock.run(reader.read("d0"));
    await clock.run(reader.read("d1"));
    expect(listing.requests).toEqual(["ids:1", "page:0"]);
    listing.requests.length = 0;
    return setup;
  }

  it("is never used for a deployment that was written since, and still is for the others", async () => {
    const { clock, listing, reader } = await readAhead();
    reader.forget("D2");
    await clock.run(reader.read("d3"));
    expect(listing.requests).toEqual([]);
    await clock.run(reader.read("d2"));
    expect(listing.requests).toEqual(["ids:1"]);
  });

  it("is never used for a deployment that was written while it was being read", async () => {
    const { clock, listing, reader } = setUp(numbered(50));
    await clock.run(reader.read("d0"));
    const second = reader.read("d1");
    await clock.advance(60 + latency / 2);
    expect(listing.requests).toEqual(["ids:1", "page:0"]);
    reader.forget("d1");
    await clock.run(second);
    expect(listing.requests).toEqual(["ids:1", "page:0", "ids:1"]);
    await clock.run(reader.read("d2"));
    expect(listing.requests).toHaveLength(3);
  });

  it("never shows that a deployment is deleted: only a request for its id does", async () => {
    const { clock, listing, reader } = await readAhead();
    expect(await clock.run(reader.read("gone"))).toBeUndefined();
    expect(listing.requests.at(-1)).toBe("ids:1");
  });

  it("is used for a second at most if a write follows, because others may have changed the deployment since", async () => {
    const { clock, listing, reader } = await readAhead();
    await clock.run(reader.readBeforeWrite("d2"));
    expect(listing.requests).toEqual([]);
    await clock.advance(1_001);
    await clock.run(reader.readBeforeWrite("d3"));
    expect(listing.requests).toEqual(["ids:1"]);
  });

  it("is used for twenty seconds at most", async () => {
    const { clock, listing, reader } = await readAhead();
    await clock.advance(20_001);
    await clock.run(reader.read("d2"));
    expect(listing.requests).toEqual(["ids:1"]);
  });
});

describe("a batch", () => {
  it("that fails rejects all reads that shared it, and the next ones work", async () => {
    const { clock, listing, reader } = setUp(numbered(3));
    listing.failing = new Error("unavailable");
    const failed = await clock.run(Promise.allSettled([reader.read("d0"), reader.read("d1")]));
    expect(failed).toMatchObject([
      { status: "rejected", reason: { message: "unavailable" } },
      { status: "rejected", reason: { message: "unavailable" } },
    ]);
    listing.failing = undefined;
    expect(await clock.run(reader.read("d2"))).toMatchObject({ id: "d2" });
  });

  it("takes an id in any letter case, requested or read ahead", async () => {
    const { clock, listing, reader } = setUp(["abc", "def", "ghi"]);
    const found = await clock.run(Promise.all([reader.read("ABC"), reader.read("abc")]));
    expect(found.map((deployment) => deployment?.id)).toEqual(["abc", "abc"]);
    expect(listing.requests).toEqual(["ids:1"]);
    await clock.run(reader.read("DEF"));
    expect(await clock.run(reader.read("GHI"))).toMatchObject({ id: "ghi" });
    expect(listing.requests).toEqual(["ids:1", "page:0"]);
  });

  it("ends for each read at its own time limit, while the others continue", async () => {
    const { clock, listing, reader } = setUp(["a", "b"]);
    const brief = limitsOf(clock, { timeout: 80, moreTime: "patience" }).limits;
    const failed = failureOf(reader.read("a", brief));
    const read = reader.read("b");
    await clock.advance(80);
    expect(await failed).toMatchObject({
      kind: "out-of-time",
      message: "GET of the deployment got no response in time: there were 80ms in all (patience gives more)",
    });
    expect(await clock.run(read)).toMatchObject({ id: "b" });
    expect(listing.requests).toEqual(["ids:2"]);
  });

  it("that no try got through ends with what was last heard, not only with the time that was over", async () => {
    const { clock, listing, reader } = setUp(["a"]);
    const brief = limitsOf(clock, { timeout: 110 });
    const failed = failureOf(reader.read("a", brief.limits));
    await clock.advance(70);
    const lost = "GET /deployments lost the connection to the service";
    listing.limits[0]!.tell(
      new ControlPlaneError(lost, { kind: "unreachable", request: "GET", isAmbiguous: false }),
    );
    await clock.advance(40);
    expect(await failed).toMatchObject({
      kind: "unreachable",
      message: `${lost}; the next try got no response in time: there were 110ms in all`,
    });
    expect(brief.said).toEqual([lost]);
  });

  it("tells each read what it waits for, and ends at Ctrl-C", async () => {
    const { clock, listing, reader } = setUp(["a", "b"]);
    const user = new AbortController();
    const waiting = [1, 2].map(() => limitsOf(clock, { signal: user.signal }));
    const failures = waiting.map(({ limits }, at) => failureOf(reader.read("ab"[at]!, limits)));
    await clock.advance(70);
    const [shared] = listing.limits;
    shared!.tell("slow down");
    expect(waiting.map(({ said }) => said)).toEqual([["slow down"], ["slow down"]]);
    user.abort();
    for (const failure of failures) expect((await failure).kind).toBe("interrupted");
    expect(shared!.signal?.aborted).toBe(true);
  });

  it("waits once more if its timer fires late, because a busy machine delays reads too", async () => {
    const { clock, listing, reader } = setUp(numbered(3));
    const first = reader.read("d0");
    clock.pass(130);
    await clock.advance(10);
    await clock.run(Promise.all([first, reader.read("d1")]));
    expect(listing.requests).toEqual(["ids:2"]);
  });

  it("takes in what comes within 60 ms of the last", async () => {
    const { clock, listing, reader } = setUp(numbered(100));
    const reads: Promise<unknown>[] = [];
    for (let index = 0; index < 60; index++) {
      reads.push(reader.read(`d${index}`));
      await clock.advance(40);
    }
    await clock.run(Promise.all(reads));
    expect(listing.requests).toEqual(["page:0"]);
  });
});
