/** A token that expires is renewed by the vendor's own tool, which nothing else sees. */
import { describe, expect, it, onTestFinished } from "vitest";
import { LoginError } from "../../../provider/errors";
import { readSettings } from "../../../provider/settings/reading";
import { Token, tokenOf } from "../../../provider/settings/token";
import { loginFolder, tokenUntil } from "../../support/login-tool";
import { rejectionOf } from "../../support/service";

const api_url = "https://langsmith.example.com/api/v1";
const minute = 60_000;
const past = "2026-01-01T00:00:00Z";
const from = 'profile "default" of ~/.langsmith/config.json';
const command = "`langsmith auth token --profile default`";
const problem = `${from} has no valid token, and ${command}`;
const advice = "run it to see why, run `langsmith auth login`, or set LANGSMITH_API_KEY";

function setUp(oauth: unknown, script?: string, more: Record<string, string> = {}) {
  const login = loginFolder();
  onTestFinished(login.remove);
  login.write({ default: { api_url, api_key: "canary-key", oauth } });
  if (script !== undefined) login.install(script);
  const read = () => {
    const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith", ...login.env, ...more };
    return readSettings(undefined, env).settings!.token!;
  };
  return { ...login, read };
}

const current = (...given: Parameters<typeof setUp>) =>
  setUp(...given)
    .read()
    .current();

describe("a token", () => {
  it("that has expired is asked of the tool once by everything that needs it, and the file is left alone", async () => {
    const { read, calls, text } = setUp({ access_token: "old", expires_at: past }, "echo canary-new");
    const before = text();
    const asked = Array.from({ length: 50 }, () => read().current());
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["canary-new"]));
    expect(await read().current()).toBe("canary-new");
    expect(calls()).toEqual(["auth token --profile default"]);
    expect(text()).toBe(before);
  });

  it.each([
    ["its file", (end: number) => ({ access_token: "old", expires_at: new Date(end).toISOString() })],
    ["its file, in seconds", (end: number) => ({ access_token: "old", expires_at: Math.floor(end / 1_000) })],
    ["its own claim", (end: number) => ({ access_token: tokenUntil(end, "old") })],
    [
      "the earlier of both",
      (end: number) => ({ access_token: tokenUntil(end, "old"), expires_at: "2999-01-01T00:00:00Z" }),
    ],
  ])("expires as %s says, and is replaced in the last minute", async (_, oauth) => {
    const after = (ms: number) => current(oauth(Date.now() + ms), "echo canary-new");
    expect(await after(minute / 2)).toBe("canary-new");
    expect(await after(2 * minute)).not.toBe("canary-new");
  });

  it("without a time of expiry is used as it is", async () => {
    for (const access_token of ["opaque", "a.b.c", `a.${Buffer.from("[]").toString("base64url")}.c`])
      expect(await setUp({ access_token }, "exit 1").read().current(Date.parse("2999-01-01"))).toBe(
        access_token,
      );
  });

  it("is got by the tool if the login has only a refresh token", async () => {
    const { read, calls } = setUp({ refresh_token: "canary-refresh" }, "echo canary-new");
    expect(await read().current()).toBe("canary-new");
    expect(calls()).toHaveLength(1);
  });

  it("is renewed again before it expires, and all of them are kept from the screen", async () => {
    const start = Date.now();
    const [first, second] = [tokenUntil(start + 10 * minute, "1"), tokenUntil(start + 20 * minute, "2")];
    const { read, calls, install } = setUp({ access_token: "old", expires_at: past }, `echo ${first}`);
    const token = read();
    expect(await token.current(start)).toBe(first);
    expect(await token.current(start + 8 * minute)).toBe(first);
    install(`echo ${second}`);
    expect(await token.current(start + 9 * minute + 1_000)).toBe(second);
    expect(calls()).toHaveLength(2);
    expect(token.texts).toEqual(["old", first, second]);
  });

  it("that another process has renewed meanwhile, or a new login, is taken from the file", async () => {
    const { read, write, calls } = setUp({ access_token: "old", expires_at: past }, "exit 1");
    const token = read();
    const valid = { access_token: "renewed", expires_at: "2999-01-01T00:00:00Z" };
    write({ default: { api_url, oauth: valid } });
    expect(await token.current()).toBe("renewed");
    expect(await read().current()).toBe("renewed");
    expect(calls()).toEqual([]);
  });

  it("is renewed with the profile's own address, whatever the environment says", async () => {
    const oauth = { access_token: "old", expires_at: past };
    const more = { LANGSMITH_ENDPOINT: "https://langsmith.example.com/api" };
    const script = 'test -z "$LANGSMITH_ENDPOINT" && echo canary-new';
    expect(await current(oauth, script, more)).toBe("canary-new");
  });
});

describe("the error names the command, and shows nothing that it printed,", () => {
  const oauth = { access_token: "canary-old", expires_at: past };
  it.each([
    ["fails", "echo canary-out; echo canary-err >&2; exit 3", "failed (3)"],
    ["prints nothing", "exit 0", "printed something that is not a token"],
    ["prints something else", "echo Welcome, canary!", "printed something that is not a token"],
    ["prints two lines", "echo canary-1; echo canary-2", "printed something that is not a token"],
    ["prints an expired token", `echo ${tokenUntil(1e12, "x")}`, "printed a token that has expired"],
    ["is killed", "kill -KILL $$", "failed (SIGKILL)"],
    ["is not installed", undefined, "failed (`langsmith` is not on PATH)"],
  ])("if the tool %s", async (_, script, expected) => {
    const { message } = await rejectionOf(current(oauth, script));
    expect(message).toBe(`${problem} ${expected}: ${advice}`);
    expect(message).not.toContain("canary");
  });

  it("if the tool hangs, whatever it has started, and no resource waits for it again", async () => {
    const { read, env, calls, install } = setUp(oauth);
    install("read line; sleep 60 & wait");
    const login = {
      ...{ id: "login", stored: tokenOf("old", past), read: () => tokenOf("old", past) },
      ...{ tool: "langsmith", arguments: ["auth", "token"], environment: env },
      failed: (why: string) => new LoginError(why, ""),
    };
    const token = new Token(login, 200);
    const errors = await Promise.all([token, token].map(async (each) => rejectionOf(each.current())));
    expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining("did not finish within 0.2s")));
    expect(String(await rejectionOf(token.current()))).toContain("did not finish");
    expect(calls()).toHaveLength(1);
    await rejectionOf(token.current(Date.now() + 2 * minute));
    expect(calls()).toHaveLength(2);
    expect(read().texts).toEqual(["canary-old"]);
  });
});
