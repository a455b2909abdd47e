import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
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

  it("stay in the process where the folder is somebody else's link", () => {
    const { uid } = process.getuid ? { uid: process.getuid() } : { uid: 0 };
    symlinkSync(folder, join(folder, `pulumi-deployment-service-${uid}`));
    const run = new RunClaims(sharedClaims(engine));
    run.claim(chat, "new", "has");
    expect(run.claimOn(chat)).toBeDefined();
  });
});
