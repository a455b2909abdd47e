/** The cases: every operation times every fault, so that none can be forgotten. */
import { isTried } from "./exceptions";
import { faults, type Fault } from "./faults";
import { isLong } from "../support/runs";
import { lawOf } from "./laws";
import { operations, type Operation } from "./operations";

export type Adapter = "dynamic" | "packaged";

export interface FaultCase {
  readonly operation: Operation;
  readonly fault: Fault;
  /** The provider that the resource has. */
  readonly adapter: Adapter;
  /** Unique; the logical name of the case's resource, too. */
  readonly name: string;
  readonly held: Operation["held"];
}

/** Each call of the provider protocol that writes. The others of the same call differ in the core, which is one. */
const ofBoth = ["create", "settings", "revision", "delete"];

const all = operations.flatMap((operation) => faults.map((fault) => ({ operation, fault })));

const cases: readonly FaultCase[] = all
  .filter(({ operation, fault }) => isTried(operation, fault))
  .flatMap(({ operation, fault }) => {
    const held = heldBy(operation, fault);
    return adaptersOf(operation, fault, held).map((adapter) => ({
      operation,
      fault,
      adapter,
      name: `${operation.key}-${fault.key}${adapter === "packaged" ? "-packaged" : ""}`,
      held,
    }));
  });

/** What a plain run tries; `npm run test:long` tries all. */
export function casesOf(held: Operation["held"]): readonly FaultCase[] {
  const all = cases.filter((faultCase) => faultCase.held === held);
  if (isLong) return all;
  // Reading meets one fault of each kind, by one of the providers: the others differ where other operations meet them too.
  if (held === "process")
    return all.filter(({ fault, adapter }) => isFirst(fault) && adapter === inTurn(fault));
  return held === "engine" ? [...coveringSetOf(all)] : all;
}

const columnOf = ({ operation, adapter }: FaultCase) => `${operation.key} ${adapter}`;

/**
 * Each fault with one operation, which take turns, and each operation with each provider. One fault that is explained once for
 * all meets every operation.
 */
function coveringSetOf(all: readonly FaultCase[]): ReadonlySet<FaultCase> {
  const silent = all.filter(({ operation }) => operation.request === "none");
  const chosen = new Set(silent);
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

/** Both providers meet it in the same run of the engine; where each fault takes a process, one fault of each kind does. */
function adaptersOf({ key }: Operation, fault: Fault, held: Operation["held"]): Adapter[] {
  const isOfBoth = held === "process" ? isFirst(fault) : ofBoth.includes(key);
  return isOfBoth ? ["dynamic", "packaged"] : ["dynamic"];
}

const kinds = [...new Set(faults.map(({ kind }) => kind))];

function inTurn({ kind }: Fault): Adapter {
  return kinds.indexOf(kind) % 2 === 0 ? "dynamic" : "packaged";
}

function isFirst(fault: Fault): boolean {
  return faults.find(({ kind }) => kind === fault.kind) === fault;
}

/**
 * Reads of one connection share their requests: a response that goes wrong would be every case's. So each such fault
 * has a provider process of its own, which the engine could only start one after the other.
 */
function heldBy(operation: Operation, fault: Fault): Operation["held"] {
  return operation.request === "read" && operation.held === "engine" && fault.how !== undefined
    ? "process"
    : operation.held;
}

/** What a case's test is called. */
export function sentenceOf({ operation, fault, adapter }: FaultCase): string {
  const provider = adapter === "packaged" ? " with the packaged provider" : "";
  return `${operation.title}${provider}, when ${fault.title}, ends ${lawOf(operation, fault).ends}, and is whole in the end`;
}
