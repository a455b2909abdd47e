import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";

/** Where and when it was measured: without it no time says anything. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  /** In GiB. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly cli: string;
  readonly date: string;
}

export async function thisMachine(): Promise<Machine> {
  const { findEngine } = await import("../../engine/engine.mjs");
  const engine = await findEngine();
  if (engine === undefined) throw new Error("There is no Pulumi CLI yet. Run: node test/setup.mjs");
  const cli = join(engine.folders[0] ?? "", "pulumi");
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memory: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    cli: execFileSync(cli, ["version"], {
      encoding: "utf8",
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    }).trim(),
    date: new Date().toISOString().slice(0, 10),
  };
}

export function describeMachine({ cores, memory, system, node, cli, date }: Machine): string {
  return `${date}, ${cores} cores, ${memory} GiB, ${system}, Node.js ${node}, Pulumi CLI ${cli}`;
}
