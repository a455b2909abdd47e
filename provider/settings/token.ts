/** The token of a login. The vendor's own tool replaces it before it expires, and writes the new one into its file. */
import { execFile, type ExecFileException } from "node:child_process";
import { promisify } from "node:util";
import { asObject } from "../../schema/tree";
import { messageOf, type LoginError } from "../errors";
import { parseJson } from "../text/json";
import { settingsTable, type EnvironmentVariables } from "./table";

/** A token that is valid for less than this is replaced; milliseconds. */
const margin = 60_000;
/** How long the tool may take; milliseconds. */
const timeOfTool = 10_000;
/** A failure is not repeated for each resource of a run; milliseconds. */
const timeOfFailure = 60_000;
/** Bytes. */
const longestOutput = 64 * 1024;

export interface StoredToken {
  /** Empty if the login has only what the tool needs to get one. */
  readonly text: string;
  /** Milliseconds since the epoch; infinite if nothing says when. */
  readonly expires: number;
}

/** A login, and the tool that renews its token. */
export interface Login {
  /** Identifies it. */
  readonly id: string;
  readonly stored: StoredToken;
  /** What the file contains now. */
  readonly read: () => StoredToken | undefined;
  readonly tool: string;
  readonly arguments: readonly string[];
  readonly environment: EnvironmentVariables;
  /** @param why what the tool did */
  readonly failed: (why: string) => LoginError;
}

export class Token {
  #kept: StoredToken;
  #renewal: Promise<string> | undefined;
  #failure: { readonly error: Error; readonly until: number } | undefined;
  readonly #texts: Set<string>;

  constructor(
    private readonly login: Login,
    private readonly ms = timeOfTool,
  ) {
    this.#kept = login.stored;
    this.#texts = new Set([login.stored.text]);
  }

  /** Everything that was ever sent: never shown. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /** The token to send now. All callers share one call of the tool. Throws a `LoginError` if that returns no valid token. */
  async current(now = Date.now()): Promise<string> {
    if (isFresh(this.#kept, now)) return this.#kept.text;
    if (this.#failure !== undefined && now < this.#failure.until) throw this.#failure.error;
    return (this.#renewal ??= this.#renew(now).finally(() => (this.#renewal = undefined)));
  }

  async #renew(now: number): Promise<string> {
    const stored = this.login.read();
    try {
      // Another process, or a login, may have replaced it.
      this.#kept = stored && isFresh(stored, now) ? stored : await this.#ask(now);
    } catch (cause) {
      const error = this.login.failed(messageOf(cause));
      this.#failure = { error, until: now + timeOfFailure };
      throw error;
    }
    this.#texts.add(this.#kept.text);
    return this.#kept.text;
  }

  async #ask(now: number): Promise<StoredToken> {
    const text = (await printed(this.login, this.ms)).trim();
    if ("problem" in settingsTable.apiKey.parse(text))
      throw new Error("printed something that is not a token");
    const stored = this.login.read();
    const token = stored?.text === text ? stored : tokenOf(text);
    if (token.expires <= now) throw new Error("printed a token that has expired");
    return token;
  }
}

function isFresh({ expires }: StoredToken, now: number): boolean {
  return now < expires - margin;
}

const shared = new Map<string, Token>();

/** The token of a login, which all connections of a process share. A text that is new was written by another login. */
export function sharedToken(login: Login): Token {
  const known = shared.get(login.id);
  if (known?.texts.includes(login.stored.text)) return known;
  const token = new Token(login);
  shared.set(login.id, token);
  return token;
}

/** Why a connection has no valid token, if it needs one. */
export async function tokenProblem({
  token,
}: {
  readonly token: Token | undefined;
}): Promise<string | undefined> {
  try {
    await token?.current();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** @param expires what the file says: a date, or seconds since the epoch */
export function tokenOf(text: string, expires?: unknown): StoredToken {
  if (text === "") return { text, expires: -Infinity };
  const [, payload = ""] = text.split(".");
  const { exp } = asObject(parseJson(Buffer.from(payload, "base64url").toString()));
  const known = [timeOf(expires), timeOf(exp)].filter((time) => !Number.isNaN(time));
  return { text, expires: Math.min(...known) };
}

function timeOf(value: unknown): number {
  const isNumber = typeof value === "number" || /^\d+$/.test(String(value));
  const number = Number(value);
  if (!isNumber) return Date.parse(String(value));
  return number < 1e11 ? number * 1_000 : number;
}

/** Standard output. Nothing is shown, and nothing can be typed. An error says what the tool did, and not what it printed. */
async function printed({ tool, arguments: args, environment }: Login, ms: number): Promise<string> {
  const running = promisify(execFile)(process.platform === "win32" ? `${tool}.exe` : tool, args, {
    env: { ...environment },
    timeout: ms,
    killSignal: "SIGKILL",
    maxBuffer: longestOutput,
    windowsHide: true,
  });
  running.child.stdin?.on("error", () => undefined).end();
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, killed, signal } = error as { code?: unknown } & Pick<
      ExecFileException,
      "killed" | "signal"
    >;
    if (killed) throw new Error(`did not finish within ${ms / 1_000}s`);
    throw new Error(`failed (${code === "ENOENT" ? `\`${tool}\` is not on PATH` : (signal ?? code)})`);
  }
}
