/** The token of a login. The vendor's own tool replaces it before it expires, and writes the new one into its file. */
import { execFile } from "node:child_process";
import { asObject } from "../../schema/tree";
import { LoginError, messageOf } from "../errors";
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
  /** Milliseconds since the epoch; undefined if nothing says when. */
  readonly expires: number | undefined;
}

export interface TokenSource {
  /** How messages refer to the profile. */
  readonly from: string;
  /** What the file contains now. */
  readonly read: () => StoredToken | undefined;
  readonly tool: string;
  readonly arguments: readonly string[];
  readonly environment: EnvironmentVariables;
  /** The commands that print a token, and that log in again, for messages. */
  readonly command: string;
  readonly login: string;
  /** What can be set instead. */
  readonly keyVariable: string;
}

export class Token {
  #text: string;
  /** When it has to be replaced. */
  #until: number;
  #renewal: Promise<string> | undefined;
  #failure: { readonly error: Error; readonly until: number } | undefined;
  readonly #texts = new Set<string>();

  constructor(
    stored: StoredToken,
    private readonly source: TokenSource,
    private readonly ms = timeOfTool,
  ) {
    this.#text = stored.text;
    this.#until = endOf(stored) - margin;
    this.#texts.add(stored.text);
  }

  /** Everything that was ever sent: never shown. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /**
   * The token to send now. All callers share one call of the tool. Throws a `LoginError` if that returns no valid token.
   *
   * @param now milliseconds since the epoch
   */
  async current(now = Date.now()): Promise<string> {
    if (now < this.#until) return this.#text;
    if (this.#failure !== undefined && now < this.#failure.until) throw this.#failure.error;
    return (this.#renewal ??= this.#renew(now).finally(() => (this.#renewal = undefined)));
  }

  async #renew(now: number): Promise<string> {
    const stored = this.source.read() ?? { text: this.#text, expires: this.#until + margin };
    // Another process, or a login, may have replaced it.
    if (now < endOf(stored) - margin) return this.#keep(stored.text, endOf(stored) - margin);
    try {
      const text = await this.#ask(stored, now);
      const expires = endOf(this.source.read()?.text === text ? this.source.read()! : tokenOf(text));
      if (expires <= now) throw this.#problem(stored, now, "printed a token that has expired");
      return this.#keep(text, expires - margin);
    } catch (error) {
      this.#failure = { error: error as Error, until: now + timeOfFailure };
      throw error;
    }
  }

  #keep(text: string, until: number): string {
    this.#texts.add(text);
    this.#until = until;
    return (this.#text = text);
  }

  async #ask(stored: StoredToken, now: number): Promise<string> {
    const { tool, environment, command, login, keyVariable } = this.source;
    const output = await printed(tool, this.source.arguments, environment, this.ms).catch(
      ({ code, killed, signal }: { code?: unknown; killed?: boolean; signal?: string }) => {
        if (code === "ENOENT")
          throw new LoginError(
            `${this.#reason(stored, now)}, and \`${tool}\` is not on PATH, or its interpreter is missing`,
            `: install it, so that \`${command}\` can renew the token, run \`${login}\` again, or set ${keyVariable}`,
          );
        const isLate = killed === true && typeof code !== "string";
        const reason = typeof code === "number" ? `exit code ${code}` : (code ?? signal);
        const what = isLate ? `did not finish within ${this.ms / 1_000}s` : `failed (${reason})`;
        throw this.#problem(stored, now, what);
      },
    );
    const text = output.trim();
    if ("problem" in settingsTable.apiKey.parse(text))
      throw this.#problem(stored, now, "printed something that is not a token");
    return text;
  }

  #problem(stored: StoredToken, now: number, what: string): LoginError {
    const { command, login } = this.source;
    return new LoginError(
      `${this.#reason(stored, now)}, and \`${command}\` ${what}`,
      `: run it to see why, or run \`${login}\``,
    );
  }

  #reason({ text, expires }: StoredToken, now: number): string {
    const { from } = this.source;
    if (text === "" || expires === undefined) return `${from} has no access token, only a refresh token`;
    return `the token in ${from} ${expires <= now ? "expired" : "expires"} at ${new Date(expires).toISOString()}`;
  }
}

const shared = new Map<string, Token>();

/**
 * The token of a profile, which all connections of a process share.
 *
 * @param profile identifies it
 * @param stored a text that is new was written by a login
 */
export function sharedToken(profile: string, stored: StoredToken, source: TokenSource): Token {
  const known = shared.get(profile);
  if (known?.texts.includes(stored.text)) return known;
  const token = new Token(stored, source);
  shared.set(profile, token);
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
  const [, payload = ""] = text.split(".");
  const { exp } = asObject(parseJson(Buffer.from(payload, "base64url").toString()));
  const known = [timeOf(expires), timeOf(exp)].filter((time) => !Number.isNaN(time));
  return { text, expires: known.length === 0 ? undefined : Math.min(...known) };
}

function timeOf(value: unknown): number {
  const isNumber = typeof value === "number" || /^\d+$/.test(String(value));
  const number = Number(value);
  if (!isNumber) return Date.parse(String(value));
  return number < 1e11 ? number * 1_000 : number;
}

function endOf({ text, expires = Infinity }: StoredToken): number {
  return text === "" ? -Infinity : expires;
}

/** Standard output. No shell is involved, nothing is shown, and nothing can be typed. */
function printed(
  tool: string,
  args: readonly string[],
  environment: EnvironmentVariables,
  ms: number,
): Promise<string> {
  const file = process.platform === "win32" ? `${tool}.exe` : tool;
  const options = {
    env: { ...environment },
    timeout: ms,
    killSignal: "SIGKILL",
    maxBuffer: longestOutput,
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.on("error", () => undefined).end();
  });
}
