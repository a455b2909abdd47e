import { describe, expect, it } from "vitest";
import { picture, type Chart } from "../../tools/bench/picture";
import { logScale } from "../../tools/bench/scale";

const caption = "2026-01-31, 128 cores, linux arm64, Node.js 20.20.2, Pulumi CLI v3.259.0";

const seconds: Chart = {
  title: "Preview without a change: seconds of processor time",
  lines: [
    { program: "bare", points: [[1, 2.9], [10, 3], [100, 4.5], [1000, 21]] }, // prettier-ignore
    { program: "package", points: [[1, 3], [10, 3], [100, 4.6], [1000, 22]] }, // prettier-ignore
    { program: "conventional", points: [[1, 4], [10, 4.5], [100, 9], [1000, 61.5]] }, // prettier-ignore
  ],
};
const requests: Chart = {
  title: "Refresh: requests",
  lines: [
    { program: "bare", points: [[1, 0], [1000, 0]] }, // prettier-ignore
    { program: "package", points: [[1, 1], [1000, 13]] }, // prettier-ignore
    { program: "conventional", points: [[1, 1], [1000, 100_000]] }, // prettier-ignore
  ],
};

const one = (chart: Chart): Chart => ({
  ...chart,
  lines: chart.lines.map(({ program, points }) => ({ program, points: points.slice(0, 1) })),
});
const none = (chart: Chart): Chart => ({
  ...chart,
  lines: chart.lines.map(({ program }) => ({ program, points: [] })),
});

interface Box {
  readonly content: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where each text is, if the letters are as wide as those of a wide font. */
function texts(svg: string): Box[] {
  const size = 14;
  const pattern = /<text class="\w+" x="([\d.-]+)" y="([\d.-]+)" text-anchor="(\w+)">([^<]*)<\/text>/g;
  return [...svg.matchAll(pattern)].map(([, x, y, anchor, content]) => {
    const width = content!.length * size * 0.6;
    const left =
      Number(x) - { start: 0, middle: width / 2, end: width }[anchor as "start" | "middle" | "end"];
    return { content: content!, left, right: left + width, top: Number(y) - size, bottom: Number(y) + 4 };
  });
}

const viewBox = (svg: string) =>
  /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1).map(Number) as [number, number];

describe.each([
  ["all of it", picture([seconds, requests], caption)],
  ["one number of resources", picture([one(seconds), one(requests)], caption)],
  ["nothing", picture([none(seconds), none(requests)], caption)],
])("a picture of %s", (_, svg) => {
  const [width, height] = viewBox(svg);

  it("has every text within it", () => {
    const outside = texts(svg).filter(
      ({ left, right, top, bottom }) => left < 0 || top < 0 || right > width || bottom > height,
    );
    expect(outside).toEqual([]);
    expect(texts(svg)).toHaveLength(svg.split("<text ").length - 1);
    expect(texts(svg).map(({ content }) => content)).toEqual(
      expect.arrayContaining([seconds.title, requests.title, caption, "this package", "bare program"]),
    );
  });

  it("has no text over another", () => {
    const all = texts(svg);
    const overlaps = all.flatMap((a, index) =>
      all
        .slice(index + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => [a.content, b.content]),
    );
    expect(overlaps).toEqual([]);
  });

  it("has every point within it", () => {
    const points = [...svg.matchAll(/points="([^"]+)"/g)].flatMap(([, list]) =>
      list!.split(" ").map((point) => point.split(",").map(Number) as [number, number]),
    );
    expect(points.length).toBeGreaterThan(0);
    expect(points.filter(([x, y]) => !(x >= 0 && x <= width && y >= 0 && y <= height))).toEqual([]);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

it("draws what costs nothing not at all, and the others with a point for each number", () => {
  const svg = picture([none(seconds), requests], caption);
  const circles = (program: string) => svg.split(`<circle class="${program}"`).length - 1;
  expect([circles("bare"), circles("package"), circles("conventional")]).toEqual([0, 2, 2]);
});

it("is readable on light and on dark pages", () => {
  expect(picture([seconds, requests], caption)).toContain("@media (prefers-color-scheme: dark)");
});

describe("an axis", () => {
  it("of a long way has a tick at each power of ten, one as far from the other as the next", () => {
    const { ticks, at } = logScale([0.3, 45], 0, 300);
    expect(ticks).toEqual([0.1, 1, 10, 100]);
    expect(ticks.map(at).map(Math.round)).toEqual([0, 100, 200, 300]);
  });

  it("of a short way has more ticks, and ends at the next one", () => {
    expect(logScale([2.9, 21], 0, 10).ticks).toEqual([2, 5, 10, 20, 50]);
    expect(logScale([1, 50], 0, 10).ticks).toEqual([1, 2, 5, 10, 20, 50]);
  });

  it("has a length where all values are the same", () => {
    expect(logScale([1], 0, 10).ticks).toEqual([1, 2]);
    expect(logScale([10, 10], 0, 10).ticks).toEqual([10, 20]);
  });
});
