import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";
import { sharedClaims } from "../../../provider/pulumi/shared-claims";

const chat = { id: "6f0e6c1a-0000-4000-8000-000000000001", createdAt: null };
const engine = "127.0.0.1:4711";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "claims-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true });
});

const written = () => new Promise((resolve) => setImmediate(resolve));
/** A process that lives as long as the work. */
async function beside(work: (pid: number) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  try {
    await work(child.pid!);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}

describe("the claims of a run", () => {
  it("are seen by its other processes as long as the one lives that made them", async () => {
    const mine = new RunClaims(sharedClaims(engine));
    let theirPid = 0;
    await beside(async (pid) => {
      theirPid = pid;
      new RunClaims(sharedClaims(engine, pid)).claim(chat, "new", "has");
      await written();
      expect(mine.claimOn(chat)).toMatchObject({ resource: "new" });
    });
    expect(theirPid).toBeGreaterThan(0);
    expect(mine.claimOn(chat)).toBeUndefined();
  });

  it("are nothing to another run", async () => {
    await beside(async (pid) => {
      new RunClaims(sharedClaims("127.0.0.1:4712", pid)).claim(chat, "new", "has");
      await written();
      expect(new RunClaims(sharedClaims(engine)).claimOn(chat)).toBeUndefined();
    });
  });

  it("are for the user's eyes only", async () => {
    new RunClaims(sharedClaims(engine)).claim(chat, "new", "has");
    await written();
    const [own] = readdirSync(folder);
    expect(statSync(join(folder, own!)).mode & 0o077).toBe(0);
  });

  it("are removed a day after their run, which is looked for once an hour", async () => {
    const mine = async (address: string) => {
      new RunClaims(sharedClaims(address)).claim(chat, "new", "has");
      await written();
    };
    await mine(engine);
    const runs = join(folder, readdirSync(folder)[0]!);
    const age = (name: string, hours: number) =>
      utimesSync(join(runs, name), new Date(), Date.now() / 1000 - hours * 3600);
    age("127-0-0-1-4711", 25);

    await mine("127.0.0.1:4712");
    expect(readdirSync(runs)).toContain("127-0-0-1-4711");
    age("looked", 2);
    await mine("127.0.0.1:4713");
    expect(readdirSync(runs).sort()).toEqual(["127-0-0-1-4712", "127-0-0-1-4713", "looked"]);
  });

  it("reach the others although the run's folder was removed meanwhile", async () => {
    await beside(async (pid) => {
      const theirs = new RunClaims(sharedClaims(engine, pid));
      theirs.claim(chat, "new", "keeps");
      await written();
      rmSync(join(folder, readdirSync(folder)[0]!), { recursive: true });
      theirs.claim(chat, "new", "has");
      await written();
      expect(new RunClaims(sharedClaims(engine)).claimOn(chat)).toMatchObject({ hold: "has" });
    });
  });

  describe.skipIf(process.getuid === undefined)("that nobody else can be told of", () => {
    const taken = () => join(folder, `pulumi-deployment-service-${process.getuid!()}`);
    it.each([
      ["a file has the folder's name", () => writeFileSync(taken(), "")],
      ["the folder is somebody else's link", () => symlinkSync(folder, taken())],
      [
        "others can write to the folder",
        () => {
          mkdirSync(taken());
          chmodSync(taken(), 0o777);
        },
      ],
    ])("let nothing be deleted or taken over: %s", (_why, take) => {
      take();
      const run = new RunClaims(sharedClaims(engine));
      run.claim(chat, "new", "has");
      expect(() => run.claimOn(chat)).toThrow(
        `nothing is deleted or taken over: what this run keeps is written down in ${taken()}, which cannot be used`,
      );
      expect(() => run.heldByOther(chat, "b")).toThrow(
        "set TMPDIR to a folder that only this user can write to",
      );
    });
  });

  it("need no name for the user, who may have a number alone", async () => {
    vi.spyOn(os, "userInfo").mockImplementation(() => {
      throw new Error("uv_os_get_passwd returned ENOENT (no such file or directory)");
    });
    syncBuiltinESMExports();
    new RunClaims(sharedClaims(engine)).claim(chat, "new", "has");
    await written();
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
