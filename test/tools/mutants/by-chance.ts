/**
 * The share of faults drawn by chance that the unit and model tests notice, by folder.
 *
 *     npx tsx test/tools/mutants/by-chance.ts --seed 1 --each 10 --of deployment,archive
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { Copy, filesIn, root } from "./copy";
import { Imports } from "./imports";

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
async function faultsOf(files: readonly string[]): Promise<readonly Fault[]> {
  const place = join(root, ".cache/mutators");
  const main = join(place, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  if (!existsSync(main))
    execFileSync("npm", ["install", "--prefix", place, "@stryker-mutator/instrumenter@9.6.1"], {
      stdio: "ignore",
    });
  const { Instrumenter } = await import(pathToFileURL(main).href);
  const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
  const sources = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(root, name), "utf8"),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  return (await new Instrumenter(silent).instrument(sources, options)).mutants;
}

function offsetIn(source: string, { line, column }: Position): number {
  const before = source.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, column);
}

/** The tests that load the file, the likeliest to notice a fault in groups: what is quick comes first. */
function testsOf(file: string, imports: Imports): readonly (readonly string[])[] {
  const [, folder = "", name = ""] = file.split("/");
  const near = (test: string) =>
    basename(test).startsWith(basename(name, ".ts")) || imports.of(test).includes(file);
  const related = imports.reaching(file);
  const own = related.filter((test) => dirname(test) === `test/unit/${folder}`);
  return [
    own.filter(near),
    own.filter((test) => !near(test)),
    related.filter((test) => !own.includes(test) && test.startsWith("test/unit/")),
    related.filter((test) => test.startsWith("test/model/")),
  ].filter((group) => group.length > 0);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      each: { type: "string", default: "10" },
      of: { type: "string", default: "deployment,control-plane,manifest,archive,summary,cli,init" },
      skip: { type: "string", default: "0" },
    },
  });
  const copy = new Copy();
  const imports = new Imports();
  try {
    for (const folder of values.of.split(",")) {
      const whole = filesIn(`test/unit/${folder}`).filter((name) => imports.tests.includes(name));
      if (!copy.passes(whole)) throw new Error(`the tests of ${folder} fail without any fault`);
      const files = filesIn(`provider/${folder}`).filter((name) => name.endsWith(".ts"));
      const faults = await faultsOf(files);
      const one = fc.constantFrom(...faults);
      const drawn = fc
        .sample(one, { seed: Number(values.seed), numRuns: Number(values.each) })
        .slice(Number(values.skip));
      let killed = 0;
      for (const { fileName, location, mutatorName, replacement } of drawn) {
        const source = readFileSync(join(root, fileName), "utf8");
        const [from, to] = [offsetIn(source, location.start), offsetIn(source, location.end)];
        const text = source.slice(0, from) + replacement + source.slice(to);
        const began = Date.now();
        const lives = copy.with(
          fileName,
          text,
          () => testsOf(fileName, imports).every((group) => copy.passes(group)) && copy.compiles(),
        );
        if (!lives) killed++;
        const place = `${fileName}:${location.start.line + 1}`;
        const was = source.slice(from, to);
        process.stdout.write(
          `${lives ? "LIVES" : "dies "} ${Math.round((Date.now() - began) / 1000)}s ${place} ${mutatorName}\n`,
        );
        if (lives) process.stdout.write(`- ${was}\n+ ${replacement}\n`);
      }
      process.stdout.write(`${folder}: ${killed} of ${drawn.length} die\n`);
    }
  } finally {
    copy.remove();
  }
}

void main();
