import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * The processes that `pid` started, and those that they started. The CLI puts its plugins into
 * process groups of their own, so a signal to its group does not reach them.
 */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of existsSync("/proc/self/stat") ? fromProc() : fromPs()) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Pairs of process and parent. Slim containers have no ps. */
function fromProc(): [number, number][] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        // "pid (name) state parent …": the name may hold spaces and brackets.
        const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [[Number(name), Number(parent)]];
      } catch {
        return []; // It ended while we looked.
      }
    });
}

function fromPs(): [number, number][] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line): [number, number] => {
    const [pid, parent] = line.trim().split(/\s+/);
    return [Number(pid), Number(parent)];
  });
}

/** To a process, or with a minus to a group of them. */
export function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It ended a moment ago.
  }
}
