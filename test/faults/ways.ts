/** Ways to end a run in the middle. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Command, Result } from "../engine";
import { descendantsOf } from "../engine/descendants";
import { isMadeAndUnknown, type FaultCase } from "./cases";

export interface Way {
  readonly title: string;
  /** Whether the next run is refused until `pulumi cancel`. */
  readonly leavesLock: boolean;
  /** Whether the user must adopt what the run created but did not record. Undefined if it depends on timing. */
  readonly mustAdopt: (faultCase: FaultCase) => boolean | undefined;
  /** Whether the user refreshes first. */
  readonly refreshesFirst?: true;
  /** Ends the run. `cut` closes the connections that wait for a response. */
  readonly end: (command: Command, cut: () => void) => Promise<Result>;
}

export const ways = {
  engine: {
    title: "killing the engine alone",
    leavesLock: true,
    mustAdopt: isMadeAndUnknown,
    end: (command) => {
      process.kill(command.pid, "SIGKILL");
      return command.result;
    },
  },
  provider: {
    title: "killing the provider processes alone",
    leavesLock: false,
    mustAdopt: isMadeAndUnknown,
    end: (command) => {
      for (const pid of providersOf(command)) process.kill(pid, "SIGKILL");
      return command.result;
    },
  },
  everything: {
    title: "killing everything",
    leavesLock: true,
    mustAdopt: isMadeAndUnknown,
    refreshesFirst: true,
    end: (command) => command.kill("SIGKILL"),
  },
  "ctrl-c": {
    title: "Ctrl-C",
    leavesLock: false,
    mustAdopt: () => false,
    end: async (command, cut) => {
      pressCtrlC(command);
      // The waits have ended, so all operations have received the signal.
      await command.waitFor(/ing failed\*\*/);
      cut();
      return command.result;
    },
  },
  "ctrl-c-twice": {
    title: "Ctrl-C twice",
    leavesLock: false,
    // Waiting operations may have been recorded between the two signals.
    mustAdopt: (faultCase) =>
      faultCase.moment === "during" && isMadeAndUnknown(faultCase) ? undefined : isMadeAndUnknown(faultCase),
    end: async (command) => {
      pressCtrlC(command);
      await command.waitFor("^C received; cancelling");
      pressCtrlC(command);
      return command.result;
    },
  },
} satisfies Record<string, Way>;

/** A terminal signals the foreground group, which does not include the plugins. */
function pressCtrlC(command: Command): void {
  process.kill(-command.pid, "SIGINT");
}

/** The process of the dynamic provider and the one of the packaged provider. */
export function providersOf(command: Command): readonly number[] {
  const found = descendantsOf(command.pid).filter((pid) =>
    /^\S*node .*(dynamic-provider|plugin\/index\.js)/.test(commandLineOf(pid)),
  );
  if (found.length !== 2) throw new Error(`expected two provider processes, found ${found.length}`);
  return found;
}

function commandLineOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file)
    ? readFileSync(file, "utf8").replaceAll("\0", " ")
    : execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
