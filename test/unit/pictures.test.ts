import { describe, expect, it } from "vitest";
import { read } from "../docs/documents";
import { readRecording } from "../tools/demo/recording";
import { steps } from "../tools/demo/steps";
import { letter } from "../tools/pictures/svg";

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Text extends Box {
  readonly text: string;
  /** Texts of different frames are never seen together. */
  readonly frame: number;
}

const pictures = ["docs/pictures/demo.svg", "docs/pictures/lifecycle.svg"];

describe.each(pictures)("%s", (path) => {
  const picture = read(path);
  const texts = textsIn(picture);
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(picture)!.map(Number);

  it("has every text within its edges", () => {
    expect(texts.length).toBeGreaterThan(20);
    const page = { left: 0, top: 0, right: width!, bottom: height! };
    expect(texts.filter((text) => !isWithin(text, page))).toEqual([]);
  });

  it("has every text that begins in a box within that box", () => {
    const boxes = boxesIn(picture);
    const over = texts.filter((text) =>
      boxes.some((box) => isWithin({ ...text, right: text.left }, box) && !isWithin(text, box)),
    );
    expect(over).toEqual([]);
  });

  it("has no text over another", () => {
    const over = texts.flatMap((text, at) => {
      const others = texts
        .slice(at + 1)
        .filter(({ frame }) => [frame, text.frame].includes(-1) || frame === text.frame);
      return others.filter((other) => overlaps(text, other)).map((other) => [text.text, other.text]);
    });
    expect(over).toEqual([]);
  });

  it("has colours for light and for dark, asks nobody for anything and runs nothing", () => {
    expect(picture).toContain("@media (prefers-color-scheme: dark)");
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:\/\/(?!\S*example\.com)|<script|href=/,
    );
  });
});

describe("the recording of the demo", () => {
  it("has the steps and commands that the demo plays; `npm run docs` writes it", () => {
    const played = steps.flatMap(({ title, explanation, commands }, at) =>
      commands.map((words) => ({ step: at + 1, title, explanation, command: `pulumi ${words.join(" ")}` })),
    );
    const recorded = readRecording().map(({ step, title, explanation, command }) => {
      return { step, title, explanation, command };
    });
    expect(recorded).toEqual(played);
  });
});

function textsIn(picture: string): Text[] {
  let frame = -1;
  return picture.split("\n").flatMap((line): Text[] => {
    if (line.startsWith('<g class="frame')) frame++;
    const [, x, y, classes = "", escaped = ""] =
      /^<text x="([\d.]+)" y="([\d.]+)" class="([^"]*)"[^>]*>(.*)<\/text>$/.exec(line) ?? [];
    if (x === undefined) return [];
    const text = escaped.replaceAll(/&\w+;/g, "&");
    const each = classes.includes("mono") ? letter.mono : letter.sans;
    const box = { left: Number(x), right: Number(x) + text.trimEnd().length * each };
    return [{ text, frame, ...box, top: Number(y) - 12, bottom: Number(y) + 4 }];
  });
}

function boxesIn(picture: string): Box[] {
  const found = picture.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g);
  return [...found].map(([, ...numbers]) => {
    const [left, top, width, height] = numbers.map(Number) as [number, number, number, number];
    return { left, top, right: left + width, bottom: top + height };
  });
}

function isWithin(inner: Box, outer: Box): boolean {
  const isAcross = inner.left >= outer.left && inner.right <= outer.right;
  return isAcross && inner.top >= outer.top && inner.bottom <= outer.bottom;
}

function overlaps(one: Box, other: Box): boolean {
  const isAcross = one.left < other.right && other.left < one.right;
  return isAcross && one.top < other.bottom && other.top < one.bottom;
}
