/** The cases: every operation with every fault. */
import { isTried } from "./exceptions";
import { faults, type Fault } from "./faults";
import { isLong } from "../support/runs";
import { lawOf } from "./laws";
import { operations, type Operation } from "./operations";

const adapters = ["dynamic", "packaged"] as const;
export type Adapter = (typeof adapters)[number];

export interface FaultCase {
  readonly operation: Operation;
  readonly fault: Fault;
  /** The provider of the resource. */
  readonly adapter: Adapter;
  /** Unique. Also the logical name of the case's resource. */
  readonly name: string;
}

/** One operation for each call of the protocol that writes. Others with the same call differ only in the core. */
const ofBoth = ["create", "settings", "revision", "delete"];

const all = operations.flatMap((operation) => faults.map((fault) => ({ operation, fault })));

const every: readonly FaultCase[] = all
  .filter(({ operation, fault }) => isTried(operation, fault))
  .flatMap(({ operation, fault }) =>
    adapters.slice(0, ofBoth.includes(operation.key) ? 2 : 1).map((adapter) => ({
      operation,
      fault,
      adapter,
      name: `${operation.key}-${fault.key}${adapter === "packaged" ? "-packaged" : ""}`,
    })),
  );

/**
 * Each fault with one operation, which take turns, and each operation with each provider. One fault that is explained once for
 * all meets every operation.
 */
function coveringSetOf(all: readonly FaultCase[]): ReadonlySet<FaultCase> {
  const chosen = new Set<FaultCase>();
  for (const [row, fault] of faults.entries()) {
    const met = all.filter((each) => each.fault === fault && !chosen.has(each));
    const isWhole = fault.key === "401";
    const turn = (row * 5) % met.length;
    for (const each of isWhole ? met : met.slice(turn, turn + 1)) chosen.add(each);
  }
  for (const each of all)
    if (![...chosen].some((other) => columnOf(other) === columnOf(each))) chosen.add(each);
  return chosen;
}

/** The cases of a plain run. `npm run test:long` tries all. */
export const cases: readonly FaultCase[] = isLong ? every : [...coveringSetOf(every)];

function columnOf({ operation, adapter }: FaultCase): string {
  return `${operation.key} ${adapter}`;
}

/** The name of a case's test. */
export function sentenceOf({ operation, fault, adapter }: FaultCase): string {
  const provider = adapter === "packaged" ? " with the packaged provider" : "";
  return `${operation.title}${provider}, when ${fault.title}, ends ${lawOf(operation, fault).ends}, and is whole in the end`;
}
