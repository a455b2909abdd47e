/** What holds for a case: a general law by the kind of the fault and the request it hits, and what differs, as data. */
import type { Fault, Kind } from "./faults";
import type { Operation, Request } from "./operations";

export interface Law {
  readonly ends: "well" | "badly";
  /** How many deployments of the case's names the service has right after the run with the fault. */
  readonly leaves: number;
  /** Whether the state holds the resource then. */
  readonly held: boolean;
  /** What the user reads where it ends badly. */
  readonly says: readonly RegExp[];
  /** What the messages ask for before the next \`up\` can end well. */
  readonly repair: Repair;
}

export type Repair = "up" | "refresh" | "trigger";

/** How a request ends that is answered so each time, and whether its work is done then. */
interface Effect {
  readonly ends: Law["ends"];
  readonly done: boolean;
  readonly says?: readonly RegExp[];
  readonly repair?: Repair;
  /** Where they do not follow from the work. */
  readonly leaves?: number;
  readonly held?: boolean;
}

type AnswerKind = Exclude<Kind, "condition">;

const refused: Effect = { ends: "badly", done: false };
const unheard: Effect = { ends: "badly", done: true };
const worked: Effect = { ends: "well", done: true };

/** A work that was done is found out by looking, where doing it again would do it twice. */
const effects: Readonly<Record<AnswerKind, Partial<Record<Request, Effect>> & { readonly any: Effect }>> = {
  refusal: { any: refused },
  // What the list still holds is not taken as deleted.
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

/** A wait ends as the condition says; what does not wait takes a deployment as it is. */
function conditionEffect(operation: Operation, { condition, key }: Fault): Effect {
  // What is to be replaced stays until its replacement is ready.
  const old = operation.key === "rename-create" ? 1 : 0;
  if (!operation.waits || condition?.wait === undefined) return { ...worked, repair: "refresh" };
  if (condition.wait === "well") return worked;
  if (condition.wait === "gone") return { ...unheard, held: true, leaves: old, repair: "refresh" };
  return { ...unheard, held: true, leaves: old + 1, repair: key === "rollout-fails" ? "trigger" : "up" };
}

/** What is left on the service and in the state, by the work that the request was to do. */
function traces({ key, before }: Operation, { ends, done }: Effect): Pick<Law, "leaves" | "held"> {
  switch (key) {
    case "create":
      return { leaves: done ? 1 : 0, held: done };
    // The engine keeps what it deleted until the replacement is there.
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

/** Where a fault means something else to an operation than to the others of its kind. */
const differences: Readonly<Record<string, Effect>> = {
  // A creation that is refused so met the name of another deployment.
  "create 409": { ...refused, says: nameTaken },
  // It is looked up, and found.
  "create zstd": worked,
  "revision zstd": worked,
  // A deletion needs no words: it is believed once the deployment is gone.
  "delete zstd": worked,
  "delete wrong-shape": { ends: "badly", done: false, says: [notGone] },
  "delete empty-body": { ends: "badly", done: false, says: [notGone] },
  // What is gone needs no deletion, is made again where it is declared, and is not missed before someone polls.
  "settings deleted": { ends: "badly", done: false, leaves: 0, repair: "refresh" },
  "revision deleted": { ends: "badly", done: false, leaves: 0, repair: "refresh" },
  "adopt deleted": worked,
  "refresh deleted": worked,
  "preview deleted": { ...worked, leaves: 0, repair: "refresh" },
};
