/**
 * The share of faults drawn by chance that the unit and model tests notice, by folder.
 *
 *     npx tsx test/tools/mutants/by-chance.ts --seed 1 --each 10 --of deployment,archive
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { Copy, filesIn, root } from "./copy";

interface Position {
  readonly line: number;
  readonly column: number;
}

/** As the library lists it; lines and columns begin at 0. */
interface Fault {
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  readonly replacement: string;
}

/** The library's mutators, installed beside the project: a build has no use for its 67 packages. */
async function faultsOf(files: readonly string[], copy: Copy): Promise<readonly Fault[]> {
  const place = join(root, ".cache/mutators");
  const main = join(place, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  if (!existsSync(main)) {
    const install = ["install", "--prefix", place, "@stryker-mutator/instrumenter@9.6.1"];
    execFileSync("npm", install, { stdio: "ignore" });
  }
  const { Instrumenter } = await import(pathToFileURL(main).href);
  const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
  const sources = files.map((name) => ({ name, mutate: true, content: copy.read(name) }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  return (await new Instrumenter(silent).instrument(sources, options)).mutants;
}

function offsetIn(source: string, { line, column }: Position): number {
  const before = source.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, column);
}

const allTests = [...filesIn("test/unit"), ...filesIn("test/model")].filter(
  (name) => name.endsWith(".test.ts") && !name.includes(".nightly."),
);
/** Some of a command's tests are next to those of the other commands. */
const testsOf = (folder: string) =>
  allTests.filter(
    (test) => dirname(test) === `test/unit/${folder}` || test.startsWith(`test/unit/cli/${folder}`),
  );

/** All tests, in groups: those that are likely to notice a fault come first. */
function groupsFor(file: string, folder: string): readonly (readonly string[])[] {
  const own = testsOf(folder);
  const near = own.filter((test) => basename(test).startsWith(basename(file, ".ts")));
  const groups = [
    near,
    own.filter((test) => !near.includes(test)),
    allTests.filter((test) => !own.includes(test)),
  ];
  return groups.filter((group) => group.length > 0);
}

/** Prints what becomes of faults that are drawn from a folder. */
async function play(folder: string, seed: number, count: number): Promise<void> {
  const copy = new Copy();
  try {
    // Some folders are tested by those of others alone.
    const own = testsOf(folder);
    if (own.length > 0 && !copy.passes(own)) throw new Error(`the tests of ${folder} fail without any fault`);
    const files = filesIn(/^(schema|cli)/.test(folder) ? folder : `provider/${folder}`).filter((name) =>
      name.endsWith(".ts"),
    );
    const drawn = fc.sample(fc.constantFrom(...(await faultsOf(files, copy))), { seed, numRuns: count });
    let dead = 0;
    for (const { fileName, location, mutatorName, replacement } of drawn) {
      const source = copy.read(fileName);
      const [from, to] = [offsetIn(source, location.start), offsetIn(source, location.end)];
      const faulty = source.slice(0, from) + replacement + source.slice(to);
      const lives = copy.with(
        fileName,
        faulty,
        () => groupsFor(fileName, folder).every((group) => copy.passes(group)) && copy.compiles(),
      );
      process.stdout.write(
        `${lives ? "LIVES" : "dies "} ${fileName}:${location.start.line + 1} ${mutatorName}\n`,
      );
      if (lives) process.stdout.write(`- ${source.slice(from, to)}\n+ ${replacement}\n`);
      else dead++;
    }
    process.stdout.write(`${folder}: ${dead} of ${drawn.length} die\n`);
  } finally {
    copy.remove();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      each: { type: "string", default: "10" },
      of: { type: "string", default: "deployment,control-plane,manifest,archive,cli" },
    },
  });
  for (const folder of values.of.split(",")) await play(folder, Number(values.seed), Number(values.each));
}

void main();
