/**
 * Plays documents as a story, one after the other and from top to bottom, on the real CLI against the emulator: files are
 * written, edits made, commands run. What comes out are the documents with the output that the commands really print.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { langsmith, standard, type Emulator, type Rules } from "../../emulator";
import { Command, type Keeps, type Stack } from "../engine";
import { builtCommand, connectionTo, Product } from "../support/product";
import { consoleText, fencesIn, runsIn, type Fence, type Run } from "./markdown";
import { outside } from "./outside";
import { comparable, settled } from "./screen";

/** The address of an emulator that a reader starts as documented. */
const usualAddress = "http://127.0.0.1:8787";

const rulesOf: Readonly<Record<string, Rules>> = { standard, langsmith };

class Player {
  constructor(
    private readonly stack: Stack,
    private readonly emulator: Emulator,
    /** This package's command. */
    private readonly cli: string,
  ) {}

  /** Deploys the program that the pages begin with. */
  async begin(program: string): Promise<void> {
    this.#write("index.ts", program);
    await this.stack.up();
  }

  /** The block's text as it should stand in the document. */
  async play(fence: Fence, place: string): Promise<string> {
    const { role = "", language, text } = fence;
    const [kind, value = ""] = role.split(/: (.*)/s);
    for (const name of kind === "outside" ? value.split(" ") : []) this.#happen(name, place);
    if (kind === "file") this.#write(value, text);
    if (kind === "edit") this.#edit(value, text, place);
    if (kind === "run") await this.#shell(text, place);
    if (language !== "console" || kind === "not run") return text;
    const runs: Run[] = [];
    for (const run of runsIn(text)) runs.push(await this.#run(run, place));
    return consoleText(runs);
  }

  #happen(name: string, place: string): void {
    const event = outside[name];
    if (event === undefined) throw new Error(`${place}: nothing is known of "${name}"`);
    event(this.emulator);
  }

  #write(file: string, text: string): void {
    this.stack.write({ [file]: text });
  }

  #edit(file: string, diff: string, place: string): void {
    const lines = diff.trimEnd().split("\n");
    const side = (sign: string) =>
      lines.filter((each) => each.startsWith(sign) || each.startsWith(" ")).map((each) => each.slice(1));
    const [from, to] = [side("-").join("\n"), side("+").join("\n")];
    const before = readFileSync(join(this.stack.folder, file), "utf8");
    if (!before.includes(from)) throw new Error(`${place}: ${file} does not contain what is to be changed`);
    this.#write(file, before.replace(from, to));
  }

  async #shell(script: string, place: string): Promise<void> {
    const functions = [
      `npx() { shift; "${process.execPath}" "${this.cli}" "$@"; }`,
      `pulumi() { command pulumi --non-interactive "$@"; }`,
    ];
    const { exitCode, output } = await new Command("bash", ["-ec", [...functions, script].join("\n")], {
      cwd: this.stack.folder,
      env: await this.stack.shell(),
    }).result;
    if (exitCode !== 0) throw new Error(`${place}: ${output}`);
  }

  async #run({ command, output }: Run, place: string): Promise<Run> {
    const words = command.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
    const [program, ...args] = words.map((word) => word.replace(/^['"]|['"]$/g, ""));
    const printed = await this.#print(program, args);
    if (printed === undefined) throw new Error(`${place}: no way to run ${command}`);
    const shown = printed.replaceAll(this.emulator.url, usualAddress);
    const isSame = comparable(shown) === comparable(output);
    return { command, output: isSame ? output : shown };
  }

  async #print(program: string | undefined, args: string[]): Promise<string | undefined> {
    if (program === "pulumi") return this.#pulumi(args);
    if (program === "cat") return readFileSync(join(this.stack.folder, args[0]!), "utf8").trimEnd();
    if (program === "npx" && args[0] === "pulumi-deployment-service") return this.#own(args.slice(1));
    return undefined;
  }

  async #own(args: string[]): Promise<string> {
    // With the CLI on the PATH, because suggested commands begin with npx without it.
    const { PATH = "" } = await this.stack.shell();
    const env = { PATH, ...connectionTo(this.emulator) };
    const command = new Command(process.execPath, [this.cli, ...args], { cwd: this.stack.folder, env });
    return (await command.result).output.trimEnd();
  }

  async #pulumi(args: string[]): Promise<string> {
    const running = await this.stack.start(withoutQuestions(args));
    return settled((await running.result).output);
  }
}

/** Adds flags that skip the questions. */
function withoutQuestions(args: string[]): string[] {
  if (args[0] === "state") return [...args, "--yes"];
  const asks = ["up", "refresh", "destroy", "import"].includes(args[0] ?? "");
  return asks ? [...args, "--yes", "--skip-preview"] : args;
}

export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A copy of an example, in which a story is played instead of in an empty folder. */
export interface Place {
  readonly folder: string;
  readonly cli: string;
}

export interface Setting {
  /** The Pulumi.yaml; the emulator uses the dialect that it names. */
  readonly project: string;
  readonly before?: string | undefined;
  readonly keeps?: Keeps | undefined;
  readonly place?: Place;
}

/** @returns the pages with the output that the commands print */
export async function playStory(
  pages: readonly Page[],
  { project, before, keeps = "everything", place }: Setting,
): Promise<Page[]> {
  const product = await Product.start({
    program: place?.folder ?? { "Pulumi.yaml": project, "index.ts": "" },
    inPlace: place !== undefined,
    keeps,
    emulator: { idSeed: 1, rollout: { polls: 2 }, rules: rulesFor(project) },
  });
  try {
    const player = new Player(product.stack, product.emulator, place?.cli ?? builtCommand);
    const played: Page[] = [];
    if (before !== undefined) await player.begin(before);
    for (const page of pages) played.push(await playPage(player, page));
    return played;
  } finally {
    await product.end();
  }
}

async function playPage(player: Player, { path, text }: Page): Promise<Page> {
  const parts: string[] = [];
  let at = 0;
  for (const fence of fencesIn(text)) {
    const played = await player.play(fence, `${path}:${fence.line}`);
    parts.push(text.slice(at, fence.start), played);
    at = fence.end;
  }
  return { path, text: [...parts, text.slice(at)].join("") };
}

function rulesFor(project: string): Rules {
  const { config } = parse(project) as { config?: Record<string, { value: string }> };
  return rulesOf[config?.["deployment-service:dialect"]?.value ?? "standard"]!;
}
