/** What an update would do. It says more than the dynamic provider protocol can pass on. */
import type { Dialect } from "../dialects";
import { withImmutable } from "./immutable";
import { besidesOf, planChanges, reasonsOf, uncleared, type FieldChange, type Plan, isCovered } from "./plan";
import { listsIn, unmanagedAfter } from "./keep";
import type { Planned, State } from "./state";
import { formatPath, isObject, type Values } from "../../schema/tree";

export interface Diff {
  readonly plan: Plan;
  /** A rollout of an earlier run has not been seen to end; an update resumes waiting for it. */
  readonly resumes: boolean;
  /** The old deployment must go before the new one can have its name. */
  readonly deleteBeforeReplace: boolean;
  /** One line for the user; undefined when nothing is to be done. */
  readonly explanation: string | undefined;
  /** What changed in a folder of source code, by name. */
  readonly details: readonly string[];
  /** What the user may not expect of it. */
  readonly warnings: readonly string[];
}

export interface DiffOptions {
  /** Paths whose change is to replace the deployment, because the program says so. */
  readonly replaceOnChanges?: readonly string[] | undefined;
  /** The program gave the deployment to another service or tenant. */
  readonly isMoved?: boolean;
}

export function diff(
  state: State,
  declared: Planned,
  dialect: Dialect,
  { replaceOnChanges = [], isMoved = false }: DiffOptions = {},
): Diff {
  const { arguments: args } = declared;
  const kept = planFor(state, args, dialect);
  const plan: Plan = isMoved ? { kind: "replacement", changes: [...kept.changes, move] } : kept;
  const resumes = resumesRollout(state, declared);
  // Another service or tenant has names of its own.
  const deleteBeforeReplace = state.arguments.name === args["name"] && !isMoved;
  const name = state.arguments.name ?? (typeof args["name"] === "string" ? args["name"] : "deployment");
  const shown = withReplacements(plan, replaceOnChanges);
  const generation = generationAfter(plan, state, declared);
  const comesTo =
    generation === declared.generation
      ? ""
      : `; generation comes to ${generation}, since the update before did not end well`;
  const explanation = explain(name, shown, resumes, comesTo) ?? readyLater(name, shown, args);
  const warnings =
    shown.kind === "replacement"
      ? [...keptName(state, deleteBeforeReplace, dialect), ...lostByReplacement(state, args)]
      : [...keptValues(uncleared(shown)), ...replacedLists(shown, state, args)];
  return {
    plan,
    resumes,
    deleteBeforeReplace,
    explanation,
    details: shown.changes.flatMap(({ path, names }) =>
      names === undefined ? [] : [`${name}: ${formatPath(path)}: ${names}`],
    ),
    warnings: warnings.map((warning) => `${name}: ${warning}`),
  };
}

/** Whether an update waits for a rollout that an earlier run has not seen the end of. */
export function resumesRollout(state: State, { arguments: args }: Planned): boolean {
  return state.private.rollout !== undefined && args["skipAwait"] !== true;
}

/** A changed `ready` alone rolls nothing out, and what already runs is not asked. */
function readyLater(name: string, { changes }: Plan, { ready }: Values): string | undefined {
  const isChanged = changes.some(({ path: [first] }) => first === "ready");
  if (!isChanged || ready === undefined) return undefined;
  return `${name}: checks \`ready\` from its next rollout on; nothing is sent now`;
}

function keptValues(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const are = paths.length === 1 ? "is" : "are";
  const keeps = paths.length === 1 ? "the last value stays" : "the last values stay";
  return [`${paths.join(", ")} ${are} not declared any more, and this service cannot clear that: ${keeps}`];
}

/** The service may have more in the lists of an imported or adopted deployment than the program declares. */
function replacedLists({ changes }: Plan, state: State, declared: Values): string[] {
  if (!state.private.takenOver) return [];
  return listsIn(changes, state.arguments, declared).map(
    (path) =>
      `${formatPath(path)} on the service is replaced as a whole: what the program leaves out there will be lost`,
  );
}

/** What replaces an imported or adopted deployment is made of what the program declares, and of that alone. */
function lostByReplacement(state: State, declared: Values): string[] {
  if (!state.private.takenOver) return [];
  const secrets = unmanagedAfter(state, declared);
  const such = secrets.length > 0 ? `the secrets ${secrets.join(", ")}, and ` : "";
  return [
    `the replacement will not have what the program does not declare: ${such}whatever else was set outside of it. Declare ` +
      "first what is to stay",
  ];
}

/** A replacement under the same name, where the service keeps the name taken after the deletion. */
function keptName(state: State, isSameName: boolean, { nameKeeper }: Dialect): string[] {
  if (!isSameName || nameKeeper === undefined || state.arguments[nameKeeper.freedBy] === true) return [];
  const { what, freedBy } = nameKeeper;
  return [
    `after the deletion ${what} keeps the name taken, so that creating it anew will be refused: delete it in the ` +
      `service, or first set \`${freedBy}: true\` alone and run \`pulumi up\`, or choose another name`,
  ];
}

function withReplacements(plan: Plan, paths: readonly string[]): Plan {
  const isReplacing = ({ path }: FieldChange) => isCovered(path, paths);
  if (!plan.changes.some(isReplacing)) return plan;
  const changes = plan.changes.map((change): FieldChange => {
    return isReplacing(change) ? { ...change, kind: "replacement" } : change;
  });
  return { kind: "replacement", changes };
}

/** @param declared the arguments */
export function planFor(state: State, declared: Values, dialect: Dialect): Plan {
  const { immutable, filledIn = {} } = state.private;
  const had = withImmutable(withStated(state.arguments, filledIn, declared), immutable);
  return planChanges(had, declared, dialect);
}

/** Values with what the service had filled in, as far as the program states it now. */
function withStated(values: Values, filledIn: Values, declared: Values): Values {
  const stated = Object.entries(filledIn).flatMap(([name, value]): [string, unknown][] => {
    const [own, now] = [values[name], declared[name]];
    if (now === undefined) return [];
    if (isObject(value) && isObject(now)) return [[name, withStated(isObject(own) ? own : {}, value, now)]];
    return own === undefined ? [[name, value]] : [];
  });
  return { ...values, ...Object.fromEntries(stated) };
}

/** The comparison of the arguments does not show a move. */
const move: FieldChange = {
  path: ["provider"],
  patchPath: ["provider"],
  kind: "replacement",
  cannotClear: false,
};

/**
 * Never less than before. A check sees the inputs of the last update that ended well, so that after one that did not its
 * count is behind.
 */
export function generationAfter(plan: Plan, state: State, declared: Planned): number {
  const before = state.generation ?? 1;
  const counted = typeof declared.generation === "number" ? declared.generation : 1;
  return Math.max(counted, plan.kind === "revision" ? before + 1 : before);
}

/** @param comesTo the generation that the update comes to, where a preview shows another */
function explain(name: string, plan: Plan, resumes: boolean, comesTo: string): string | undefined {
  const reasons = reasonsOf(plan).join(", ");
  const besides = besidesOf(plan).join(", ");
  const also = besides === "" ? "" : `; also changes ${besides}`;
  switch (plan.kind) {
    case "replacement":
      return `${name}: replaces the deployment (${reasons})${also}`;
    case "revision":
      return `${name}: creates a new revision (${reasons})${also}${comesTo}`;
    case "settings":
      return `${name}: updates settings, no new revision (${reasons})`;
    case "none":
      return resumes ? `${name}: resumes waiting for its last rollout, no new revision` : undefined;
  }
}
