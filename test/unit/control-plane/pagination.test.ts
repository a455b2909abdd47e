/** The list of deployments is read page by page, to its end. */
import { describe, expect, it } from "vitest";
import { pagesOf } from "../../../provider/control-plane/pagination";
import { observed } from "../../support/observed";

const rowsOf = (ids: readonly string[]) => ids.map((id) => ({ deployment: observed({ id }) }));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `d-${index}`);

type Page = Parameters<typeof pagesOf>[0];

async function idsOf(page: Page): Promise<string[]> {
  const ids: string[] = [];
  for await (const rows of pagesOf(page, {})) ids.push(...rows.map(({ deployment }) => deployment.id));
  return ids;
}

it.each([
  [0, 1],
  [99, 1],
  [100, 2],
  [250, 3],
  [1000, 11],
])(
  "%i deployments are read in %i requests, whether the service counts in its offsets or not",
  async (count, requests) => {
    const list = numbered(count);
    for (const offsetOf of [(counted: number) => counted, () => 0]) {
      let asked = 0;
      const page: Page = (_, offset) => {
        asked++;
        const ids = list.slice(offset, offset + 100);
        return Promise.resolve({ rows: rowsOf(ids), offset: offsetOf(offset + ids.length) });
      };
      expect(await idsOf(page)).toEqual(list);
      expect(asked).toBe(requests);
    }
  },
);

it("an offset that does not count entries is sent back unchanged", async () => {
  const list = numbered(250);
  const page: Page = (_, offset) => {
    const rows = rowsOf(list.slice(offset / 7, offset / 7 + 100));
    return Promise.resolve({ rows, offset: offset + 7 * rows.length });
  };
  expect(await idsOf(page)).toEqual(list);
});

it("a deployment that a page repeats, because another one was created meanwhile, comes once", async () => {
  const list = numbered(150);
  const page: Page = (_, offset) => {
    if (offset > 0) list.unshift("new");
    return Promise.resolve({ rows: rowsOf(list.slice(offset, offset + 100)), offset: offset + 100 });
  };
  expect(await idsOf(page)).toEqual(numbered(150));
});

describe("a service that ignores `offset`", () => {
  const rows = rowsOf(numbered(100));

  it.each<[string, (asked: number) => number]>([
    ["counts on", (asked) => asked + 100],
    ["always says 100", () => 100],
    ["always says 0", () => 0],
    ["repeats what was asked", (asked) => asked],
    ["says something opaque", (asked) => asked + 7_777],
  ])("fails the list, which neither ends early nor never: %s", async (_, offsetOf) => {
    let requests = 0;
    const page: Page = (_, asked) => {
      requests++;
      return Promise.resolve({ rows, offset: offsetOf(asked) });
    };
    await expect(idsOf(page)).rejects.toThrow("answered the same page of the list again");
    expect(requests).toBe(2);
  });
});
