/** A copy of a packed example outside of the repository, with its packages installed. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";
import { createStack, type Stack } from "../../engine";
import { npmInstall } from "../../support/npm-install";
import { isLong } from "../../support/runs";

export interface Copied {
  readonly emulator: Emulator;
  readonly stack: Stack;
  /** The variables of a shell, without a connection to the service. Its commands ask no questions. */
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/** Examples that workflows.test.ts plays. Only `npm run test:long` plays their READMEs too. */
const playedElsewhere = ["03-ci", "08-pull-requests", "09-promote"];

export function inTurn<T extends { readonly example: string }>(all: readonly T[]): T[] {
  return all.filter(({ example }) => isLong || !playedElsewhere.includes(example));
}

/** Answers "yes". After the command in KILL_AFTER, such as `stack rm`, it kills its callers. */
const pulumiOf = (real: string) => `#!/bin/sh
command="$1 $2 "
case "$command" in
  up* | destroy* | import* | "stack rm "*) set -- "$@" --yes ;;
esac
"${real}" --non-interactive "$@" || exit
case "$command" in
  "$KILL_AFTER "*) [ -n "$KILL_AFTER" ] && kill -KILL 0 ;;
esac
exit 0
`;

const command = "node_modules/pulumi-deployment-service/dist/cli/main.js";

/** Does nothing for `emulator`, which is already running. */
const npx = `#!/bin/sh
shift
[ "$1" = emulator ] && exit 0
exec "${process.execPath}" ${command} "$@"
`;

/** The packages are installed already. */
const npm = `#!/bin/sh
case "$1" in
  install | ci) ;;
  test) exec "${process.execPath}" node_modules/vitest/vitest.mjs run ;;
  *) echo "unexpected: npm $*" >&2 && exit 1 ;;
esac
`;

export interface CopyOptions extends EmulatorOptions {
  /** A stack that is there already. */
  readonly existing?: string;
}

/** @param packed where the package was unpacked */
export function installedCopy(example: string, packed: string): { folder: string; cli: string } {
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  cpSync(join(packed, "examples", example), folder, { recursive: true });
  npmInstall(folder, packed);
  return { folder, cli: join(folder, command) };
}

/** @param packed where the package was unpacked */
export async function copyOf(
  example: string,
  packed: string,
  { existing = "other", ...service }: CopyOptions = {},
): Promise<Copied> {
  const { folder } = installedCopy(example, packed);
  const emulator = await startEmulator({ idSeed: 1, rollout: { polls: 2 }, ...service });
  const stack = await createStack({ program: folder, inPlace: true, stack: existing });
  const bin = join(dirname(stack.environment["PULUMI_HOME"]!), "bin");
  mkdirSync(bin);
  const { PATH = "", PULUMI_STACK: _, ...environment } = await stack.shell();
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  write("pulumi", pulumiOf(join(PATH.split(delimiter)[0]!, "pulumi")));
  write("npx", npx);
  write("npm", npm);
  cpSync(resolve("test/support/gh.mjs"), join(bin, "gh"));
  chmodSync(join(bin, "gh"), 0o755);
  return {
    emulator,
    stack,
    env: {
      ...environment,
      PATH: `${bin}${delimiter}${PATH}`,
      DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
    },
    async end() {
      await stack.dispose();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
