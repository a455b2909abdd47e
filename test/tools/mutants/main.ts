/** Plays the faults of `test/mutants.ts`, one after the other, in a copy of the project. `npm run test:mutants -- adopt` */
import { mutants, type Mutant } from "../../mutants";
import { Copy } from "./copy";

const asked = process.argv.slice(2);
const chosen = mutants.filter(({ file }) => asked.length === 0 || asked.some((each) => file.includes(each)));

/** Undefined if the tests notice the fault. */
function survival(copy: Copy, { file, text, replacement, tests }: Mutant): string | undefined {
  const source = copy.read(file);
  if (source.split(text).length !== 2) return "its text does not stand once in the file";
  const faulty = source.replace(text, () => replacement);
  return copy.with(file, faulty, () => (copy.passes(tests) ? "no test notices it" : undefined));
}

const copy = new Copy();
try {
  const tests = [...new Set(chosen.flatMap((each) => each.tests))];
  if (!copy.passes(tests)) throw new Error("the tests fail without any fault");
  let alive = 0;
  for (const mutant of chosen) {
    const problem = survival(copy, mutant);
    if (problem !== undefined) alive++;
    const [line] = mutant.text.split("\n");
    const fault = `${mutant.file}: ${line} -> ${mutant.replacement.trim()}`;
    process.stdout.write(problem === undefined ? `dies   ${fault}\n` : `LIVES  ${fault}: ${problem}\n`);
  }
  process.stdout.write(`${chosen.length - alive} of ${chosen.length} faults die\n`);
  process.exitCode = alive === 0 ? 0 : 1;
} finally {
  copy.remove();
}
