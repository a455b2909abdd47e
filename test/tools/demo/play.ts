/** Plays the steps on a real engine, against the emulator. Leaves nothing behind. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { startEmulator } from "../../../emulator";
import { createStack } from "../../engine";
import { steps, type Step } from "./steps";

export const example = resolve(__dirname, "../../../examples/01-hello");
const secret = "sk-demo-0123456789";

/** A command that is about to run. */
export interface Announced extends Pick<Step, "title" | "explanation"> {
  readonly step: number;
  /** What was changed in the program right before. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  readonly command: string;
}

export interface Audience {
  announce(next: Announced, address: string): void;
  show(done: Announced, output: string, requests: readonly string[]): void;
}

/** @returns how many deployments are left */
export async function play({ announce, show }: Audience): Promise<number> {
  const emulator = await startEmulator({ idSeed: 1, rollout: { polls: 3 }, deletion: { polls: 2 } });
  const stack = await createStack({
    program: example,
    config: { "hello:modelApiKey": { secret } },
    env: {
      DEPLOYMENT_SERVICE_URL: emulator.url,
      DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
      DEPLOYMENT_SERVICE_POLL_INTERVAL: "500ms",
    },
  });
  process.once("SIGINT", () => void stack.dispose().finally(() => process.exit(130)));
  try {
    let program = readFileSync(resolve(example, "index.ts"), "utf8");
    for (const [index, step] of steps.entries()) {
      program = edited(program, step);
      stack.write({ "index.ts": program });
      step.outside?.(emulator);
      for (const [at, words] of step.commands.entries()) {
        const { title, explanation, edits = [] } = step;
        const command = `pulumi ${words.join(" ")}`;
        const next = { step: index + 1, title, explanation, edits: at === 0 ? edits : [], command };
        announce(next, emulator.url);
        emulator.clearRequests();
        const { output } = await stack.run([...words]);
        show(next, output, emulator.requestLines());
      }
    }
    return emulator.deployments().length;
  } finally {
    await stack.dispose();
    await emulator.close();
  }
}

function edited(program: string, { edits = [] }: Step): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has changed: it does not contain ${from}`);
    return text.replace(from, to);
  }, program);
}
