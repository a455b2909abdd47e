/** What a graph configuration mentions, and what is refused in it. */
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
const contentOf = (directory: string) => new Folder({ directory, rules: langsmith.archives! }).content();

describe("a graph configuration", () => {
  const node = { graphs: { a: "./agent.mts:graph" }, dependencies: [] };
  const uv = { source: { kind: "uv", root: ".", package: "bot" }, dependencies: [] };

  it.each<[object, Record<string, string>?]>([
    [{ node_version: "22", python_version: "3.12-bookworm", api_version: "~=0.11.0.dev5", env: "" }],
    [
      {
        image_distro: "wolfi",
        pip_installer: "uv",
        keep_pkg_tools: ["pip"],
        store: { index: { embed: "openai:x" } },
      },
    ],
    [
      {
        auth: { path: "pkg.auth:auth" },
        http: { app: "pkg.app:app" },
        node_version: null,
        keep_pkg_tools: true,
      },
    ],
    [
      { ...node, node_version: "20" },
      { "agent.mts": "", "package.json": '{"engines":{"node":"22"}}' },
    ],
    [{}, { "package.json": '{"engines":{"node":">=18"}}' }],
    [uv],
    [
      {
        api_version: "0.8",
        graphs: { agent: "package.module:graph" },
        dependencies: ["git+https://example.com/a@v1"],
      },
    ],
  ])("is accepted: %j", async (config, files) => {
    await expect(contentOf(folderOf(config, files))).resolves.toHaveProperty("content");
  });

  it.each<[object, string, Record<string, string>?]>([
    [{ graphs: {} }, "`graphs` lists no graph"],
    [{ graphs: { a: "./agent.py" } }, "the graph `a` is not a path and a variable, such as ./agent.py:graph"],
    [{ env: ["A=1"] }, "`env` must be a path or an object of variables"],
    [{ node_version: 22 }, '`node_version` must be a text with a major version alone, at least "20"'],
    [{ node_version: "20.1" }, "`node_version` must be a text with a major version alone"],
    [{ node_version: "18" }, "`node_version` must be a text with a major version alone"],
    [
      { python_version: 3.12 },
      '`python_version` must be a text with major and minor version alone, at least "3.11"',
    ],
    [{ python_version: "3.12.1" }, "`python_version` must be a text with major and minor version"],
    [{ python_version: "3.9" }, "`python_version` must be a text with major and minor version"],
    [
      { python_version: "3.12-bullseye" },
      "`python_version` must not be of bullseye, which is no longer built",
    ],
    [{ image_distro: "alpine" }, "`image_distro` must be debian, wolfi or bookworm"],
    [{ pip_installer: "poetry" }, "`pip_installer` must be auto, pip or uv"],
    [{ api_version: 0.8 }, '`api_version` must be a text such as "0.8"'],
    [{ keep_pkg_tools: ["poetry"] }, "`keep_pkg_tools` must be true or a list of pip, setuptools, wheel"],
    [{ auth: { path: "./agent.py" } }, "`auth.path` must be a path and a variable, such as ./file.py:name"],
    [{ http: { app: "./agent.py" } }, "`http.app` must be a path and a variable, such as ./file.py:name"],
    [{ priority: { path: "./a.ts:p" } }, "`priority.path` must be Python"],
    [{ project_root: ".." }, "`project_root` is now called `source.root`"],
    [{ dependencies: "." }, "`dependencies` is not a list of texts"],
    [{ dependencies: [] }, '`dependencies` lists nothing to install: for this folder, write ["."]'],
    [
      { dependencies: [".", "git+https://user:canary@example.com/a"] },
      "an address of git in `dependencies` has credentials, which the image would keep",
    ],
    [{ source: { kind: "poetry" } }, '`source` must be an object such as {"kind": "uv", "root": ".."}'],
    [{ source: { kind: "uv" } }, "`source` of kind uv does not go together with `dependencies`"],
    [{ ...uv, source: { kind: "uv", root: 2 } }, "`source.root` is not a path"],
    [{ ...uv, graphs: node.graphs }, "`source` of kind uv is for Python: set `python_version`"],
    [
      node,
      "`engines.node` of package.json must be a text with a major version",
      { "package.json": '{"engines":{"node":">=20"}}' },
    ],
    [
      node,
      "`engines` of package.json must name node alone, without npm",
      { "package.json": '{"engines":{"npm":"10"}}' },
    ],
    [{ node_version: "x", image_distro: "y" }, 'at least "20"; `image_distro` must be'],
  ])("is refused: %j", async (config, problem, files) => {
    const folder = folderOf(config, files);
    const { message } = await rejectionOf(contentOf(folder));
    expect(message).toContain(`the graph configuration ${join(folder, "langgraph.json")}: `);
    expect(message).toContain(problem);
    expect(message).not.toContain("canary");
  });
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

  it.each<[string, string[], string[]]>([
    ["a file", ["COPY hidden/x.py /x.py"], ["`COPY hidden/x.py` of langgraph.json needs hidden/x.py, "]],
    [
      "a folder",
      ["RUN a", "add --chown=1:1 hidden/ /x/"],
      ["`ADD hidden/` of langgraph.json needs hidden, "],
    ],
    [
      "several, on several lines",
      ["COPY hidden/x.py \\", "  /langgraph.json none.txt /x/"],
      ["x.py", "none.txt"],
    ],
    ["a list", ['COPY ["hidden/x.py", "/x.py"]'], ["hidden/x.py"]],
    ["what is there", ["COPY . /x", "COPY sub /x", "COPY ./agent.py sub/a /x/"], []],
    [
      "what is not of the archive",
      ["COPY --from=a hidden/x.py /", "ADD https://example.com/hidden/x.py /"],
      [],
    ],
    ["a pattern, a variable, or text", ["COPY hidden/* /", "COPY $X /", "COPY <<EOF /x", "COPY", "EOF"], []],
  ])("that COPY or ADD names, and that is left out, causes a warning: %s", async (_, lines, named) => {
    const folder = folderOf({ dockerfile_lines: lines }, { ...files, "sub/a": "" });
    const { warnings } = await contentOf(folder);
    expect(warnings).toEqual(named.map((each) => expect.stringContaining(each) as string));
  });
});
