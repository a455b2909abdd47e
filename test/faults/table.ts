/** The cases: every operation times every fault, so that none can be forgotten. */
import { isTried } from "./exceptions";
import { faults, type Fault } from "./faults";
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

export function casesOf(held: Operation["held"]): readonly FaultCase[] {
  return cases.filter((faultCase) => faultCase.held === held);
}

/** Both providers meet it in the same run of the engine; where each fault takes a process, one fault of each kind does. */
function adaptersOf({ key }: Operation, fault: Fault, held: Operation["held"]): Adapter[] {
  const isFirst = faults.find(({ kind }) => kind === fault.kind) === fault;
  const isOfBoth = held === "process" ? isFirst : ofBoth.includes(key);
  return isOfBoth ? ["dynamic", "packaged"] : ["dynamic"];
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
