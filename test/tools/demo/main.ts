/** `npm run demo`: plays the life of one deployment on a real engine, against the emulator. Leaves nothing behind. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Product } from "../../support/product";
import { steps, type Step } from "./steps";

const example = resolve(__dirname, "../../../examples/01-hello");
const secret = "sk-demo-0123456789";

async function main(): Promise<void> {
  const product = await Product.start({
    program: example,
    keeps: "nothing",
    config: { "hello:modelApiKey": { secret } },
    emulator: { idSeed: 1, rollout: { polls: 3 }, deletion: { polls: 2 } },
    env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: "500ms" },
  });
  const { emulator, stack } = product;
  process.once("SIGINT", () => void product.end().finally(() => process.exit(130)));
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
        const { output, requests } = await product.run([...words]);
        // Without the lines that only say that it is still running.
        const lines = output.split("\n").filter((line) => !line.startsWith("@ ") && line.trim() !== "");
        print(indent(lines.join("\n")));
        print(`\n   Requests: ${requests.length === 0 ? "none" : requests.join(", ")}`);
      }
    }
    print(`\nDone. The service holds ${emulator.deployments().length} deployments.`);
  } finally {
    await product.end();
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
