import type * as fs from "node:fs";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { write as writeFiles } from "../../../cli/files/written-file";
import { scratch } from "./support";

let isFull = false;
vi.mock("node:fs", async (original) => {
  const all = await original<typeof fs>();
  const writeFileSync = (path: string, text: string, options?: fs.WriteFileOptions) => {
    const isCut = isFull || text === "too long";
    all.writeFileSync(path, isCut ? text.slice(0, 3) : text, options);
    if (isCut) throw new Error("ENOSPC: no space left on device, write");
  };
  return { ...all, writeFileSync };
});

let cwd = "";
beforeEach(() => {
  cwd = scratch();
  isFull = false;
});

const target = (file: string) => ({ file, path: join(cwd, file) });
const write = (file: ReturnType<typeof target>, text: string) => writeFiles([file, text]);
const text = (file: string) => readFileSync(join(cwd, file), "utf8");

it("a full disk leaves the file as it was, and nothing beside it", () => {
  write(target("index.ts"), "before");
  isFull = true;
  expect(() => write(target("index.ts"), "after")).toThrow("cannot write index.ts: ENOSPC: no space left");
  expect([text("index.ts"), readdirSync(cwd)]).toEqual(["before", ["index.ts"]]);
  expect(() => write(target("new.ts"), "after")).toThrow("ENOSPC");
  expect(readdirSync(cwd)).toEqual(["index.ts"]);
});

it("of files that belong together, a full disk leaves none", () => {
  expect(() => writeFiles([target("import.json"), "{}"], [target("chat.yaml"), "too long"])).toThrow(
    "cannot write chat.yaml: ENOSPC",
  );
  expect(readdirSync(cwd)).toEqual([]);
});

it("a symbolic link stays one, and the file that it leads to keeps its mode", () => {
  mkdirSync(join(cwd, "shared"));
  write(target("shared/index.ts"), "before");
  chmodSync(join(cwd, "shared/index.ts"), 0o640);
  symlinkSync("shared/index.ts", join(cwd, "index.ts"));
  write(target("index.ts"), "after");
  expect(readlinkSync(join(cwd, "index.ts"))).toBe("shared/index.ts");
  expect([text("shared/index.ts"), readdirSync(join(cwd, "shared"))]).toEqual(["after", ["index.ts"]]);
  expect(statSync(join(cwd, "shared/index.ts")).mode & 0o777).toBe(0o640);
});
