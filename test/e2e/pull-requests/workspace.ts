/** What a job of the workflow has: a checkout of its own each time, GitHub's command line, the CLI, the service. */
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { startEmulator, type Emulator } from "../../../emulator";
import { Command, createStack, type Result, type Stack } from "../../engine";
import { connectionTo } from "../support";

interface Store {
  readonly pulls: Readonly<Record<string, "open" | "closed">>;
}

const cli = resolve("dist/provider/cli/main.js");

/** Ends the job when this command of the CLI has ended: `destroy`, `stack rm`. */
const pulumiOf = (real: string) => `#!/bin/sh
"${real}" "$@" || exit
case "$1 $2 " in
  "$KILL_AFTER "*) [ -n "$KILL_AFTER" ] && kill -KILL 0 ;;
esac
exit 0
`;

export class Workspace {
  private constructor(
    readonly emulator: Emulator,
    /** The stack prod. */
    readonly stack: Stack,
    private readonly store: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(): Promise<Workspace> {
    const emulator = await startEmulator({ dialect: "langsmith", rollout: { polls: 1 } });
    const stack = await createStack({
      program: "examples/08-pull-requests",
      stack: "prod",
      config: { "pull-requests:modelApiKey": { secret: "sk-prod" } },
      env: {
        ...connectionTo(emulator),
        DEPLOYMENT_SERVICE_DIALECT: "langsmith",
        DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "10m",
      },
    });
    const bin = join(dirname(stack.environment["PULUMI_HOME"]!), "bin");
    mkdirSync(bin);
    const shell = await stack.shell();
    const path = shell["PATH"]!;
    const write = (name: string, text: string) => {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    };
    write("pulumi", pulumiOf(join(path.split(delimiter)[0]!, "pulumi")));
    write("npx", `#!/bin/sh\nshift\nexec "${process.execPath}" "${cli}" "$@"\n`);
    cpSync("test/support/gh.mjs", join(bin, "gh"));
    chmodSync(join(bin, "gh"), 0o755);
    const store = join(bin, "store.json");
    const workspace = new Workspace(emulator, stack, store, {
      ...shell,
      PATH: `${bin}${delimiter}${path}`,
      GITHUB_REPOSITORY: "acme/chat",
      GH_STORE: store,
    });
    workspace.github = { pulls: {} };
    return workspace;
  }

  set github(store: Store) {
    writeFileSync(this.store, JSON.stringify(store));
  }

  /** Names of the stacks that there are. */
  get stacks(): string[] {
    const backend = this.env["PULUMI_BACKEND_URL"]!.replace("file://", "");
    const files = readdirSync(join(backend, ".pulumi/stacks/pull-requests"));
    return files.flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []).sort();
  }

  /** The script in a new checkout, which has no settings of the stacks of pull requests. */
  begin(words: string, env: Record<string, string> = {}): Command {
    for (const file of readdirSync(this.stack.folder))
      if (/^Pulumi\.pr-/.test(file)) rmSync(join(this.stack.folder, file));
    return new Command("bash", ["pull-request.sh", ...words.split(" ")], {
      cwd: this.stack.folder,
      env: { ...this.env, ...env },
    });
  }

  async run(words: string, env?: Record<string, string>): Promise<Result> {
    return this.begin(words, env).result;
  }

  /** Killed as soon as this has happened. */
  async kill(words: string, happened: Promise<unknown>, env?: Record<string, string>): Promise<void> {
    const job = this.begin(words, env);
    await Promise.race([
      happened,
      job.result.then(({ output }) => {
        throw new Error(`it ended before:\n${output}`);
      }),
    ]);
    await job.kill();
  }

  /** Killed after one of its commands. */
  killAfter(command: string, words: string, env?: Record<string, string>): Promise<Result> {
    return this.run(words, { ...env, KILL_AFTER: command });
  }

  async end(): Promise<void> {
    await this.stack.dispose();
    await this.emulator.close();
  }
}
