/** Cases that are not tried, with the reasons. */
import type { Fault } from "./faults";
import { lawOf } from "./laws";
import type { Operation } from "./operations";

interface Rule {
  readonly reason: string;
  readonly operations: readonly string[];
  readonly faults: (fault: Fault, operation: Operation) => boolean;
}

const hasRollout = ({ condition }: Fault) =>
  condition?.rollout !== undefined && condition.before === undefined;
const isBefore = ({ condition }: Fault) => condition?.before !== undefined && condition.rollout === undefined;

const stopsAtDeletion = (fault: Fault, operation: Operation) =>
  fault.connection !== undefined ||
  (operation.key === "replace-delete" && lawOf(operation, fault).ends === "badly");

const rules: readonly Rule[] = [
  {
    reason: "it makes no revision, so there is no rollout",
    operations: ["preview", "settings", "delete"],
    faults: hasRollout,
  },
  {
    reason: "it takes a deployment as it is, whatever is being rolled out",
    operations: ["refresh"],
    faults: hasRollout,
  },
  { reason: "there is no deployment before it", operations: ["create"], faults: isBefore },
  {
    reason:
      "the reads of one connection share their requests, so that its response would be that of every case",
    operations: ["refresh"],
    faults: ({ how }) => how !== undefined,
  },
  {
    reason: "adopting meets it",
    operations: ["adopt-find"],
    faults: ({ condition }) => condition !== undefined,
  },
  {
    reason: "creating the replacement meets it",
    operations: ["replace-delete", "rename-delete"],
    faults: hasRollout,
  },
  {
    reason: "creating the replacement meets it before",
    operations: ["rename-delete"],
    faults: ({ connection }) => connection !== undefined,
  },
  {
    reason:
      "after a failed deletion before a replacement, `up --continue-on-error` waits for ever, whatever the provider is: deleting meets it, and creating after it",
    operations: ["replace-delete", "replace-create"],
    faults: stopsAtDeletion,
  },
  {
    reason: "adoption goes by the name: what has another is not looked for",
    operations: ["adopt"],
    faults: ({ key }) => key === "renamed",
  },
];

export function isTried(operation: Operation, fault: Fault): boolean {
  return !rules.some((rule) => rule.operations.includes(operation.key) && rule.faults(fault, operation));
}
