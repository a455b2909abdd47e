/** Which configuration a stack has, from the files in the project's folder: without a network, a CLI or a passphrase. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { asObject, isObject, type Values } from "../../schema/tree";
import type { Io } from "./command";
import { projectFolder } from "./stack";

/**
 * Whether a key is set, encrypted or not. Undefined if the files do not say: outside of a project, without the stack's file,
 * or with an environment that adds configuration.
 */
export function stackFileOf(stack: string, io: Pick<Io, "cwd">): ((key: string) => boolean) | undefined {
  const folder = projectFolder(io);
  if (folder === undefined) return undefined;
  const project = yamlIn(join(folder, "Pulumi"));
  const { name, config, stackConfigDir = config } = project ?? {};
  const own = resolve(folder, typeof stackConfigDir === "string" ? stackConfigDir : "");
  const file = yamlIn(join(own, `Pulumi.${stack.split("/").at(-1)}`));
  if (file === undefined || file["environment"] !== undefined) return undefined;
  const full = (key: string) => (key.includes(":") ? key : `${String(name)}:${key}`);
  const defaults = Object.entries(asObject(config)).filter(([, value]) => hasValue(value));
  const keys = new Set([...defaults.map(([key]) => key), ...Object.keys(asObject(file["config"]))].map(full));
  return (key) => keys.has(full(key));
}

/** A project may also declare only the type of a key. */
function hasValue(declared: unknown): boolean {
  return !isObject(declared) || "value" in declared || "default" in declared;
}

function yamlIn(path: string): Values | undefined {
  for (const ending of ["yaml", "yml", "json"]) {
    try {
      return asObject(parse(readFileSync(`${path}.${ending}`, "utf8")));
    } catch {
      // Missing, or for the Pulumi CLI to refuse.
    }
  }
  return undefined;
}
