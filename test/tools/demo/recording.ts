/** What the demo shows, kept in a file, so that a picture can be made of it without a CLI. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { comparable, settled } from "../../docs/screen";
import { play } from "./play";
import type { Step } from "./steps";

/** One command of the demo, and what is on the screen at its end. */
export interface Scene {
  readonly step: number;
  readonly title: string;
  readonly explanation: string;
  /** What was changed in the program right before. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  readonly command: string;
  readonly screen: readonly string[];
  /** `POST /v2/deployments 201` */
  readonly requests: readonly string[];
}

const path = resolve(__dirname, "recording.json");

export function readRecording(): Scene[] {
  return JSON.parse(readFileSync(path, "utf8")) as Scene[];
}

/** Plays the demo; what was kept stays as it is where only times differ. */
export async function record(): Promise<void> {
  const scenes: Scene[] = [];
  let next: Pick<Scene, "step" | "title" | "explanation" | "edits"> | undefined;
  let command = "";
  await play({
    starts: () => undefined,
    begins: (step, { title, explanation, edits = [] }: Step) => (next = { step, title, explanation, edits }),
    types: (text) => (command = text),
    sees: (output, requests) => {
      const screen = settled(output)
        .split("\n")
        .filter((line) => line !== "");
      scenes.push({ ...next!, command, screen, requests });
      next = { ...next!, edits: [] };
    },
    ends: () => undefined,
  });
  if (existsSync(path) && isSame(scenes, readRecording())) return;
  writeFileSync(path, `${JSON.stringify(scenes, null, 2)}\n`);
}

function isSame(some: readonly Scene[], others: readonly Scene[]): boolean {
  const text = (scenes: readonly Scene[]) => comparable(JSON.stringify(scenes, null, 2));
  return text(some) === text(others);
}
