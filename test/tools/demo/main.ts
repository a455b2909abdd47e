/** `npm run demo`: the life of one deployment, told while it happens. */
import { play, type Audience } from "./play";

const terminal: Audience = {
  starts(address, program) {
    print(`The program (examples/01-hello/index.ts), against an emulator of the service at ${address}:`);
    print(indent(program));
  },
  begins(number, { title, explanation, edits = [] }) {
    print(`\n${number}. ${title}\n   ${explanation}`);
    for (const [from, to] of edits) {
      print(`   index.ts:  - ${from}\n              + ${to.split("\n").join("\n              + ")}`);
    }
  },
  types(command) {
    print(`\n   $ ${command}\n`);
  },
  sees(output, requests) {
    print(indent(screen(output)));
    print(`\n   Requests: ${requests.length === 0 ? "none" : requests.join(", ")}`);
  },
  ends(deployments) {
    print(`\nDone. The service holds ${deployments} deployments.`);
  },
};

/** The screen of a run, without the lines that only say that it is still running. */
function screen(output: string): string {
  const lines = output.split("\n").filter((line) => !line.startsWith("@ ") && line.trim() !== "");
  return lines.join("\n");
}

function indent(block: string): string {
  return block.replace(/^/gm, "   | ").trimEnd();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

play(terminal).catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
