/** Plays the README's commands for an agent folder on the real CLI. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, createStack } from "../engine";
import { npmInstall } from "../support/npm-install";
import { builtCommand } from "../support/product";
import { packInto } from "../support/packed";
import { fencesIn, isOfAgent } from "./markdown";
import { comparable, settled } from "./screen";

const columns = 120;

/** The README with the screen of its last command in a terminal. */
export async function playAgentPart(readme: string): Promise<string> {
  const fences = fencesIn(readme);
  const commands = fences.find(({ text }) => text.includes("init --from"))!;
  const shown = fences.find(isOfAgent)!;
  const screen = await screenOf(commands.text.trimEnd().split("\n"));
  const [command] = shown.text.split("\n");
  const text = `${command}\n${screen}\n`;
  if (comparable(text) === comparable(shown.text)) return readme;
  return readme.slice(0, shown.start) + text + readme.slice(shown.end);
}

async function screenOf(lines: readonly string[]): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-")));
  const agent = join(folder, "chat");
  cpSync("examples/11-folder/agent", agent, { recursive: true });
  const config = JSON.parse(readFileSync(join(agent, "langgraph.json"), "utf8")) as object;
  writeFileSync(join(agent, "langgraph.json"), JSON.stringify({ ...config, env: ".env" }));
  writeFileSync(join(agent, ".env"), "OPENAI_API_KEY=sk-of-the-agent-0123456789\n");
  // Only its CLI, state and variables are used. The commands create the project.
  const env = { LANGSMITH_API_KEY: "key-of-the-reader" };
  const stack = await createStack({ program: { "Pulumi.yaml": "name: lender\nruntime: nodejs\n" }, env });
  try {
    const last = lines.at(-1)!;
    const before = lines.slice(0, -1);
    const ownInstall = before.findIndex((line) => line.startsWith("npm install"));
    const shell = async (script: readonly string[], cwd: string) => {
      const functions = `npx() { if [ "$1" = pulumi ]; then shift; command pulumi "$@"; else shift; "${process.execPath}" "${builtCommand}" "$@"; fi; }`;
      const options = { cwd, env: await stack.shell() };
      const { exitCode, output } = await new Command(
        "bash",
        ["-ec", [functions, ...script].join("\n")],
        options,
      ).result;
      if (exitCode !== 0) throw new Error(output);
    };
    await shell(before.slice(0, ownInstall), agent);
    const project = join(agent, "infra");
    npmInstall(project, packInto(folder).folder);
    await shell(before.slice(ownInstall + 1), project);
    if (last !== "npx pulumi preview") throw new Error(`The last command is ${last}`);
    const terminal = await stack.terminal(["preview", "--cwd", project], columns);
    await terminal.ended;
    return settled(terminal.screen());
  } finally {
    await stack.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
