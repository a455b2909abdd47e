/** Which files the service's own command line takes, and which this package does, for random ignore files. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { langsmith } from "../../provider/dialects/langsmith";
import { listingOf } from "../../provider/archive/source-files";
import { SourceError } from "../../provider/agent/source-error";
import { newest, versionOf } from "../interop/client";
import { write } from "../support/folders";
import { makeSource } from "../support/source";

const count = Number(process.env["INTEROP_IGNORE_FILES"] ?? 3_000);
const seed = Number(process.env["INTEROP_SEED"] ?? Date.now() % 1_000_000);

const tree = [
  ...["README.md", "a.md", "b.py", "src/agent.py", "src/a.md", "src/prompts/keep.md", "src/prompts/b/a.md"],
  ...["src/prompts/b/x.py", "src/node_modules/a.js", "src/__pycache__/agent.pyc", "node_modules/b/c.js"],
  ...["data/keep.csv", "data/a/keep.csv", "data/a/b/src/x.csv", "docs/a/README.md", "docs/src/a.md", "#odd"],
  ...["lib/src/data/a.md", "venv/x.py", "a/b/a/b.py", "a/b/src/a.py", "with space/a.md", "ünï/a.md", "x[/a"],
];

const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...tree.flatMap((path) => path.split("/"))) },
  { weight: 2, arbitrary: fc.constantFrom("*", "**", "*.md", "*.py", "*a*", "s*", "?rc", "keep.*", "***") },
  fc.constantFrom(
    "[ab]",
    "[!a]*",
    "[^s]rc",
    "[a-d]*",
    "[]]",
    "x[",
    "\\#odd",
    "\\*",
    "with\\ space",
    "ü*",
    "[b-a]",
  ),
);
const pattern = fc
  .record({
    isNegated: fc.boolean(),
    start: fc.constantFrom("", "", "", "/", "**/", "./", "//"),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom("", "", "", "/", "/**", "/*", "  ", "/ ", "\t", "/**/"),
  })
  .map(({ isNegated, start, parts, end }) => `${isNegated ? "!" : ""}${start}${parts.join("/")}${end}`);
const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  fc.constantFrom("", "# comment", "*", "/", "  ", "!langgraph.json"),
);
const ignoreFile = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
/** Without a configuration there is no archive to compare, so it is mostly brought back. */
const lastFile = fc
  .tuple(ignoreFile, fc.constantFrom("", ...Array<string>(6).fill("\n!langgraph.json")))
  .map((texts) => texts.join(""));
const ignoreFiles = fc.record({ ".dockerignore": ignoreFile, ".gitignore": lastFile });
type IgnoreFiles = typeof ignoreFiles extends fc.Arbitrary<infer T> ? T : never;

/** Paths; null if the configuration is not in the archive; a text if the command line does not accept the ignore files. */
type Outcome = readonly string[] | null | string;

function theirs(folder: string, cases: readonly IgnoreFiles[]): Outcome[] {
  const script = `
import json, pathlib, sys, tarfile, warnings
import click
from langgraph_cli.archive import create_archive
warnings.simplefilter("ignore")
folder = pathlib.Path(sys.argv[1])
config = folder / "langgraph.json"
outcomes = []
for case in json.load(sys.stdin):
    for name, text in case.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        with create_archive(config, json.loads(config.read_text())) as (archive, _, path):
            with tarfile.open(archive) as tar:
                outcomes.append(sorted(tar.getnames()))
    except click.ClickException:
        outcomes.append(None)
    except Exception as error:
        outcomes.append(type(error).__name__)
print(json.dumps(outcomes))`;
  const python = resolve(".cache", "interop", newest, "bin", "python");
  const options = { input: JSON.stringify(cases), encoding: "utf8", maxBuffer: 1 << 30 } as const;
  return JSON.parse(execFileSync(python, ["-c", script, folder], options)) as Outcome[];
}

async function ours(folder: string, files: IgnoreFiles): Promise<Outcome> {
  write(folder, files);
  try {
    const { files } = await listingOf({ directory: folder, rules: langsmith.archives!, isBuilt: true });
    return files.map(({ path }) => path).sort();
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

/** A case takes some 50 ms on an idle machine; milliseconds for all. */
const timeout = count * 1_000;

it(
  `takes what the command line takes, with ${count} random pairs of ignore files (seed ${seed})`,
  { timeout },
  async () => {
    const cases = fc.sample(ignoreFiles, { numRuns: count, seed });
    const files = {
      ...Object.fromEntries(tree.map((path) => [path, ""])),
      "langgraph.json": `{"dependencies":[],"graphs":{"a":"agent.js:graph"}}`,
    };
    const [one, other] = [makeSource(files), makeSource(files)];
    const expected = theirs(one, cases);
    let refused = 0;
    let unlike = 0;
    for (const [index, given] of cases.entries()) {
      const outcome = expected[index]!;
      // Patterns that end with a backslash, for example: git ignores them, and the command line ends with an exception.
      if (typeof outcome === "string") refused++;
      else
        expect({ given, taken: await ours(other, given) }).toEqual({
          given,
          taken: outcome && byBytes(outcome),
        });
      if (Array.isArray(outcome) && outcome.length < tree.length + 4) unlike++;
    }
    process.stdout.write(
      `interop: client ${versionOf(newest)}, ${count} pairs of ignore files: ${unlike} exclude something, ${refused} crash it\n`,
    );
    expect(refused).toBeLessThan(count / 4);
    expect(unlike).toBeGreaterThan(count / 4);
  },
);

function byBytes(paths: readonly string[]): string[] {
  return [...paths].sort();
}
