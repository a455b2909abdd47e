/**
 * Whether the engine will find this package. It loads the provider in a process of its own, in the program's folder,
 * while the program may have found the package elsewhere: as a dependency of a dependency, or from another folder.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** Where a program is when it is loaded; it may go elsewhere later. */
const folder = process.cwd();
const packageName = "pulumi-deployment-service";
let isChecked = false;

/** Throws where the package is not found from the program's folder. Looks once in each process. */
export function requireInstalled(): void {
  // Mocks, and programs without an engine, load no provider.
  if (isChecked || pulumi.runtime.getEngine() === undefined) return;
  isChecked = true;
  const missing = missingFrom(folder);
  if (missing.length === 0) return;
  const [names, are] = [missing.join(" and "), missing.length === 1 ? "is" : "are"];
  if (!isInline()) {
    throw new pulumi.RunError(
      `${names} ${are} not found from ${folder}, where the engine loads the provider of ${packageName}: run ` +
        `\`npm install ${missing.join(" ")}\` there, or the same with your package manager`,
    );
  }
  // An inline program does not know its folder on the engine's side; this is where it is unless it says otherwise.
  void pulumi.log.warn(
    `${names} ${are} not found from ${folder}. If the engine cannot load the provider of ${packageName}, start this ` +
      "process in the folder where they are installed, or name that folder as `main` in the `projectSettings` of the " +
      "workspace, or as `workDir` if it has a Pulumi.yaml",
  );
}

/** The program's own process was not started by the engine. */
function isInline(): boolean {
  return process.env["PULUMI_NODEJS_ENGINE"] === undefined;
}

/** As the engine looks: for the SDK, and then as `providerText` says. */
function missingFrom(start: string): string[] {
  const sdk = resolveFrom(join(start, "index.js"), "@pulumi/pulumi/cmd/dynamic-provider");
  const own = [join(start, "index.js"), ...(sdk === undefined ? [] : [sdk])].some(
    (file) => resolveFrom(file, `${packageName}/provider`) !== undefined,
  );
  return [...(sdk === undefined ? ["@pulumi/pulumi"] : []), ...(own ? [] : [packageName])];
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}
