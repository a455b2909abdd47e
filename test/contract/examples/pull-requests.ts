/** Runs jobs of the workflow of 08-pull-requests, each in a new checkout, and can kill them. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connectionTo } from "../../support/product";
import { Command, type Result } from "../../engine";
import { copyOf, type Copied } from "./copied";
import { GitHub } from "./jobs";

type Variables = Readonly<Record<string, string>>;

export class Workspace {
  private constructor(
    readonly copied: Copied,
    readonly github: GitHub,
    private readonly env: Variables,
  ) {}

  /** @param packed where the package was unpacked */
  static async start(packed: string): Promise<Workspace> {
    const service = { dialect: "langsmith", rollout: { polls: 1 } } as const;
    const copied = await copyOf("08-pull-requests", packed, { existing: "prod", ...service });
    await copied.stack.setConfig("modelApiKey", "sk-prod", { secret: true });
    const github = new GitHub(join(copied.stack.folder, "store.json"));
    return new Workspace(copied, github, {
      ...copied.env,
      ...connectionTo(copied.emulator),
      ...github.variables,
      DEPLOYMENT_SERVICE_DIALECT: "langsmith",
      DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "10m",
    });
  }

  /** The names of all stacks. */
  get stacks(): string[] {
    const backend = this.env["PULUMI_BACKEND_URL"]!.replace("file://", "");
    const files = readdirSync(join(backend, ".pulumi/stacks/pull-requests"));
    return files.flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []).sort();
  }

  /** Starts the script in a new checkout, without configuration of the stacks of pull requests. */
  begin(words: string, env: Variables = {}): Command {
    const { folder } = this.copied.stack;
    for (const file of readdirSync(folder)) if (/^Pulumi\.pr-/.test(file)) rmSync(join(folder, file));
    const options = { cwd: folder, env: { ...this.env, ...env } };
    return new Command("bash", ["pull-request.sh", ...words.split(" ")], options);
  }

  run(words: string, env?: Variables): Promise<Result> {
    return this.begin(words, env).result;
  }

  /** Kills the job as soon as `happened` resolves. */
  async kill(words: string, happened: Promise<unknown>, env?: Variables): Promise<void> {
    const job = this.begin(words, env);
    const ended = job.result.then(({ output }) => {
      throw new Error(`it ended before:\n${output}`);
    });
    await Promise.race([happened, ended]);
    ended.catch(() => undefined);
    await job.kill();
  }

  /** Kills the job after one of its commands. */
  killAfter(command: string, words: string, env?: Variables): Promise<Result> {
    return this.run(words, { ...env, KILL_AFTER: command });
  }
}
