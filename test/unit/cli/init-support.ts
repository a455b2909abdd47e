import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cli, scratch, type Outcome } from "./support";

/** A folder with files, in which commands run. */
export class Workplace {
  readonly cwd = scratch();
  /** With a Pulumi CLI that is only there. */
  readonly env = { PATH: scratch() };

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.write(files);
    writeFileSync(join(this.env.PATH, "pulumi"), "");
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.cwd, file)), { recursive: true });
      writeFileSync(join(this.cwd, file), text);
    }
  }

  read(file: string): string {
    return readFileSync(join(this.cwd, file), "utf8");
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

  git(folder: string, ...words: string[]): void {
    const who = ["-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "protocol.file.allow=always"];
    const { status, stderr } = spawnSync("git", ["-C", join(this.cwd, folder), ...who, ...words], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  }

  /**
   * Runs the project's script with a CLI that writes down what it is told to set.
   *
   * @param there the configuration that it shows
   * @param cli the program that starts it
   */
  setSecrets(folder: string, words: readonly string[] = [], code = 0, there: object = {}, cli = "pulumi") {
    this.write({
      [`bin/${cli}`]:
        '#!/bin/sh\ncase "$*" in *--show-secrets*) exec cat "$THERE" ;; esac\n' +
        '{ printf "%s=" "$*"; cat; printf "\\0"; } >> "$CALLS"\nexit "$CODE"\n',
      calls: "",
      there: JSON.stringify(there),
    });
    chmodSync(join(this.cwd, "bin", cli), 0o755);
    // A Pulumi CLI may be in the same folder as these programs.
    for (const tool of ["sh", "node", "cat", "dirname"]) linkTool(tool, join(this.cwd, "bin", tool));
    const PATH = join(this.cwd, "bin");
    const env = { PATH, CALLS: join(this.cwd, "calls"), THERE: join(this.cwd, "there"), CODE: String(code) };
    const { status, stdout, stderr } = spawnSync("sh", [`${folder}/set-secrets.sh`, ...words], {
      cwd: this.cwd,
      env,
      encoding: "utf8",
    });
    const calls = this.read("calls").split("\0").filter(Boolean);
    return { status, stdout, stderr, calls };
  }
}

function linkTool(tool: string, link: string): void {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" });
  if (!existsSync(link)) symlinkSync(tool === "node" ? process.execPath : stdout.trim(), link);
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
