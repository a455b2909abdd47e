/** A login of the vendor's command line, and a stand-in for that, which renews its token. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export interface Login {
  readonly env: Readonly<Record<string, string>>;
  /** Writes the file of the login. */
  readonly write: (profiles: unknown) => void;
  readonly text: () => string;
  /** Installs the tool, with what it does in the language of the shell. */
  readonly install: (script: string) => void;
  readonly uninstall: () => void;
  /** The arguments of each call of the tool. */
  readonly calls: () => string[];
  readonly remove: () => void;
}

/** A home folder, and a folder of programs, neither with anything in it. */
export function loginFolder(): Login {
  const HOME = mkdtempSync(join(tmpdir(), "home-"));
  const [config, bin] = [join(HOME, ".langsmith"), join(HOME, "bin")];
  for (const folder of [config, bin]) mkdirSync(folder);
  const [file, tool, log] = [join(config, "config.json"), join(bin, "langsmith"), join(HOME, "calls")];
  return {
    env: { HOME, PATH: `${bin}${delimiter}${process.env["PATH"]}` },
    write: (profiles) => writeFileSync(file, JSON.stringify({ profiles })),
    text: () => readFileSync(file, "utf8"),
    install: (script) => {
      writeFileSync(tool, `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`);
      chmodSync(tool, 0o755);
    },
    uninstall: () => rmSync(tool, { force: true }),
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    remove: () => rmSync(HOME, { recursive: true, force: true }),
  };
}

/** A token of which only the time of expiry can be read. @param expires milliseconds since the epoch */
export function tokenUntil(expires: number, id: string): string {
  const claims = Buffer.from(JSON.stringify({ exp: Math.floor(expires / 1_000), jti: id })).toString(
    "base64url",
  );
  return `eyJhbGciOiJub25lIn0.${claims}.c2lnbmF0dXJl`;
}
