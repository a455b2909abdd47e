import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { programs, scratch, write } from "../../support/folders";
import { cli, type Outcome } from "./support";

/** A folder with files, in which commands run. */
export class Workplace {
  readonly cwd = scratch();
  /** With a Pulumi CLI that is only there. */
  readonly env = { PATH: programs({ pulumi: "" }) };

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.write(files);
  }

  write(files: Readonly<Record<string, string>>): void {
    write(this.cwd, files);
  }

  read(file: string): string {
    return readFileSync(join(this.cwd, file), "utf8");
  }

  /** A file of YAML or JSON. */
  parsed<T = Record<string, unknown>>(file: string): T {
    return parse(this.read(file)) as T;
  }

  /** The text of all files in a folder. */
  all(folder: string): string {
    const files = readdirSync(join(this.cwd, folder), { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => statSync(join(this.cwd, folder, file)).isFile())
      .map((file) => this.read(join(folder, file)))
      .join("\n");
  }

  list(folder = "."): string[] {
    return readdirSync(join(this.cwd, folder)).sort();
  }

  init(words: string, env: Record<string, string> = {}): Promise<Outcome> {
    return cli(["init", ...words.split(" ").filter(Boolean)], {
      cwd: this.cwd,
      env: { ...this.env, ...env },
    });
  }

  /** The exit code of `validate`. */
  async validate(file: string, ...words: string[]): Promise<number> {
    return (await cli(["validate", file, ...words], this)).code;
  }

  git(folder: string, ...words: string[]): void {
    const who = ["-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "protocol.file.allow=always"];
    const { status, stderr } = spawnSync("git", ["-C", join(this.cwd, folder), ...who, ...words], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  }

  /**
   * Runs the command `secrets` with a Pulumi CLI that writes down what it is told to set.
   *
   * @param there the configuration that it shows
   */
  async secrets(folder: string, words: readonly string[], there: object = {}, code = 0) {
    const [calls, shown] = ["calls", "there"].map((file) => join(this.cwd, file));
    this.write({ calls: "", there: JSON.stringify(there) });
    const script =
      `#!/bin/sh\nPATH=/usr/bin:/bin\ncase "$*" in *--show-secrets*) exec cat '${shown}' ;; *--show-name*) exec echo dev ;; esac\n` +
      `{ printf "%s=" "\${*% --non-interactive}"; cat; printf "\\0"; } >> '${calls}'\nexit ${code}\n`;
    write(this.env.PATH, { "pulumi*": script });
    const outcome = await cli(["secrets", ...words], { cwd: join(this.cwd, folder), env: this.env });
    return { ...outcome, calls: this.read("calls").split("\0").filter(Boolean) };
  }
}

export const graphConfig = (more: object = {}) =>
  JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" }, ...more });

/** An agent in a folder, with an environment file. */
export function agentIn(folder: string, environment?: string, config: object = { env: ".env" }) {
  return {
    [`${folder}/langgraph.json`]: graphConfig(config),
    [`${folder}/agent.py`]: "graph = 1\n",
    ...(environment !== undefined && { [`${folder}/.env`]: environment }),
  };
}
