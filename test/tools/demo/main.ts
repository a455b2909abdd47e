/** `npm run demo`: plays the life of one deployment on a real engine, against the emulator. Leaves nothing behind. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { startEmulator } from "../../../emulator";
import { createStack } from "../../engine";
import { steps, type Step } from "./steps";

const example = resolve(__dirname, "../../../examples/01-hello");
const secret = "sk-demo-0123456789";

async function main(): Promise<void> {
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
    print(`The program (examples/01-hello/index.ts), against an emulator of the service at ${emulator.url}:`);
    print(indent(program));
    for (const [index, step] of steps.entries()) {
      print(`\n${index + 1}. ${step.title}\n   ${step.explanation}`);
      program = edited(program, step);
      stack.write({ "index.ts": program });
      step.outside?.(emulator);
      for (const words of step.commands) {
        print(`\n   $ pulumi ${words.join(" ")}\n`);
        emulator.clearRequests();
        const { output } = await stack.run([...words]);
        // Without the lines that only say that it is still running.
        const lines = output.split("\n").filter((line) => !line.startsWith("@ ") && line.trim() !== "");
        print(indent(lines.join("\n")));
        const requests = emulator.requestLines();
        print(`\n   Requests: ${requests.length === 0 ? "none" : requests.join(", ")}`);
      }
    }
    print(`\nDone. The service holds ${emulator.deployments().length} deployments.`);
  } finally {
    await stack.dispose();
    await emulator.close();
  }
}

/** Shows each edit, and returns the edited program. */
function edited(program: string, { edits = [] }: Step): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has changed: it does not contain ${from}`);
    print(`   index.ts:  - ${from}\n              + ${to.split("\n").join("\n              + ")}`);
    return text.replace(from, to);
  }, program);
}

function indent(block: string): string {
  return block.replace(/^/gm, "   | ").trimEnd();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
