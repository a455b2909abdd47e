/** Which files are in an archive, against a model of the rules: slow, and without regular expressions; and against git. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { patternsIn } from "../../../provider/archive/pattern";
import { listingOf } from "../../../provider/archive/source-files";
import { langsmith } from "../../../provider/dialects/langsmith";
import { runs } from "../../support/runs";
import { makeSource } from "../../support/source";

const rules = langsmith.archives!;
const names = "src data infra a.log b.log .env keep.csv Pulumi.dev.yaml venv x.py".split(" ");
const folders = ["src", "data", "infra", "venv"];

const path = fc
  .tuple(fc.array(fc.constantFrom(...folders), { maxLength: 2 }), fc.constantFrom(...names))
  .map(([above, name]) => [...above, name].join("/"));
const part = fc.constantFrom(...names, "*", "*.log", "*a*", "s*");
const line = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(part, { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "", "/"),
  )
  .map(([sign, start, parts, end]) => sign + start + parts.join("/") + end);
const lines = fc.array(line, { maxLength: 4 });

/** `*` stands for any characters of one name. */
function isLike(name: string, glob: string): boolean {
  if (glob === "") return name === "";
  if (glob[0] !== "*") return name[0] === glob[0] && isLike(name.slice(1), glob.slice(1));
  return isLike(name, glob.slice(1)) || (name !== "" && isLike(name.slice(1), glob));
}

interface Entry {
  readonly parts: readonly string[];
  readonly isFolder: boolean;
}

function matches(line: string, { parts, isFolder }: Entry): boolean {
  const written = line.replace(/^!/, "");
  if (written.endsWith("/") && !isFolder) return false;
  const globs = written.replace(/\/$/, "").split("/");
  if (globs.length === 1) return isLike(parts.at(-1)!, globs[0]!);
  const anchored = globs[0] === "" ? globs.slice(1) : globs;
  return anchored.length === parts.length && anchored.every((glob, at) => isLike(parts[at]!, glob));
}

interface Case {
  readonly paths: readonly string[];
  /** The lines of `.dockerignore` and `.gitignore` of the folder, of `.gitignore` above it, and of one in its `src`. */
  readonly docker: readonly string[];
  readonly git: readonly string[];
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** Whether the running project is the folder's `infra`. */
  readonly hasProject: boolean;
}

function isTaken(path: string, { docker, git, above, below, hasProject }: Case): boolean {
  const parts = path.split("/");
  const entries = parts.map((_, at) => ({ parts: parts.slice(0, at + 1), isFolder: at < parts.length - 1 }));
  const own = [...docker, ...git];
  const all = [...rules.leftOut, ...own];
  return entries.every((entry, at) => {
    // The last line that matches the entry or a folder above it decides.
    const last = all.findLast((line) => entries.slice(0, at + 1).some((each) => matches(line, each)));
    if (last !== undefined && !last.startsWith("!")) return false;
    const name = entry.parts.at(-1)!;
    const isOfStack = name === "Pulumi.dev.yaml" && !entry.isFolder;
    const isProject = hasProject && entry.parts.join("/") === "infra";
    const isWithheld = name === ".env" || isOfStack || isProject || isIgnoredByGit(entry, above, below);
    const specific = own.filter((line) => !/(^|[!/])\*+\/?$/.test(line));
    return !isWithheld || specific.findLast((line) => matches(line, entry))?.startsWith("!") === true;
  });
}

/** Git's own rules for what is no ignore file of the folder: the deepest file with a line for an entry decides. */
function isIgnoredByGit(
  { parts, isFolder }: Entry,
  above: readonly string[],
  below: readonly string[],
): boolean {
  const inSubfolder = parts[0] === "src" && parts.length > 1;
  const deepest = inSubfolder && below.findLast((line) => matches(line, { parts: parts.slice(1), isFolder }));
  const last = deepest || above.findLast((line) => matches(line, { parts: ["agent", ...parts], isFolder }));
  return last !== undefined && !last.startsWith("!");
}

it("an archive contains what the last matching line of the ignore files decides, without what is withheld", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        paths: fc.uniqueArray(path, { minLength: 3, maxLength: 12 }),
        ...{ docker: lines, git: lines, above: lines, below: lines },
        hasProject: fc.boolean(),
      }),
      async (given) => {
        // A name is a file or a folder, not both.
        const all = [...new Set([...given.paths, "src/main.py"])];
        const files = all.filter((each) => !all.some((other) => other.startsWith(`${each}/`)));
        const root = makeSource({
          ...{ ".git/HEAD": "", ".gitignore": given.above.join("\n"), "agent/langgraph.json": "{}" },
          ...Object.fromEntries(files.map((each) => [`agent/${each}`, ""])),
          "agent/langgraph.json": '{"dependencies":["."],"graphs":{"a":"package.module:graph"}}',
          "agent/.dockerignore": given.docker.join("\n"),
          "agent/.gitignore": [...given.git, "!langgraph.json"].join("\n"),
          "agent/src/.gitignore": given.below.join("\n"),
        });
        // Where git ignores the folder itself, its lines above do not count.
        const isOutput = given.above.some((each) => matches(each, { parts: ["agent"], isFolder: true }));
        fc.pre(!isOutput);
        const folder = join(root, "agent");
        const hasProject = given.hasProject && !files.includes("infra");
        const options = {
          directory: folder,
          rules,
          ...(hasProject && { projectFolder: join(folder, "infra") }),
        };
        const taken = (await listingOf(options)).files.map((each) => each.path);
        const git = [...given.git, "!langgraph.json"];
        expect(taken.filter((each) => files.includes(each))).toEqual(
          files.filter((each) => isTaken(each, { ...given, git, hasProject })).sort(),
        );
      },
    ),
    runs(60),
  );
});

const classes = "alpha digit alnum upper lower space blank punct xdigit cntrl graph print";
const gitLine = fc
  .array(
    fc.oneof(
      fc.constantFrom("*", "**", "***", "?", "/", "a", "data", "1", "]", "-", " ", "\t", "\\", "\\ "),
      fc.constantFrom(..."[!a] []a] [a-c] [c-a] [a-] [\\]a] [a\\-c] [[:alpha] [[:] [[:no:]]".split(" ")),
      fc
        .tuple(
          fc.constantFrom("", "!", "^"),
          fc.constantFrom("", "_", "a-"),
          fc.constantFrom(...classes.split(" ")),
          fc.constantFrom("", "-z", "[:digit:]"),
        )
        .map(([sign, start, name, end]) => `[${sign}${start}[:${name}:]${end}]`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""))
  // Nobody escapes a slash, and git then reads the two parts as one.
  .filter((line) => !line.includes("\\/"));
const single = [..."aAgz1-_][~ \t\r\v\u0001\\", "data"];
const gitPaths = [
  ...single.flatMap((name) => [name, `a/${name}`, `x/y/${name}`, `a${name}`, `${name}1`]),
  ...["data ", "data\t", "data\t ", "data/1/a"],
];

it("the lines of git's ignore files mean what git says", async () => {
  const root = makeSource({ ".gitignore": "" });
  execFileSync("git", ["-C", root, "init", "-q"]);
  await fc.assert(
    fc.asyncProperty(gitLine, fc.constantFrom("", "\n", "\r\n"), async (line, end) => {
      writeFileSync(join(root, ".gitignore"), line + end);
      const patterns = patternsIn(line + end, ".gitignore", "git");
      const isIgnored = (path: string) =>
        path.split("/").some((name, at, names) => {
          const entry = names.slice(0, at + 1).join("/") + (at < names.length - 1 ? "/" : "");
          return patterns.some((each) => each.matches(entry, entry.endsWith("/") ? `${name}/` : name));
        });
      // Ends with 1 if git ignores none of them.
      const check = ["-C", root, "check-ignore", "--no-index", "-z", "--stdin"];
      const { stdout } = spawnSync("git", check, { input: gitPaths.join("\0"), encoding: "utf8" });
      expect(gitPaths.filter(isIgnored)).toEqual(stdout.split("\0").filter(Boolean));
    }),
    runs(80),
  );
});
