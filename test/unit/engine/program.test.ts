import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeProgram, projectName, writeFiles } from "../../engine/program";

const root = resolve(__dirname, "../../..");
const made: string[] = [];
const make = (program: Parameters<typeof makeProgram>[0]) => {
  const folder = makeProgram(program);
  made.push(folder);
  return folder;
};
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

describe("makeProgram", () => {
  it("adds what a program given as text leaves out", () => {
    const folder = make({ "index.ts": "export {};" });
    expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "index.ts", "package.json"]);
    expect(projectName(folder)).toBe("program");
  });

  it("leaves a given Pulumi.yaml as it is", () => {
    expect(projectName(make({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n" }))).toBe("shop");
  });

  it("copies a folder without its packages", () => {
    const source = mkdtempSync(join(tmpdir(), "program-source-"));
    made.push(source);
    mkdirSync(join(source, "node_modules"));
    mkdirSync(join(source, "lib"));
    writeFileSync(join(source, "Pulumi.yaml"), "name: copied\n");
    writeFileSync(join(source, "lib", "a.ts"), "a");

    const folder = make(source);
    writeFiles(folder, { "lib/a.ts": "b", "new/b.ts": "c" });
    expect(projectName(folder)).toBe("copied");
    expect(existsSync(join(folder, "node_modules"))).toBe(false);
    expect(readFileSync(join(source, "lib", "a.ts"), "utf8")).toBe("a");
  });

  it("lies as deep in the repository as an example", () => {
    expect(relative(root, make({})).split("/")).toHaveLength(2);
  });
});
