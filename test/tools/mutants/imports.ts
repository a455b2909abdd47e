/** Which files load which. */
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { filesIn, root } from "./copy";

const specifier = /(?:from|import|require|import\()\s*\(?"(\.[^"]*)"/g;

export class Imports {
  readonly #of = new Map<string, readonly string[]>();
  readonly tests = [...filesIn("test/unit"), ...filesIn("test/model")].filter(
    (name) => name.endsWith(".test.ts") && !name.includes(".nightly."),
  );

  /** What the file imports itself, of the project's own. */
  of(file: string): readonly string[] {
    const known = this.#of.get(file);
    if (known !== undefined) return known;
    const source = readFileSync(join(root, file), "utf8");
    const found = [...source.matchAll(specifier)].flatMap(([, to = ""]) => {
      const path = posix.join(posix.dirname(file), to.replace(/\.js$/, ""));
      return [`${path}.ts`, `${path}/index.ts`].filter((each) => existsSync(join(root, each))).slice(0, 1);
    });
    this.#of.set(file, found);
    return found;
  }

  /** Test files that load the file, themselves or through others. */
  reaching(file: string): readonly string[] {
    return this.tests.filter((test) => {
      const seen = new Set([test]);
      for (const each of seen) for (const next of this.of(each)) seen.add(next);
      return seen.has(file);
    });
  }
}
