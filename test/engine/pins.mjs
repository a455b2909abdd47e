import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first CLI whose `read` may hand back inputs; the provider depends on it. */
export const oldestCli = "3.216.0";

const modulesFolder = fileURLToPath(new URL("./cli/", import.meta.url));

/** The Go modules a CLI is built from, in build order. Their go.mod files are the only place with versions. */
export const modules = ["language-nodejs", "pulumi"].map((name) => ({
  name,
  folder: join(modulesFolder, name),
}));

const goMod = readFileSync(join(modulesFolder, "pulumi", "go.mod"), "utf8");

/** The version of the CLI that is built, without the "v". */
export const builtCli = match(/^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m);

/** The oldest Go that builds it. */
export const oldestGo = match(/^go (\S+)$/m);

/** Changes with anything that changes the binaries: the modules, the machine's kind, this recipe. */
export function buildFingerprint() {
  const recipe = 1;
  const hash = createHash("sha256").update(`${recipe} ${process.platform} ${process.arch}\n`);
  for (const { folder } of modules) {
    for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

function match(pattern) {
  const found = pattern.exec(goMod);
  if (!found) throw new Error(`test/engine/cli/pulumi/go.mod has no line like ${pattern}`);
  return found[1];
}
