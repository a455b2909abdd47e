/** How the user can start the Pulumi CLI. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { EnvironmentVariables } from "../../provider/settings/table";

/** A folder that `npx` puts on the PATH of the command that it runs, but that is not on the user's own. */
const ofNpx = /node_modules[\\/]\.bin[\\/]?$/;

/** Commands to show, with `npx pulumi` instead of `pulumi` if there is no Pulumi CLI on the PATH. */
export function typedCommands(commands: readonly string[], env: EnvironmentVariables): string[] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((each) => each !== "" && !ofNpx.test(each));
  const isInstalled = ["pulumi", "pulumi.exe"].some((file) =>
    folders.some((folder) => existsSync(join(folder, file))),
  );
  return isInstalled ? [...commands] : commands.map((each) => each.replace(/^ *(?=pulumi )/, "$&npx "));
}

/** For files that are read on machines with and without it. */
export const withoutCli = "If the Pulumi CLI is not installed, write `npx pulumi` instead of `pulumi`.";
