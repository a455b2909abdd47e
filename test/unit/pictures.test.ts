import { describe, expect, it } from "vitest";
import { read } from "../docs/documents";
import { readRecording } from "../tools/demo/recording";
import { steps } from "../tools/demo/steps";

const pictures = ["docs/pictures/demo.svg", "docs/pictures/lifecycle.svg"];

describe.each(pictures)("%s", (path) => {
  const picture = read(path);

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
