/** `npm run demo`: the life of one deployment on a real engine, against the emulator. Leaves nothing behind. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { startEmulator, type Emulator, type JsonObject } from "../../../emulator";
import { createStack, type Stack } from "../../engine";

const example = resolve(__dirname, "../../../examples/01-hello");
const secret = "sk-demo-0123456789";

/** A change of the program, as somebody would type it. */
type Edit = readonly [from: string, to: string];

interface Step {
  readonly title: string;
  readonly explanation: string;
  readonly edits?: readonly Edit[];
  /** Something that happens on the service, outside the program. */
  readonly outside?: (emulator: Emulator) => void;
  readonly commands: readonly (readonly string[])[];
}

const up = ["up", "--yes", "--skip-preview"];
const previewThenUp = [["preview", "--diff"], up];

const steps: readonly Step[] = [
  {
    title: "Preview",
    explanation: "Nothing exists yet. A preview checks the arguments and the settings, and sends no request.",
    commands: [["preview"]],
  },
  {
    title: "Create",
    explanation: "One POST; then it waits until the first revision is active.",
    commands: [up],
  },
  {
    title: "A change that makes a revision",
    explanation:
      "Another image is a new revision: `generation` counts up in the preview. One PATCH, then it waits.",
    edits: [["chat:1.4.2", "chat:1.5.0"]],
    commands: previewThenUp,
  },
  {
    title: "A change of settings",
    explanation: "More replicas need no revision: `generation` stays, and there is nothing to wait for.",
    edits: [["maxScale: 3", "maxScale: 5"]],
    commands: previewThenUp,
  },
  {
    title: "Drift",
    explanation: "Somebody gives it more CPU by hand. A refresh sees it, the next up puts it right.",
    outside: (emulator) => {
      emulator.change("chat", ({ source_config }) => {
        (source_config["resource_spec"] as JsonObject)["cpu"] = 4;
      });
    },
    commands: [["refresh", "--yes", "--skip-preview", "--diff"], ...previewThenUp],
  },
  {
    title: "A replacement",
    explanation:
      "A name can never be changed: a deployment of the new name is created, then the old one is deleted.",
    edits: [['new Deployment("chat", {', 'new Deployment("chat", {\n  name: "assistant",']],
    commands: previewThenUp,
  },
  {
    title: "Destroy",
    explanation: "One DELETE; then it waits until the service has really let go of it.",
    commands: [["destroy", "--yes", "--skip-preview"]],
  },
];

async function main(): Promise<void> {
  const emulator = await startEmulator({ rollout: { looks: 3 }, deletion: { looks: 2 } });
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
    print(`The program (examples/01-hello/index.ts), against an emulator of the service at ${emulator.url}:`);
    print(indent(program()));
    for (const [index, step] of steps.entries()) await run(index + 1, step, stack, emulator);
    print(`\nDone. The service holds ${emulator.deployments().length} deployments.`);
  } finally {
    await stack.dispose();
    await emulator.close();
  }
}

let text = program();

function program(): string {
  return readFileSync(resolve(example, "index.ts"), "utf8");
}

async function run(number: number, step: Step, stack: Stack, emulator: Emulator): Promise<void> {
  print(`\n${number}. ${step.title}\n   ${step.explanation}`);
  for (const [from, to] of step.edits ?? []) {
    if (!text.includes(from)) throw new Error(`the example has changed: it does not contain ${from}`);
    text = text.replace(from, to);
    print(`   index.ts:  - ${from}\n              + ${to.split("\n").join("\n              + ")}`);
  }
  stack.write({ "index.ts": text });
  step.outside?.(emulator);
  for (const command of step.commands) {
    print(`\n   $ pulumi ${command.join(" ")}\n`);
    emulator.clearRequests();
    const { output } = await stack.run([...command]);
    print(indent(screen(output)));
    const requests = emulator.requestLines();
    print(`\n   Requests: ${requests.length === 0 ? "none" : requests.join(", ")}`);
  }
}

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

main().catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
