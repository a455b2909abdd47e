/** What a graph configuration mentions. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder } from "../../../provider/archive/folder";
import { langsmith } from "../../../provider/dialects/langsmith";
import { rejectionOf } from "../../support/service";
import { makeSource } from "../../support/source";

const folderOf = (config: object, files: Record<string, string> = {}) => {
  const usual = { dependencies: ["."], graphs: { agent: "./agent.py:graph" } };
  const text = JSON.stringify({ ...usual, ...config });
  return makeSource({ "langgraph.json": text, ...files });
};
const contentOf = (directory: string, isBuilt = false) =>
  new Folder({ directory, rules: langsmith.archives!, isBuilt }).content();

it.each<[object]>([
  [{ graphs: {} }],
  [{ graphs: ["agent"], dependencies: ".", env: ["A=1"], ui: 1, http: "x", auth: { path: 1 } }],
  [{ graphs: { agent: "package.module:graph" }, dependencies: [1, "git+https://example.com/a@v1"] }],
  [
    {
      node_version: 22,
      python_version: "3.9",
      image_distro: "alpine",
      api_version: 0.8,
      source: { kind: "poetry" },
    },
  ],
  [{ dockerfile_lines: ["COPY none.txt /"] }],
])("what the service's build checks in a graph configuration is left to it: %j", async (config) => {
  expect((await contentOf(folderOf(config))).warnings).toEqual([]);
});

describe("what it names", () => {
  const files = { "hidden/x.py": "", "hidden/pip.conf": "", "hidden/ui.tsx": "", ".gitignore": "hidden/\n" };

  it.each<[string, object]>([
    ["`auth.path`", { auth: { path: "./hidden/x.py:a" } }],
    ["`encryption.path`", { encryption: { path: "./hidden/x.py:a" } }],
    ["`http.app`", { http: { app: "hidden/x.py:app" } }],
    ["`store.index.embed`", { store: { index: { embed: "./hidden/x.py:embed", dims: 3 } } }],
    ["`checkpointer.path`", { checkpointer: { path: "./hidden/x.py:c" } }],
    ["`pip_config_file`", { pip_config_file: "hidden/pip.conf" }],
    ["`ui.agent`", { ui: { agent: "./hidden/ui.tsx" } }],
  ])("%s must be in the archive", async (what, config) => {
    const { message } = await rejectionOf(contentOf(folderOf(config, files)));
    expect(message).toMatch(
      new RegExp(
        `^${what} of langgraph\\.json needs hidden/\\S+, which is not in the archive: ` +
          "`hidden/` in \\.gitignore excludes it$",
      ),
    );
  });

  it.each<[object, string]>([
    [
      { graphs: { a: "./src:graph" } },
      "`a` of langgraph.json needs src, which is not in the archive: it is a folder",
    ],
    [
      { ui: { a: "empty" } },
      "`ui.a` of langgraph.json needs empty, which is not in the archive: it is a folder",
    ],
  ])("must be a file: %j", async (config, reason) => {
    const folder = folderOf(config, { "src/__init__.py": "" });
    mkdirSync(join(folder, "empty"));
    expect((await rejectionOf(contentOf(folder))).message).toContain(reason);
  });

  it("may be made by a build command where it is code, and not where it is a source of the build", async () => {
    const left = { "ui/a.tsx": "", "ui/.gitignore": "*.tsx\n", ".git/HEAD": "" };
    const made = folderOf({ graphs: { a: "./dist/a.js:graph" } }, left);
    await expect(contentOf(made, true)).resolves.toHaveProperty("content");
    for (const isBuilt of [false, true])
      expect(
        (await rejectionOf(contentOf(folderOf({ ui: { a: "./ui/a.tsx" } }, left), isBuilt))).message,
      ).toBe(
        "`ui.a` of langgraph.json needs ui/a.tsx, which is not in the archive: `*.tsx` in ui/.gitignore excludes it",
      );
  });
});
