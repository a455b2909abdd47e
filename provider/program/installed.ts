/**
 * Checks that the engine can find this package. The engine loads the provider in a separate process, from the program's folder,
 * but the program may have found the package elsewhere: as a transitive dependency, or from another folder.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/** The working directory when the program is loaded, which may change later. */
const folder = process.cwd();
const packageName = "pulumi-deployment-service";
let isChecked = false;

/** Throws if the package cannot be found from the program's folder. Checks once per process. */
export function requireInstalled(): void {
  // Without an engine, or with mocks, no provider is loaded.
  if (isChecked || pulumi.runtime.getEngine() === undefined) return;
  isChecked = true;
  const missing = missingFrom(folder);
  if (missing.length === 0) return;
  const names = missing.join(" and ");
  const are = missing.length === 1 ? "is" : "are";
  if (isStartedByEngine()) {
    throw new pulumi.RunError(
      `${names} ${are} not installed in ${folder}, from which the engine loads the provider of ${packageName}: run ` +
        `\`npm install ${missing.join(" ")}\` there, or use your package manager`,
    );
  }
  // An inline program does not know the folder that the engine uses; by default, it is this one.
  void pulumi.log.warn(
    `${names} ${are} not installed in ${folder}. If the engine cannot load the provider of ${packageName}, start this ` +
      "process in the folder where they are installed, or set `main` in the workspace's `projectSettings` to that folder, " +
      "or `workDir` if it has a Pulumi.yaml",
  );
}

/** Runs a program, or a component's plugin, which gets the engine's address as an argument. Both start in the program's folder. */
function isStartedByEngine(): boolean {
  return process.env["PULUMI_NODEJS_ENGINE"] !== undefined || /^127\.0\.0\.1:\d+$/.test(process.argv.at(-1)!);
}

/** Resolves like the engine: first the SDK, then the module that `providerText` requires. */
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
