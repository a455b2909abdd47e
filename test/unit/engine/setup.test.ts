import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Setup {
  introduction(engine: { version: string } | undefined): string;
  packagesAreCurrent(folder: string): boolean;
  fingerprint(folder: string, entries: string[]): string;
}

/** A plain script without declarations. Importing it must not run it. */
const setup = () => import(pathToFileURL(resolve(__dirname, "../../setup.mjs")).href) as Promise<Setup>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setup-"));
  mkdirSync(join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the introduction of the demo", () => {
  it("says how long the build of a CLI takes and how to avoid it, where there is none", async () => {
    const { introduction } = await setup();
    expect(introduction(undefined)).toMatch(/six\s+minutes[^]*https:\/\/www\.pulumi\.com\/docs\/install\//);
    expect(introduction({ version: "v3.259.0" })).toContain("It uses pulumi v3.259.0");
    expect(introduction({ version: "v3.259.0" })).not.toContain("minutes, once per machine");
  });
});

describe("packagesAreCurrent", () => {
  const zod = { version: "4.6.7", integrity: "sha512-a" };
  const foreign = { version: "1.0.0", optional: true, os: ["aix"] };

  const check = async (wanted: object, installed?: object) => {
    writeFileSync(
      join(folder, "package-lock.json"),
      JSON.stringify({ packages: { "": { name: "x" }, ...wanted } }),
    );
    if (installed) {
      writeFileSync(
        join(folder, "node_modules", ".package-lock.json"),
        JSON.stringify({ packages: installed }),
      );
    }
    return (await setup()).packagesAreCurrent(folder);
  };

  it("is true for what npm installed from this lock", async () => {
    expect(await check({ "node_modules/zod": zod }, { "node_modules/zod": zod })).toBe(true);
  });

  it("does not miss packages for other systems", async () => {
    const wanted = { "node_modules/zod": zod, "node_modules/foreign": foreign };
    expect(await check(wanted, { "node_modules/zod": zod })).toBe(true);
  });

  it.each([
    ["nothing is installed", undefined],
    ["a package is missing", {}],
    ["a package has another version", { "node_modules/zod": { ...zod, version: "4.6.6" } }],
    ["a package is not in the lock any more", { "node_modules/zod": zod, "node_modules/old": zod }],
  ])("is false when %s", async (_, installed) => {
    expect(await check({ "node_modules/zod": zod }, installed)).toBe(false);
  });
});

describe("fingerprint", () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  it("changes with contents, names and number of files, and with nothing else", async () => {
    const { fingerprint } = await setup();
    const take = () => fingerprint(folder, ["src", "one.json", "absent.json"]);
    mkdirSync(join(folder, "src"));
    write("src/a.ts", "a");
    const first = take();

    write("src/a.ts", "b");
    expect(take()).not.toBe(first);
    write("src/a.ts", "a");
    expect(take()).toBe(first);
    write("src/b.ts", "");
    expect(take()).not.toBe(first);
    rmSync(join(folder, "src/b.ts"));
    write("elsewhere.ts", "c");
    expect(take()).toBe(first);
  });
});
