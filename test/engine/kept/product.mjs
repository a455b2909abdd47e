/** The product is loaded anew for each run, as it is by a process of its own. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folders = ["dist", "plugin"].map((name) =>
  fileURLToPath(new URL(`../../../${name}/`, import.meta.url)),
);

/** As a project has it that installed it. */
const installed = /[\\/]node_modules[\\/]pulumi-deployment-service[\\/]/;

/** `isOther` tells what else is to be loaded anew. */
export function forgetProduct(isOther) {
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache))
    if (folders.some((folder) => file.startsWith(folder)) || installed.test(file) || isOther(file))
      delete cache[file];
}
