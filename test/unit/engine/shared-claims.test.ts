import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Claims } from "../../../provider/deployment/claims";
import { sharedClaims } from "../../../provider/engine/shared-claims";

const chat = { id: "6f0e6c1a-0000-4000-8000-000000000001", createdAt: null };
const engine = "127.0.0.1:4711";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "claims-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true });
});

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

/** What another process claims. */
const claimed = (pid: number, address = engine) =>
  new Claims(sharedClaims(address, pid)).claim(chat, "new", "keeps");
const own = () => join(folder, readdirSync(folder)[0]!);

describe("the claims of a run", () => {
  it("are seen by its other processes as long as the one lives that made them", async () => {
    const mine = new Claims(sharedClaims(engine));
    await beside(async (pid) => {
      claimed(pid);
      expect(mine.claimOn(chat)).toMatchObject({ resource: "new" });
    });
    expect(mine.claimOn(chat)).toBeUndefined();
  });

  it("are nothing to another run", async () => {
    await beside(async (pid) => {
      claimed(pid, "127.0.0.1:4712");
      expect(new Claims(sharedClaims(engine)).claimOn(chat)).toBeUndefined();
    });
  });

  it("are for the user's eyes only", () => {
    claimed(process.pid);
    expect(statSync(own()).mode & 0o077).toBe(0);
  });

  it("of a process that has ended are removed by the next one, of whichever run", async () => {
    await beside(async (pid) => claimed(pid));
    expect(readdirSync(own())).toHaveLength(1);
    claimed(process.pid, "127.0.0.1:4712");
    expect(readdirSync(own())).toEqual([`127-0-0-1-4712.${process.pid}`]);
  });

  describe.skipIf(process.getuid === undefined)("if the temporary folder cannot be used", () => {
    const taken = () => join(folder, `pulumi-deployment-service-${process.getuid!()}`);
    it.each([
      ["a file has the folder's name", () => writeFileSync(taken(), "")],
      ["the folder is a link", () => symlinkSync(folder, taken())],
      ["the folder has no modes", () => (mkdirSync(taken()), chmodSync(taken(), 0o777))],
      ["there is none", () => vi.stubEnv("TMPDIR", join(folder, "none", "\0"))],
    ])("are this process's own, and stop no deletion: %s", (_why, take) => {
      take();
      const run = new Claims(sharedClaims(engine));
      expect(run.claimOn(chat)).toBeUndefined();
      expect(run.keptByOther(chat, "b")).toBeUndefined();
      run.claim(chat, "new", "keeps");
      expect(run.claimOn(chat)).toMatchObject({ resource: "new" });
    });
  });
});
