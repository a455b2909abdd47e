/** A rule for the linter: no module imports itself through others, types included. What is in a cycle cannot be read or moved alone. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*"(\.[^"]+)"/g;
const known = new Map();

/** The own modules that a module imports, read once for each run. */
function importsOf(file) {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file) {
  return [...readFileSync(file, "utf8").matchAll(specifiers)].flatMap(([, specifier]) => {
    const path = resolve(dirname(file), specifier);
    return [`${path}.ts`, resolve(path, "index.ts")].find((each) => existsSync(each)) ?? [];
  });
}

/** The way from a module to another one; undefined if there is none. */
function wayTo(target, from, seen = new Set()) {
  if (from === target) return [from];
  if (seen.has(from)) return undefined;
  seen.add(from);
  for (const next of importsOf(from)) {
    const way = wayTo(target, next, seen);
    if (way !== undefined) return [from, ...way];
  }
  return undefined;
}

export const noImportCycle = {
  create: (context) => ({
    Program(node) {
      const file = context.filename;
      for (const next of importsOf(file)) {
        const way = wayTo(file, next);
        if (way === undefined) continue;
        const names = [file, ...way].map((each) => each.replace(`${context.cwd}/`, ""));
        context.report({ node, message: `imports itself: ${names.join(" -> ")}` });
        return;
      }
    },
  }),
};
