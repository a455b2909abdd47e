/**
 * Plays a document as a story, from top to bottom, on the real CLI against the emulator: files are written, edits made,
 * commands run. What comes out is the document with the output that the commands really print.
 */
import { startEmulator, type Emulator, type JsonObject } from "../emulator";
import { createStack, type Stack } from "../engine";
import { consoleText, fencesIn, runsIn, type Fence, type Run } from "./markdown";
import { comparable, settled } from "./screen";

/** Things that happen on the service, by the name that a document gives them: `<!-- outside: more-cpu -->`. */
const outside: Readonly<Record<string, (emulator: Emulator) => void>> = {
  "more-cpu": (emulator) => {
    emulator.change("chat", ({ source_config }) => {
      (source_config["resource_spec"] as JsonObject)["cpu"] = 4;
    });
  },
  "stuck-rollout": (emulator) => emulator.configure({ rollout: "never" }),
  "rollout-ends": (emulator) => void emulator.finish("chat"),
};

class Player {
  readonly #files = new Map<string, string>();

  constructor(
    private readonly stack: Stack,
    private readonly emulator: Emulator,
  ) {}

  /** The block's text as it should stand in the document. */
  async play({ role = "", language, text, line }: Fence): Promise<string> {
    const [kind, value = ""] = role.split(/: (.*)/s);
    for (const name of kind === "outside" ? value.split(" ") : []) this.#happen(name, line);
    if (kind === "file") this.#write(value, text);
    if (kind === "edit") this.#edit(value, text, line);
    if (language !== "console" || kind === "not run") return text;
    const runs: Run[] = [];
    for (const run of runsIn(text)) runs.push(await this.#run(run, line));
    return consoleText(runs);
  }

  #happen(name: string, line: number): void {
    const event = outside[name];
    if (event === undefined) throw new Error(`line ${line}: nothing is known of "${name}"`);
    event(this.emulator);
  }

  #write(file: string, text: string): void {
    this.#files.set(file, text);
    this.stack.write({ [file]: text });
  }

  #edit(file: string, diff: string, line: number): void {
    const lines = diff.trimEnd().split("\n");
    const side = (sign: string) =>
      lines.filter((each) => each.startsWith(sign) || each.startsWith(" ")).map((each) => each.slice(1));
    const [from, to] = [side("-").join("\n"), side("+").join("\n")];
    const before = this.#files.get(file) ?? "";
    if (!before.includes(from))
      throw new Error(`line ${line}: ${file} does not contain what is to be changed`);
    this.#write(file, before.replace(from, to));
  }

  async #run({ command, output }: Run, line: number): Promise<Run> {
    const words = command.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
    const [program, ...args] = words.map((word) => word.replace(/^['"]|['"]$/g, ""));
    if (program !== "pulumi") throw new Error(`line ${line}: no way to run ${command}`);
    const printed = await this.#pulumi(args);
    const isSame = comparable(printed) === comparable(output);
    return { command, output: isSame ? output : printed };
  }

  async #pulumi(args: string[]): Promise<string> {
    const running = this.stack.spawn(withoutQuestions(args));
    return settled((await running.result).output);
  }
}

/** A person would be asked; here nobody is there to answer. */
function withoutQuestions(args: string[]): string[] {
  const asks = ["up", "refresh", "destroy"].includes(args[0] ?? "");
  return asks ? [...args, "--yes", "--skip-preview"] : args;
}

export async function playStory(markdown: string): Promise<string> {
  const emulator = await startEmulator({ seed: 1, rollout: { looks: 2 } });
  const stack = await createStack({
    program: { "Pulumi.yaml": "name: hello\nruntime: nodejs\n", "index.ts": "" },
    env: {
      DEPLOYMENT_SERVICE_URL: emulator.url,
      DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
      DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
    },
  });
  try {
    const player = new Player(stack, emulator);
    const parts: string[] = [];
    let at = 0;
    for (const fence of fencesIn(markdown)) {
      parts.push(markdown.slice(at, fence.start), await player.play(fence));
      at = fence.end;
    }
    return [...parts, markdown.slice(at)].join("");
  } finally {
    await stack.dispose();
    await emulator.close();
  }
}
