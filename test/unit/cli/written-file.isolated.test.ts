import type * as fs from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { write } from "../../../cli/files/written-file";
import { scratch } from "../../support/folders";

vi.mock("node:fs", async (original) => {
  const all = await original<typeof fs>();
  const writeFileSync = (path: string, text: string) => {
    const isCut = text === "too long";
    all.writeFileSync(path, isCut ? text.slice(0, 3) : text);
    if (isCut) throw new Error("ENOSPC: no space left on device, write");
  };
  return { ...all, writeFileSync };
});

it("a full disk leaves none of the new files that belong together, and cuts none", () => {
  const cwd = scratch();
  const target = (file: string) => ({ file, path: join(cwd, file) });
  expect(() => write([target("import.json"), "{}"], [target("chat.yaml"), "too long"])).toThrow(
    "cannot write chat.yaml: ENOSPC",
  );
  expect(readdirSync(cwd)).toEqual([]);
});
