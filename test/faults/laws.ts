/** The law of a case, by the kind of its fault and the request that it hits, with exceptions as data. */
import type { Fault, Kind } from "./faults";
import type { Operation, Request } from "./operations";

export interface Law {
  readonly ends: "well" | "badly";
  /** How many deployments of the case the service has after the run with the fault. */
  readonly leaves: number;
  /** Whether the state holds the resource then. */
  readonly held: boolean;
  /** What the error says if the run fails. */
  readonly says: readonly RegExp[];
  /** What the messages ask for before the next \`up\` can end well. */
  readonly repair: Repair;
}

export type Repair = "up" | "refresh" | "trigger";

/** How an operation ends if its request is always answered like this, and whether the work is done. */
interface Effect {
  readonly ends: Law["ends"];
  readonly done: boolean;
  readonly says?: readonly RegExp[];
  readonly repair?: Repair;
  /** Set if they do not follow from the work. */
  readonly leaves?: number;
  readonly held?: boolean;
}

type AnswerKind = Exclude<Kind, "condition">;

const refused: Effect = { ends: "badly", done: false };
const unheard: Effect = { ends: "badly", done: true };
const worked: Effect = { ends: "well", done: true };

/** If a retry could do the work twice, the provider looks whether it was done. */
const effects: Readonly<Record<AnswerKind, Partial<Record<Request, Effect>> & { readonly any: Effect }>> = {
  refusal: { any: refused },
  // A deployment that the list still shows does not count as deleted.
  missing: { any: refused },
  "not done": { any: refused },
  done: { any: unheard, create: worked, revision: worked },
  misunderstood: { any: refused },
  harmless: { any: worked },
};

export function lawOf(operation: Operation, fault: Fault): Law {
  const effect = effectOf(operation, fault);
  const says = effect.says ?? [fault.says, fault.wayOut].filter((each) => each !== undefined);
  return {
    ends: effect.ends,
    leaves: effect.leaves ?? traces(operation, effect).leaves,
    held: effect.held ?? traces(operation, effect).held,
    says: effect.ends === "well" ? [] : says,
    repair: effect.repair ?? "up",
  };
}

function effectOf(operation: Operation, fault: Fault): Effect {
  const { request } = operation;
  const differing = differences[`${operation.key} ${fault.key}`] ?? differences[`${request} ${fault.key}`];
  if (differing !== undefined) return differing;
  if (request === "none") return { ...worked, repair: fault.condition === undefined ? "up" : "refresh" };
  if (fault.kind !== "condition") return effects[fault.kind][request] ?? effects[fault.kind].any;
  return conditionEffect(operation, fault);
}

/** A wait ends as the condition says. Operations without a wait accept the deployment as it is. */
function conditionEffect(operation: Operation, { condition, key }: Fault): Effect {
  // The replaced deployment stays until its replacement is ready.
  const old = operation.key === "rename-create" ? 1 : 0;
  if (!operation.waits || condition?.wait === undefined) return { ...worked, repair: "refresh" };
  if (condition.wait === "well") return worked;
  if (condition.wait === "gone") return { ...unheard, held: true, leaves: old, repair: "refresh" };
  return { ...unheard, held: true, leaves: old + 1, repair: key === "rollout-fails" ? "trigger" : "up" };
}

/** What is left on the service and in the state, by the work that was done. */
function traces({ key, before }: Operation, { ends, done }: Effect): Pick<Law, "leaves" | "held"> {
  switch (key) {
    case "create":
      return { leaves: done ? 1 : 0, held: done };
    // The state keeps the deleted resource until its replacement exists.
    case "replace-create":
      return { leaves: done ? 1 : 0, held: true };
    case "adopt":
    case "adopt-find":
      return { leaves: 1, held: ends === "well" };
    case "delete":
      return { leaves: done ? 0 : 1, held: ends === "badly" };
    case "replace-delete":
      return { leaves: ends === "badly" && done ? 0 : 1, held: true };
    case "rename-delete":
      return { leaves: done ? 1 : 2, held: true };
    default:
      return { leaves: 1, held: before === "stack" };
  }
}

const nameTaken = [/answered 409 Conflict: .*\[secret\]/, /adopt: true/];
const notGone = /the deployment was not deleted within 10s/;

/** Faults that affect one operation differently than others of its kind. */
const differences: Readonly<Record<string, Effect>> = {
  // A creation that is refused like this found its name taken.
  "create 409": { ...refused, says: nameTaken },
  // The provider looks it up, and finds it.
  "create zstd": worked,
  "revision zstd": worked,
  // The response to a deletion does not matter: the provider polls until the deployment is gone.
  "delete zstd": worked,
  "delete wrong-shape": { ends: "badly", done: false, says: [notGone] },
  "delete empty-body": { ends: "badly", done: false, says: [notGone] },
  // A missing deployment needs no deletion, is created again if declared, and is noticed only by a poll.
  "settings deleted": { ends: "badly", done: false, leaves: 0, repair: "refresh" },
  "revision deleted": { ends: "badly", done: false, leaves: 0, repair: "refresh" },
  "adopt deleted": worked,
  "refresh deleted": worked,
  "preview deleted": { ...worked, leaves: 0, repair: "refresh" },
};
