/**
 * A module is loaded when it is first used, and not by whoever imports it. A program that
 * only declares deployments loads neither YAML nor HTTP.
 *
 * What the compiler writes for `import { a } from "b"` is `const b_1 = require("b")`, and `b_1.a` wherever it is used.
 */
const requirement = /^(?:const|var) (\w+_\d+) = (require\("[^"]+"\));$/gm;
/**
 * An export of another module's. Node.js reads the names of exports from the text, and would leave out one whose getter it
 * does not understand; it finds them where the compiler declares all of them before.
 */
const reexport =
  /^Object\.defineProperty\(exports, ("\w+"), \{ enumerable: true, get: function \(\) \{ return (.+); \} \}\);$/gm;

/** @param code of a module, as the compiler writes it */
export function lazy(code) {
  const names = [...code.matchAll(requirement)].map(([, name]) => name);
  if (names.length === 0) return code;
  // Behind a dot it is the name of a member, unless the dot is the last of a spread's three.
  const used = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)(${[...new Set(names)].join("|")})\\.`, "g");
  return code
    .replace(requirement, "let $1$; const $1 = () => ($1$ ??= $2);")
    .replace(used, "($1()).")
    .replace(reexport, "Object.defineProperties(exports, { [$1]: { enumerable: true, get: () => $2 } });");
}
