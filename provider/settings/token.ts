/** The token of a login. The vendor's own tool replaces it before it expires, and writes the new one into its file. */
import { execFile } from "node:child_process";
import { asObject } from "../../schema/tree";
import type { VendorTools } from "../dialects";
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
  readonly tools: VendorTools;
  readonly arguments: readonly string[];
  readonly environment: EnvironmentVariables;
  /** The command that prints a token, for messages. */
  readonly command: string;
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
    const stored = this.source.read();
    // Another process, or a login, may have replaced it.
    if (stored !== undefined && now < endOf(stored) - margin) return this.#keep(stored);
    try {
      return this.#keep(await this.#ask(now));
    } catch (cause) {
      const { from, command, tools } = this.source;
      const error = new LoginError(
        `${from} has no valid token, and \`${command}\` ${messageOf(cause)}`,
        `: run it to see why, run \`${tools.profile.login}\`, or set ${tools.usualApiKey}`,
      );
      this.#failure = { error, until: now + timeOfFailure };
      throw error;
    }
  }

  #keep(token: StoredToken): string {
    this.#texts.add(token.text);
    this.#until = endOf(token) - margin;
    return (this.#text = token.text);
  }

  async #ask(now: number): Promise<StoredToken> {
    const text = (await printed(this.source, this.ms)).trim();
    if ("problem" in settingsTable.apiKey.parse(text))
      throw new Error("printed something that is not a token");
    const stored = this.source.read();
    const token = stored?.text === text ? stored : tokenOf(text);
    if (endOf(token) <= now) throw new Error("printed a token that has expired");
    return token;
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

/**
 * Standard output. No shell is involved, nothing is shown, and nothing can be typed. An error says what the tool did, and nothing
 * that it printed.
 */
function printed({ tools, arguments: args, environment }: TokenSource, ms: number): Promise<string> {
  const { tool } = tools.profile;
  const file = process.platform === "win32" ? `${tool}.exe` : tool;
  const options = {
    env: { ...environment },
    timeout: ms,
    killSignal: "SIGKILL",
    maxBuffer: longestOutput,
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const { code, killed, signal } = error;
      if (killed) return reject(new Error(`did not finish within ${ms / 1_000}s`));
      const isMissing = (code as unknown) === "ENOENT";
      reject(new Error(isMissing ? `failed (\`${tool}\` is not on PATH)` : `failed (${signal ?? code})`));
    });
    child.stdin?.on("error", () => undefined).end();
  });
}
