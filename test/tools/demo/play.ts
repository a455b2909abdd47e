/** Plays the steps on a real engine, against the emulator. Leaves nothing behind. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { startEmulator, type Emulator } from "../../../emulator";
import { createStack, type Stack } from "../../engine";
import { steps, type Step } from "./steps";

const example = resolve(__dirname, "../../../examples/01-hello");
const secret = "sk-demo-0123456789";

/** Who sees what happens, in this order. */
export interface Audience {
  starts(address: string, program: string): void;
  begins(number: number, step: Step): void;
  types(command: string): void;
  sees(output: string, requests: readonly string[]): void;
  ends(deployments: number): void;
}

export async function play(audience: Audience): Promise<void> {
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
    audience.starts(emulator.url, program);
    for (const [index, step] of steps.entries()) {
      audience.begins(index + 1, step);
      program = edited(program, step);
      stack.write({ "index.ts": program });
      step.outside?.(emulator);
      for (const command of step.commands) await run(command, stack, emulator, audience);
    }
    audience.ends(emulator.deployments().length);
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

async function run(
  command: readonly string[],
  stack: Stack,
  emulator: Emulator,
  audience: Audience,
): Promise<void> {
  audience.types(`pulumi ${command.join(" ")}`);
  emulator.clearRequests();
  const { output } = await stack.run([...command]);
  audience.sees(output, emulator.requestLines());
}
