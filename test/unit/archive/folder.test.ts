/** What of a folder is archived, and how. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { OpenFile } from "../../../provider/agent/open-file";
import { Folder } from "../../../provider/archive/folder";
import type { ListingOptions } from "../../../provider/archive/source-files";
import type { ArchiveRules } from "../../../provider/dialects/dialect";
import { langsmith } from "../../../provider/dialects/langsmith";
import { rejectionOf } from "../../support/service";
import { write } from "../../support/folders";
import { config, entriesOf, makeSource } from "../../support/source";

const rules = langsmith.archives!;
const folderAt = (
  directory: string,
  more: Partial<ArchiveRules> = {},
  options: Partial<ListingOptions> = {},
) =>
  new Folder({
    directory,
    rules: { ...rules, ...more },
    ...options,
  });

async function archived(directory: string): Promise<Buffer> {
  const folder = folderAt(directory);
  onTestFinished(() => folder.close());
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await folder.archive()).read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pathsIn = async (directory: string) => Object.keys(entriesOf(await archived(directory)));
const contentOf = async (directory: string) => (await folderAt(directory).content()).content;
const failureOf = async (directory: string) => (await rejectionOf(folderAt(directory).content())).message;
const own = ["agent.py", "langgraph.json"];
/** Replaces its graph configuration by the usual one with this in it. */
const configure = (folder: string, more: object, files: Readonly<Record<string, string>> = {}) =>
  write(folder, {
    "langgraph.json": JSON.stringify({ ...(JSON.parse(config) as object), ...more }),
    ...files,
  });

describe("an archive", () => {
  it("is the same to the byte whatever the times, the owners' rights and the order of its files", async () => {
    const [a, b] = [makeSource({ "x.py": "1", "a/y.sh*": "2" }), makeSource()];
    write(b, { "a/y.sh*": "2", "x.py": "1" });
    utimesSync(join(b, "x.py"), 1, 1);
    chmodSync(join(b, "x.py"), 0o664);
    expect(await archived(b)).toEqual(await archived(a));
    expect(await contentOf(b)).toEqual(await contentOf(a));
    expect(entriesOf(await archived(a))).toMatchObject({
      "x.py": { mode: 0o644 },
      "a/y.sh": { mode: 0o755 },
    });
  });

  it.each<[string, (folder: string) => void]>([
    ["the bytes", (folder) => write(folder, { "x.py": "2" })],
    ["the end of a line", (folder) => write(folder, { "x.py": "1\r\n" })],
    ["the executable bit", (folder) => chmodSync(join(folder, "x.py"), 0o755)],
    ["the path", (folder) => renameSync(join(folder, "x.py"), join(folder, "y.py"))],
    ["the Unicode form of a name", (folder) => write(folder, { "\u00e9.py": "", "e\u0301.py": "" })],
  ])("has another digest once %s of a file differs", async (_, change) => {
    const folder = makeSource({ "x.py": "1\n" });
    const before = await contentOf(folder);
    change(folder);
    expect((await contentOf(folder)).digest).not.toBe(before.digest);
  });

  it("is read by other programs, names of any length and alphabet included", async () => {
    const long = `${"d".repeat(90)}/${"f".repeat(200)}.py`;
    const files = {
      [long]: "long",
      "ünïcode/é.py": "text",
      "line\nbreak.py": "odd",
      [`${"b".repeat(99)}`]: "",
      "big.bin": "x".repeat(700_000),
    };
    const folder = makeSource(files);
    const script = `
import io, json, sys, tarfile
with tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()), mode="r:gz") as tar:
    print(json.dumps({m.name: [tar.extractfile(m).read().decode(), m.mtime, m.uid, m.isfile()] for m in tar}))`;
    const read = JSON.parse(
      execFileSync("python3", ["-c", script], { input: await archived(folder), encoding: "utf8" }),
    ) as object;
    const expected = { ...files, "langgraph.json": config, "agent.py": "graph = 1\n" };
    expect(read).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, text]) => [name, [text, 0, 0, true]])),
    );
  });
});

describe("what is left out", () => {
  /** Empty files, separated by spaces. */
  const empty = (paths: string) => Object.fromEntries(paths.split(" ").map((path) => [path, ""]));

  it.each<[string, Record<string, string>, string[]]>([
    [
      "by the service's command line",
      empty("__pycache__/a x/.git/b .venv/c venv/d node_modules/e .tox/f .mypy_cache/g"),
      [],
    ],
    [
      "but a folder whose kind of file is excluded elsewhere",
      { ".gitignore": "*.md\n!src/prompts/\n", ...empty("README.md src/prompts/a.md src/b.md") },
      [".gitignore", "src/prompts/a.md"],
    ],
    [
      "by letter case",
      { ".gitignore": "README.md\n", ...empty("readme.md README.md") },
      [".gitignore", "readme.md"],
    ],
  ])("%s", async (_, files, kept) => {
    expect(await pathsIn(makeSource(files))).toEqual([...own, ...kept].sort());
  });

  /** A repository with an agent in it, where git ignores checkpoints. */
  const repository = (files: Record<string, string> = {}) =>
    makeSource({
      ...{ ".git": "gitdir: /elsewhere\n", ".gitignore": "*.ckpt\n" },
      ...{ "apps/agent/langgraph.json": config, "apps/agent/agent.py": "", "apps/agent/a.ckpt": "" },
      ...files,
    });

  it.each<[string, Record<string, string>, string[]]>([
    ["above", {}, []],
    [
      "but not where git ignores the folder itself, such as the output of a build",
      { ".gitignore": "apps/\n*.ckpt\n" },
      ["a.ckpt"],
    ],
    ["but only in its own repository", { "apps/.git": "gitdir: ../.git/modules/apps\n" }, ["a.ckpt"]],
  ])("is what a .gitignore excludes %s", async (_, files, kept) => {
    expect(await pathsIn(join(repository(files), "apps/agent"))).toEqual([...own, ...kept].sort());
  });

  it("is the same in every worktree, whose .git is a file", async () => {
    const clone = repository();
    rmSync(join(clone, ".git"));
    write(clone, { ".git/HEAD": "" });
    const ofAgent = async (root: string) => contentOf(join(root, "apps/agent"));
    expect(await ofAgent(repository())).toEqual(await ofAgent(clone));
    const [one, other] = [makeSource(), makeSource({ ".git": "gitdir: /elsewhere\n" })];
    expect(await contentOf(other)).toEqual(await contentOf(one));
  });

  it.each<[string, string, object, Record<string, string>, string[], string | undefined]>([
    [
      "in the folder of an agent",
      ".",
      {},
      { "infra/Pulumi.yaml": "", "infra/preview.json": "" },
      [],
      "infra/ (the running Pulumi project)",
    ],
    [
      "unless an ignore file of the folder includes it again, without the stack's own files",
      ".",
      {},
      { ".gitignore": "!infra/\n", "infra/preview.json": "", "infra/Pulumi.dev.yaml": "" },
      [".gitignore", "infra/preview.json"],
      "infra/Pulumi.dev.yaml (a file of the Pulumi stack)",
    ],
    [
      "beside the local packages and files in it that the configuration mentions",
      ".",
      { dependencies: [".", "./infra/shared"], auth: { path: "./infra/auth.py:a" } },
      { "infra/Pulumi.yaml": "", "infra/auth.py": "", "infra/shared/x/a.py": "", "infra/app/b.ts": "" },
      ["infra/auth.py", "infra/shared/x/a.py"],
      "2 of the running Pulumi project (infra/Pulumi.yaml, infra/app/)",
    ],
    [
      "unless it is the folder itself",
      "infra",
      { dependencies: [".", "../lib"] },
      { "infra/preview.json": "", "infra/Pulumi.dev.yaml": "", "lib/a.py": "" },
      ["infra/agent.py", "infra/langgraph.json", "infra/preview.json", "lib/a.py"],
      "infra/Pulumi.dev.yaml (a file of the Pulumi stack)",
    ],
    [
      "above the folder, below the root of a uv workspace",
      "infra/agent",
      { dependencies: [], source: { kind: "uv", root: "../.." } },
      { "infra/index.ts": "", "uv.lock": "" },
      ["infra/agent/agent.py", "infra/agent/langgraph.json", "uv.lock", ...own],
      "infra/index.ts (the running Pulumi project)",
    ],
    [
      "but not what is beside a project above everything",
      "infra/agent",
      { dependencies: [".", "../lib"] },
      { "infra/index.ts": "", "infra/lib/a.py": "" },
      ["agent/agent.py", "agent/langgraph.json", "lib/a.py"],
      undefined,
    ],
  ])("is the running project %s", async (_, at, more, files, kept, told) => {
    const root = makeSource(files);
    const folder = join(root, at);
    write(folder, { "agent.py": "" });
    configure(folder, more);
    const options = { projectFolder: join(root, "infra") };
    const { overview, content } = await folderAt(folder, {}, options).content();
    expect(Object.keys(content.files!)).toEqual([...(at === "." ? own : []), ...kept].sort());
    expect(/excludes (.*)/.exec(overview())?.[1]).toBe(told);
  });

  it("is reported: environment files in any case, links and special files unless an ignore file lists them", async () => {
    const folder = makeSource({ ".env": "KEY=1", "sub/.env.local": "", ".gitignore": "ignored\n.env\n" });
    const outside = makeSource({ "passwords.txt": "hush" });
    for (const link of ["link.txt", "sub/link.txt"])
      symlinkSync(join(outside, "passwords.txt"), join(folder, link));
    symlinkSync(outside, join(folder, "ignored"));
    linkSync(join(folder, "agent.py"), join(folder, "hard.py"));
    const server = createServer().listen(join(folder, "app.sock"));
    onTestFinished(() => void server.close());
    const { overview, content } = await folderAt(folder).content();
    expect(overview()).toContain(
      "; excludes 2 environment files (.env, sub/.env.local), app.sock (not a regular file), 2 links (link.txt, sub/link.txt)",
    );
    expect(Object.keys(content.files!)).toEqual([".gitignore", "agent.py", "hard.py", "langgraph.json"]);
  });
});

describe("a folder that cannot be archived", () => {
  const graph = (folder: string) => join(folder, "langgraph.json");
  const inPlaceOfGraph = (folder: string, make: (path: string) => void) => {
    renameSync(graph(folder), join(folder, "a.json"));
    make(graph(folder));
  };
  const unreadable = (why: string) =>
    `cannot read FOLDER/langgraph.json: ${why}. It is the graph configuration`;
  it.each<[string, (folder: string) => string | void, string]>([
    [
      "does not exist",
      (folder) => join(folder, "nowhere"),
      "cannot read the folder FOLDER/nowhere: it does not exist",
    ],
    ["is a file", (folder) => join(folder, "agent.py"), "FOLDER/agent.py is not a folder"],
    [
      "has no graph configuration",
      (folder) => rmSync(graph(folder)),
      `${unreadable("it does not exist")}: choose another one with sourceRevisionConfig.graphConfigPath, relative to sourceDirectory`,
    ],
    [
      "has a folder for it",
      (folder) => inPlaceOfGraph(folder, mkdirSync),
      unreadable("it is not a regular file"),
    ],
    [
      "has another file for it",
      (folder) => write(folder, { "langgraph.json": "[]" }),
      "the graph configuration FOLDER/langgraph.json is not a JSON object",
    ],
    [
      "lacks a local package",
      (folder) => configure(folder, { dependencies: ["../none"] }),
      "FOLDER/langgraph.json depends on the local package ../none: cannot read the folder",
    ],
    [
      "excludes the file of a graph",
      (folder) => write(folder, { ".dockerignore": "*.txt\n*.py\n" }),
      "the graph `agent` of langgraph.json needs agent.py, which is not in the archive: `*.py` in .dockerignore excludes it",
    ],
    [
      "excludes the folder of a graph",
      (folder) =>
        configure(
          folder,
          { graphs: { a: { path: "./src/x/agent.py:graph" } } },
          { "src/x/agent.py": "", ".gitignore": "src/\n!src/x/\n" },
        ),
      "the graph `a` of langgraph.json needs src/x/agent.py, which is not in the archive: `src/` in .gitignore excludes it",
    ],
    [
      "has a folder of git's for the file of a graph",
      (folder) =>
        configure(
          folder,
          { graphs: { a: "./venv/agent.py:graph" }, auth: { path: "./none.py:auth" } },
          { "venv/agent.py": "" },
        ),
      "venv/agent.py, which is not in the archive: the service excludes `venv/` unless an ignore file includes it with `!`",
    ],
    [
      "has a link for other code that it names",
      (folder) => {
        configure(folder, { auth: { path: "./auth.py:auth" } });
        symlinkSync("agent.py", join(folder, "auth.py"));
      },
      "`auth.path` of langgraph.json needs auth.py, which is not in the archive: it is a link",
    ],
    [
      "names code next to it",
      (folder) => configure(folder, { graphs: { a: "../beside.py:graph" } }),
      "needs ../beside.py, which is not in the archive: it is outside the folder and its local packages",
    ],
  ])("%s: the error says so", async (_, change, text) => {
    const folder = makeSource();
    const at = change(folder) ?? folder;
    expect((await failureOf(at)).replaceAll(folder, "FOLDER")).toContain(text);
  });

  it.skipIf(process.getuid?.() === 0)("reports a file that cannot be read", async () => {
    const folder = makeSource({ "secret.py": "" });
    chmodSync(join(folder, "secret.py"), 0);
    expect(await failureOf(folder)).toBe(`cannot read ${join(folder, "secret.py")}: permission denied`);
  });
});

it("takes the root of a uv workspace, laid out as on disk", async () => {
  const root = makeSource({
    "uv.lock": "",
    "packages/shared/a.py": "",
    "apps/agent/langgraph.json": '{"source":{"kind":"uv","root":"../.."},"graphs":{"a":"./agent.py:graph"}}',
    "apps/agent/agent.py": "",
    ...{ "apps/agent/.gitignore": "*.log\n", "apps/agent/.dockerignore": "*.md\n" },
    ...{ "apps/agent/a.log": "", "apps/agent/a.md": "", "a.md": "" },
  });
  const { overview } = await folderAt(join(root, "apps/agent")).content();
  // What the folder's own ignore files exclude is nothing to report.
  expect(overview()).not.toContain("excludes");
  const paths = ["a.md", "apps/agent/.dockerignore", "apps/agent/.gitignore", "apps/agent/agent.py"];
  paths.push("apps/agent/langgraph.json", "packages/shared/a.py", "uv.lock");
  expect(await pathsIn(join(root, "apps/agent"))).toEqual([...own, ...paths].sort());
});

it("reads ends of lines and rows of asterisks as the service's command line does", async () => {
  const root = makeSource({
    "langgraph.json": '{"dependencies":["."],"graphs":{"a":"./agent.py:graph"}}',
    ...{ ".dockerignore": "*.pem\t\n*.log  \na/***/*.md\n", "agent.py": "", "key.pem": "", "x.log": "" },
    ...{ "a/x.md": "", "a/b/x.md": "", "a/b/c/x.md": "" },
  });
  const paths = [".dockerignore", "a/b/c/x.md", "a/x.md", "agent.py", "langgraph.json"];
  expect(await pathsIn(root)).toEqual(paths);
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

/** An agent of a repository, with a local package beside it. */
function agentWithPackage(): string {
  const root = makeSource({ ".git/HEAD": "", "lib/a.py": "" });
  const folder = join(root, "agent");
  write(folder, { "agent.py": "", "sub/key.json": "", "sub/a.pem": "" });
  configure(folder, { dependencies: [".", "../lib"] });
  return folder;
}

it.each<[string, string, Buffer]>([
  ["in UTF-16", ".gitignore", utf16("key.json\r\n")],
  ["in UTF-16 without a mark", "../.gitignore", utf16("key.json").subarray(2)],
  ["in UTF-16", "../lib/.dockerignore", utf16("key.json")],
  ["in UTF-16", "langgraph.json", utf16(config)],
  ["in Latin-1", ".gitignore", Buffer.from("# caf\u00e9\nkey.json", "latin1")],
  ["with a NUL byte", ".dockerignore", Buffer.from("key.json\n\0")],
])("a file %s that decides what is uploaded is refused: %s", async (how, name, bytes) => {
  const folder = agentWithPackage();
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const actual = how.includes("UTF-16") ? "but UTF-16, which PowerShell writes" : "text";
  expect(await failureOf(folder)).toBe(`${file} is not UTF-8 ${actual}: save it as UTF-8`);
});

it.each([".gitignore", ".dockerignore", "sub/.gitignore", "../.gitignore"])(
  "patterns are read after a byte order mark and before CRLF: %s",
  async (name) => {
    const folder = agentWithPackage();
    write(folder, { [name]: "\ufeffkey.json\r\n*.pem\r\n" });
    expect((await pathsIn(folder)).filter((each) => /json|pem/.test(each))).toEqual(["agent/langgraph.json"]);
  },
);

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4".repeat(64)}\nsize 73400320\n`;
const extended = pointer.replace("oid", `ext-0-x sha256:${"5".repeat(64)}\noid`);

it.each<[string, Record<string, string>, string | undefined]>([
  ["is a pointer", { "a/index.faiss": pointer, "b.bin": pointer }, "a/index.faiss, b.bin"],
  ["is a pointer with CRLF", { "a.bin": pointer.replaceAll("\n", "\r\n") }, "a.bin"],
  ["is a pointer with an extension", { "a.bin": extended }, "a.bin"],
  ["is a pointer that is left out", { "a.bin": pointer, ".gitignore": "*.bin\n" }, undefined],
  ["only speaks of one", { "a.md": `# LFS\n${pointer}`, "b.txt": pointer + "x".repeat(1_024) }, undefined],
])("a file that %s", async (_, files, named) => {
  const folder = makeSource(files);
  const error = await rejectionOf(folderAt(folder).content()).catch(() => undefined);
  if (named === undefined) return expect(error).toBeUndefined();
  expect(error?.message).toBe(
    `Git LFS has only checked out pointers in place of ${named}: run \`git lfs pull\`, in a workflow set ` +
      "`lfs: true` for actions/checkout, or exclude them with an ignore file",
  );
  expect((await rejectionOf(folderAt(folder).archive())).message).toBe(error?.message);
});

describe("the executable bit", () => {
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd });

  it("is the one of git's index where a file is in one, so that no checkout makes a revision, and else the disk's", async () => {
    const folder = makeSource({ "run.sh*": "", "plain.sh": "", "new.sh*": "", "sub/run.sh*": "" });
    git(folder, "init", "--quiet");
    git(join(folder, "sub"), "init", "--quiet");
    git(join(folder, "sub"), "add", "run.sh");
    git(folder, "add", "run.sh", "plain.sh");
    const before = await contentOf(folder);
    const modes = async () =>
      Object.entries(entriesOf(await archived(folder)))
        .filter(([, { mode }]) => mode === 0o755)
        .map(([path]) => path);
    expect(await modes()).toEqual(["new.sh", "run.sh", "sub/run.sh"]);
    chmodSync(join(folder, "run.sh"), 0o644);
    chmodSync(join(folder, "sub/run.sh"), 0o644);
    chmodSync(join(folder, "plain.sh"), 0o755);
    expect(await contentOf(folder)).toEqual(before);
    expect(await modes()).toEqual(["new.sh", "run.sh", "sub/run.sh"]);
    chmodSync(join(folder, "new.sh"), 0o644);
    expect((await contentOf(folder)).digest).not.toBe(before.digest);
  });

  it("is the disk's without git", async () => {
    const folder = makeSource({ "run.sh*": "" });
    git(folder, "init", "--quiet");
    git(folder, "add", ".");
    chmodSync(join(folder, "run.sh"), 0o644);
    vi.stubEnv("PATH", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(entriesOf(await archived(folder))["run.sh"]!.mode).toBe(0o644);
  });
});

it.skipIf(process.platform === "darwin")(
  "a name that is not UTF-8 is refused as that, unless an ignore file excludes it",
  async () => {
    const folder = makeSource();
    const name = Buffer.from("caf\u00e9.txt", "latin1");
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), "");
    expect(await failureOf(folder)).toMatch(
      /cannot read .*\/caf\ufffd\.txt: its name is not UTF-8: rename it, or exclude/,
    );
    write(folder, { ".gitignore": "*.txt\n" });
    expect(await pathsIn(folder)).not.toContain("caf\ufffd.txt");
  },
);

describe("the overview of an archive", () => {
  it("names the number of files, the size, and the largest three", async () => {
    const folder = makeSource({
      "models/a.bin": "x".repeat(4_000),
      "models/b/c.bin": "x".repeat(90),
      "d.py": "",
    });
    expect((await folderAt(folder).content()).overview()).toBe(
      "holds 5 files, 4.1 KiB (largest: models/a.bin, models/b/c.bin, langgraph.json)",
    );
  });

  it("comes with the names in the environment file that the configuration mentions, never with values", async () => {
    const text =
      '# A=1\nexport B = 2\nC=\'canary\nD=canary\'\nE="x\\"\nF=canary"\nG=\nkey==\n H=${B}\nI\nb64=canary==\n';
    const folder = makeSource({ "conf/.env": text, ".gitignore": "conf\n" });
    configure(folder, { env: "conf/.env" });
    expect((await folderAt(folder).content()).environment).toEqual({
      place: "conf/.env, the `env` of the graph configuration",
      names: ["B", "C", "E", "H", "b64"],
    });
  });
});

describe("variables of the environment", () => {
  const sentToo = ".env, which the service's own command line sends too";
  it.each<[string, object, place: unknown, names: string[]]>([
    ["in an object", { env: { MODEL: "m-1", EMPTY: "" } }, "the `env` of the graph configuration", ["MODEL"]],
    ["in a file that no `env` names", {}, sentToo, ["A"]],
    ["in such a file beside an empty object", { env: {} }, sentToo, ["A"]],
    ["in a file that is not there", { env: "none.env" }, expect.any(String), []],
  ])("%s are those that the service's own command line sends", async (_, more, place, names) => {
    const folder = makeSource({ ".env": "A=1" });
    configure(folder, more);
    expect((await folderAt(folder).content()).environment).toEqual({ place, names });
  });

  it.each(["mkfifo", "mkdir"])("are not read from what is no regular file: %s", async (make) => {
    const folder = makeSource();
    configure(folder, { env: ".env" });
    execFileSync(make, [join(folder, ".env")]);
    const { environment, warnings } = await folderAt(folder).content();
    expect({ names: environment.names, warnings }).toEqual({ names: [], warnings: [] });
  });

  it("are read through a link", async () => {
    const folder = makeSource();
    write(folder, { "conf/shared": "KEY=1" });
    symlinkSync("conf/shared", join(folder, ".env"));
    expect((await folderAt(folder).content()).environment.names).toEqual(["KEY"]);
  });

  it("in a file that cannot be read are reported as that", async () => {
    const folder = makeSource();
    configure(folder, { env: ".env" });
    writeFileSync(join(folder, ".env"), utf16("KEY=canary"));
    expect((await folderAt(folder).content()).warnings).toEqual([
      `${join(folder, ".env")} is not UTF-8 but UTF-16, which PowerShell writes: save it as UTF-8`,
    ]);
  });
});

describe("the size of an archive", () => {
  const noise = (size: number) => randomBytes(size / 2).toString("hex");

  it("is refused beyond the service's limit, naming the largest files, in a preview too", async () => {
    const folder = folderAt(makeSource({ "weights.bin": noise(5_000), "small.py": "" }), { largest: 1_000 });
    const { message } = await rejectionOf(folder.content());
    expect(message).toMatch(
      /^the archive is larger than 1000 bytes, the most that the service accepts\. The largest files are weights\.bin \(4\.9 KiB\), langgraph\.json/,
    );
    expect((await rejectionOf(folder.archive())).message).toBe(message);
  });

  it("is given up beyond the limit, and a preview writes nothing to the disk", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.bin`, noise(20_000)]));
    const source = makeSource(files);
    const opened = vi.spyOn(OpenFile, "at");
    const folder = folderAt(source, { largest: 100_000 });
    expect((await rejectionOf(folder.archive())).message).toMatch(/^the archive is larger than 97\.7 KiB/);
    expect(opened.mock.calls.length).toBeLessThan(30);
    vi.stubEnv("TMPDIR", join(source, "nowhere"));
    expect((await folderAt(source).content()).warnings).toEqual([]);
    expect((await rejectionOf(folderAt(source).archive())).message).toBe(
      `cannot write the archive to ${join(source, "nowhere")}: it does not exist`,
    );
  });

  it("is that of what is packed, not of what is on disk", async () => {
    const zeros = makeSource({ "zeros.bin": "0".repeat(5_000) });
    expect((await folderAt(zeros, { largest: 1_000 }).content()).warnings).toEqual([]);
  });

  it("may be of many files, of which the state names none", async () => {
    const folder = makeSource(
      Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f/${at}.py`, String(at)])),
    );
    const { content } = await folderAt(folder).content();
    expect(content).toEqual({ count: 2_002, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
