import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pagesOf } from "../../../provider/control-plane/pagination";
import { observed } from "../../support/observed";
import { runs } from "../../support/runs";

const entriesOf = (ids: readonly string[]) => ids.map((id) => ({ deployment: observed({ id }) }));

type Change = (list: string[]) => void;

/** A list, newest first, in which something happens before each request after the first. */
function changing(count: number, changes: readonly Change[]) {
  const list = Array.from({ length: count }, (_, index) => `d-${count - 1 - index}`);
  const waiting = [...changes];
  const asked: number[] = [];
  const page = (_: unknown, offset: number) => {
    if (asked.length > 0) waiting.shift()?.(list);
    asked.push(offset);
    const ids = list.slice(offset, offset + 100);
    return Promise.resolve({ entries: entriesOf(ids), offset: offset + ids.length });
  };
  return { list, page, asked };
}

async function idsOf({ page }: Pick<ReturnType<typeof changing>, "page">): Promise<string[]> {
  const ids: string[] = [];
  for await (const entries of pagesOf(page, {})) ids.push(...entries.map(({ deployment }) => deployment.id));
  return ids;
}

describe("reading a list that moves", () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [199, 2],
    [250, 3],
    [1000, 11],
  ])("reads %i deployments in %i requests if nothing changes meanwhile", async (count, requests) => {
    const service = changing(count, []);
    expect(await idsOf(service)).toEqual(service.list);
    expect(service.asked).toHaveLength(requests);
  });

  it("loses none and names none twice, whatever is made between the requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 90, max: 700 }),
        fc.array(fc.nat(30), { maxLength: 6 }),
        async (count, all) => {
          const changes = all.map((made, round) => (list: string[]) => {
            list.unshift(...Array.from({ length: made }, (_, index) => `new-${round}-${index}`));
          });
          const service = changing(count, changes);
          const found = await idsOf(service);
          const old = service.list.filter((id) => !id.startsWith("new-"));
          expect(found).toEqual(expect.arrayContaining(old));
          expect(new Set(found).size).toBe(found.length);
        },
      ),
      runs(60),
    );
  });
});

describe("a service that ignores `offset`", () => {
  const entries = entriesOf(Array.from({ length: 100 }, (_, index) => `d-${index}`));

  it.each<[string, (asked: number) => number]>([
    ["counts on", (asked) => asked + 100],
    ["always says 100", () => 100],
    ["always says 0", () => 0],
    ["repeats what was asked", (asked) => asked],
    ["says something opaque", (asked) => asked + 7_777],
  ])("fails the list, which neither ends early nor never: %s", async (_, offsetOf) => {
    let requests = 0;
    const page = (_: unknown, asked: number) => {
      requests++;
      return Promise.resolve({ entries, offset: offsetOf(asked) });
    };
    await expect(idsOf({ page })).rejects.toThrow("answered the same page of the list again");
    expect(requests).toBe(2);
  });
});

it("a list without offsets in its responses is read to the end", async () => {
  const list = Array.from({ length: 250 }, (_, index) => `d-${index}`);
  const page = (_: unknown, asked: number) => {
    return Promise.resolve({ entries: entriesOf(list.slice(asked, asked + 100)), offset: 0 });
  };
  expect(await idsOf({ page })).toEqual(list);
});
