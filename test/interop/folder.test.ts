/** The service's own command line and this package, with the same folder. */
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Folder } from "../../provider/archive/folder";
import { langsmith } from "../../provider/dialects/langsmith";
import { newest } from "../interop/client";
import { makeSource, textsOf } from "../support/source";

/** What the command line would upload, by path. */
function theirs(folder: string): Record<string, string> {
  const script = `
import json, pathlib, sys, tarfile
from langgraph_cli.archive import create_archive
config = pathlib.Path(sys.argv[1]) / "langgraph.json"
with create_archive(config, json.loads(config.read_text())) as (archive, _, path):
    with tarfile.open(archive) as tar:
        print(json.dumps([path, {m.name: tar.extractfile(m).read().decode() for m in tar}]))`;
  const python = resolve(".cache", "interop", newest, "bin", "python");
  const [path, files] = JSON.parse(execFileSync(python, ["-c", script, folder], { encoding: "utf8" })) as [
    string,
    Record<string, string>,
  ];
  return { ...files, "the configuration": path };
}

async function ours(directory: string): Promise<Record<string, string>> {
  const folder = new Folder({
    directory,
    rules: langsmith.archives!,
  });
  onTestFinished(() => folder.close());
  const archive = await folder.archive();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.read()) chunks.push(chunk);
  return { ...textsOf(Buffer.concat(chunks)), "the configuration": archive.configPath };
}

describe("both archive the same files with the same bytes", () => {
  it.each<[string, Record<string, string>, string]>([
    ["a small folder", { "tools/a.py": "1", "node_modules/b.js": "", ".git/c": "", "ünïcode.py": "ü" }, "."],
    [
      "a folder with local packages next to it, each with its ignore files",
      {
        "apps/agent/langgraph.json":
          '{"dependencies":[".","../../libs/shared"],"graphs":{"a":"agent.js:graph"}}',
        "apps/agent/.gitignore": "*.log\n",
        "apps/agent/a.log": "",
        "libs/shared/pyproject.toml": "[project]",
        "libs/shared/.dockerignore": "notes/\n",
        "libs/shared/notes/x": "",
        "libs/shared/b.log": "kept",
        "libs/other/x.py": "",
      },
      "apps/agent",
    ],
    [
      "a folder with awkward ignore files",
      {
        ".dockerignore": "*.log\n!keep.log\n/build\ndocs/*\n!docs/keep.md\n",
        ".gitignore": "# no pattern\n\\#odd\n**/tmp/\nkeep.log\ntrailing   \n[ab].txt\n",
        "a.log": "",
        "keep.log": "",
        "build/x": "",
        "sub/build/x": "",
        "docs/keep.md": "",
        "docs/drop.md": "",
        "#odd": "",
        "x/tmp/y": "",
        trailing: "",
        "a.txt": "",
        "c.txt": "",
      },
      ".",
    ],
  ])("of %s", async (_, files, at) => {
    const folder = join(makeSource(files), at);
    expect(await ours(folder)).toEqual(theirs(folder));
  });

  it("differs only in environment files and Pulumi's own files, which this package leaves out", async () => {
    const folder = makeSource({
      ".env": "KEY=1",
      "sub/.env.local": "",
      ".env.example": "",
      "Pulumi.dev.yaml": "",
      ".gitignore": "!.env.example\n",
    });
    const { ".env": _, "sub/.env.local": __, "Pulumi.dev.yaml": ___, ...rest } = theirs(folder);
    expect(await ours(folder)).toEqual(rest);
  });
});
