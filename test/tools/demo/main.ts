/** `npm run demo`: the life of one deployment, told while it happens. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { example, play } from "./play";

async function main(): Promise<void> {
  let shown = 0;
  const left = await play({
    announce({ step, title, explanation, edits, command }, address) {
      if (shown === 0) {
        print(`The program (examples/01-hello/index.ts), against an emulator of the service at ${address}:`);
        print(indent(readFileSync(join(example, "index.ts"), "utf8")));
      }
      if (step !== shown) print(`\n${step}. ${title}\n   ${explanation}`);
      shown = step;
      for (const [from, to] of edits)
        print(`   index.ts:  - ${from}\n              + ${to.split("\n").join("\n              + ")}`);
      print(`\n   $ ${command}\n`);
    },
    show(_, output, requests) {
      // Without the lines that only say that it is still running.
      const lines = output.split("\n").filter((line) => !line.startsWith("@ ") && line.trim() !== "");
      print(indent(lines.join("\n")));
      print(`\n   Requests: ${requests.length === 0 ? "none" : requests.join(", ")}`);
    },
  });
  print(`\nDone. The service holds ${left} deployments.`);
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
