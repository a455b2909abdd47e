import { expect, it } from "vitest";
import { readRecording } from "../tools/demo/recording";
import { steps } from "../tools/demo/steps";

it("the recording of the demo has the steps and commands that the demo plays; `npm run docs` writes it", () => {
  const played = steps.flatMap(({ title, explanation, commands }, at) =>
    commands.map((words) => ({ step: at + 1, title, explanation, command: `pulumi ${words.join(" ")}` })),
  );
  const recorded = readRecording().map(({ step, title, explanation, command }) => {
    return { step, title, explanation, command };
  });
  expect(recorded).toEqual(played);
});
