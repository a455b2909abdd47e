/** What the demo shows, kept in a file, so that a picture can be made of it without a CLI. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { comparable, settled } from "../../docs/screen";
import { play, type Announced } from "./play";

/** One command of the demo, and what is on the screen at its end. */
export interface Scene extends Announced {
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
  await play({
    announce: () => undefined,
    show: (done, output, requests) => {
      const lines = settled(output).split("\n");
      scenes.push({ ...done, screen: lines.filter((line) => line !== ""), requests });
    },
  });
  if (existsSync(path) && isSame(scenes, readRecording())) return;
  writeFileSync(path, `${JSON.stringify(scenes, null, 2)}\n`);
}

function isSame(some: readonly Scene[], others: readonly Scene[]): boolean {
  const text = (scenes: readonly Scene[]) => comparable(JSON.stringify(scenes, null, 2));
  return text(some) === text(others);
}
