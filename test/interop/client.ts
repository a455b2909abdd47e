import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Emulator } from "../../emulator";

/** Generations of the public service's own command line: the newest, and the oldest that does all of this. */
export const newest = "newest";
export const oldest = "oldest";

/** The version number of a generation, for the names of tests. */
export function versionOf(generation: string): string {
  const file = resolve(".cache", "interop", generation, "version");
  return existsSync(file) ? readFileSync(file, "utf8") : "that is not installed";
}

export interface Listed {
  readonly id: string;
  readonly name: string;
}

/** `langgraph deploy …` as its users run it: in the folder of an application, with an address and a key. */
export class Client {
  readonly #program: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "peer-"));

  constructor(
    readonly version: string,
    private readonly emulator: Emulator,
  ) {
    this.#program = resolve(".cache", "interop", version, "bin", "langgraph");
    if (!existsSync(this.#program)) throw new Error("There is no such client yet. Run: npm run test:interop");
    this.setEnvironment({});
  }

  /** The variables of the application: the client sends them as secrets. */
  setEnvironment(env: Record<string, string>): void {
    const application = { dependencies: ["."], graphs: { agent: "./agent.py:graph" }, env };
    writeFileSync(join(this.#folder, "langgraph.json"), JSON.stringify(application));
    writeFileSync(join(this.#folder, "requirements.txt"), "langgraph\n");
    writeFileSync(join(this.#folder, "agent.py"), "graph = None\n");
  }

  /** What `langgraph deploy WORDS` prints. Throws with all of it when the client fails. */
  deploy(...words: string[]): Promise<string> {
    return new Promise((done, fail) => {
      const child = execFile(
        this.#program,
        ["deploy", ...words],
        { cwd: this.#folder, env: this.#environment(), timeout: 100_000 },
        (error, stdout, stderr) => {
          const said = `${stdout}${stderr}`;
          if (error === null) done(said);
          else fail(new Error(`langgraph deploy ${words.join(" ")} failed:\n${said}`));
        },
      );
      child.stdin!.end();
    });
  }

  /** The table of `deploy list`, which all generations print. */
  async list(nameContains?: string): Promise<Listed[]> {
    const filter = nameContains === undefined ? [] : ["--name-contains", nameContains];
    return rowsOf(await this.deploy("list", ...filter)).map(([id, name]) => ({ id, name }));
  }

  /** Newest first. */
  async revisions(id: string): Promise<{ id: string; status: string }[]> {
    return rowsOf(await this.deploy("revisions", "list", id)).map(([id, status]) => ({ id, status }));
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #environment(): Record<string, string> {
    return {
      PATH: [resolve("test/interop/bin"), process.env["PATH"] ?? ""].join(delimiter),
      HOME: this.#folder,
      // It would report its use to its makers.
      LANGGRAPH_CLI_NO_ANALYTICS: "1",
      LANGGRAPH_HOST_URL: this.emulator.url,
      LANGGRAPH_HOST_API_KEY: this.emulator.apiKey,
    };
  }
}

/** Rows of a table whose first column holds ids. */
function rowsOf(table: string): [string, string][] {
  return [...table.matchAll(/^([0-9a-f]{8}-[0-9a-f-]{27}) +(\S+)/gm)].map(([, id, second]) => [id!, second!]);
}
