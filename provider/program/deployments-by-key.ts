/** What `fromManifest` returns. A program that still uses the old key of a renamed deployment fails with the keys that there are. */
import { relative } from "node:path";
import { deploymentKey } from "../../schema/manifest";
import { didYouMeanText } from "../../schema/problems";
import { firstOf } from "../text/first-of";
import { sanitize } from "../text/sanitize";
import type { Deployment } from "./deployment";
import { InputError } from "./input-error";

/** What runtimes and libraries ask of any object; the other names that they ask for cannot be keys. */
const askedOfAnything = new Set([
  "then",
  "default",
  "toJSON",
  "asymmetricMatch",
  "nodeType",
  "length",
  "inspect",
  "doNotCapture",
]);

/**
 * @param elsewhere the keys of deployments that only other stacks have, which are undefined
 */
export function byKey(
  deployments: Record<string, Deployment>,
  file: string,
  elsewhere: ReadonlySet<string>,
): Record<string, Deployment> {
  return new Proxy(deployments, {
    get: function get(target, name, receiver) {
      const isKnown = typeof name === "symbol" || name in target || elsewhere.has(name);
      if (isKnown || askedOfAnything.has(name) || !deploymentKey.test(name))
        return Reflect.get(target, name, receiver) as unknown;
      const keys = Object.keys(target);
      const there = keys.length === 0 ? "it has none in this stack" : `it has ${firstOf(keys)}`;
      throw new InputError(
        `${sanitize(file)} has no deployment "${name}", which ${callerOf(get)} asks for: ${there}${didYouMeanText(name, keys) || "."} ` +
          "If its key has changed, change it in the program too",
      );
    },
  });
}

/** The file and line in the program, relative to its folder. */
function callerOf(called: object): string {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, called as () => unknown);
  const [, path, line] = /^ +at (?:.*\()?(?:file:\/\/)?(.+):(\d+):\d+\)?$/m.exec(at.stack ?? "") ?? [];
  return path === undefined ? "the program" : sanitize(`${relative(process.cwd(), path)}:${line}`);
}
