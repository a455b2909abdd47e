/** What a preview says of the deployments of a program, and of the rest of it in numbers. */
import { redactor, type Redact } from "../text/redact";
import { changesOf, generationsOf, inputsOf, secretPathsOf, type Change } from "./changes";
import type { Preview, State, Step } from "./preview";
import { logicalName, typeIn } from "../urn";
import { secretMark, withoutSecrets } from "./secret";

/** Of the most important first. */
export const actions = ["replacement", "deletion", "revision", "creation", "settings", "other"] as const;
export type Action = (typeof actions)[number];

export interface DeploymentChange {
  /** The logical name. */
  readonly name: string;
  readonly action: Action;
  /** The engine's own word for it. */
  readonly operation: string;
  /** Paths of the arguments that make it a replacement or a new revision. */
  readonly reasons: readonly string[];
  readonly changes: readonly Change[];
  /** It is replaced, and the old one goes first. */
  readonly isDownMeanwhile: boolean;
}

/** What a refresh found to be otherwise than the program had made it. */
export interface Drift {
  readonly name: string;
  readonly isDeleted: boolean;
  /** From what was declared to what is there. */
  readonly changes: readonly Change[];
}

export interface Diagnostic {
  /** The logical name of the resource that it is about, if it is about one. */
  readonly name: string | undefined;
  readonly message: string;
}

export interface Summary {
  /** As far as the preview says. */
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** What was compared is the state with the service, and nothing else is going to be done. */
  readonly isRefresh: boolean;
  readonly deployments: readonly DeploymentChange[];
  readonly unchanged: number;
  readonly changedByHand: readonly Drift[];
  /** Other resources of the program by operation. */
  readonly others: Readonly<Record<string, number>>;
  /** Whether resources that are no deployments may be among those unchanged. */
  readonly mixed: boolean;
  readonly failures: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

const types = ["pulumi-nodejs:dynamic/deployment-service:Deployment", "deployment-service:index:Deployment"];

export function summaryOf(preview: Preview): Summary {
  const secrets = new Set<string>();
  const byUrn = new Map<string, Step[]>();
  for (const step of preview.steps ?? []) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const isRefresh = isOnlyRefresh([...byUrn.values()]);
  const groups = isRefresh ? [] : [...byUrn.values()].map(withoutRefresh).filter(({ length }) => length > 0);
  for (const step of preview.steps ?? []) collectSecrets(step, secrets);

  const redact = redactor([...secrets]);

  const isOurs = ([step]: Step[]) => types.includes(typeIn(step!.urn));
  const isSame = (steps: Step[]) => steps.every(({ op }) => op === "same");
  const ours = groups.filter(isOurs);
  const deployments = ours
    .filter((steps) => !isSame(steps))
    .map((steps) => changeOf(steps, explanationOf(steps[0]!.urn, preview), redact))
    .sort((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || compare(a.name, b.name));

  const others: Record<string, number> = {};
  for (const steps of groups.filter((each) => !isOurs(each) && typeIn(each[0]!.urn) !== stackType)) {
    const operation = operationOf(steps);
    others[operation] = (others[operation] ?? 0) + 1;
  }
  // Unless it is asked to, the engine only counts what stays as it is.
  const listed = groups.filter(isSame);
  const notListed = Math.max(0, (preview.changeSummary?.["same"] ?? 0) - listed.length);
  const told = (severity: string) => diagnosticsOf(preview, severity, redact);
  const failures = told("error");
  const changedByHand = [...byUrn.values()]
    .filter(isOurs)
    .flatMap((steps) => driftOf(steps, isRefresh, failures.length === 0, redact))
    .sort((a, b) => compare(a.name, b.name));
  // What only the service decides, the newest revision say, may have changed: nobody has done that by hand.
  const asItWas = [...byUrn.values()].filter(isOurs).length - changedByHand.length;
  const unchanged = isRefresh ? asItWas : ours.filter(isSame).length + notListed;
  return {
    ...placeOf(preview),
    isRefresh,
    deployments,
    unchanged,
    changedByHand,
    others,
    mixed: !isRefresh && notListed > 0,
    failures,
    warnings: [...told("warning"), ...renamesIn(ours)],
  };
}

const stackType = "pulumi:pulumi:Stack";

/** With `--refresh` the engine lists each resource that it has looked at, before what is to be done. */
function withoutRefresh(steps: Step[]): Step[] {
  return steps.filter(({ op }) => op !== "refresh");
}

/** `pulumi refresh --preview-only`: then the steps are what it found, and no resource has two. */
function isOnlyRefresh(groups: readonly Step[][]): boolean {
  const isLooked = groups.some((steps) => steps.some(({ op }) => op === "refresh"));
  return isLooked && groups.every(({ length }) => length === 1);
}

/** @param isWhole whether what comes after the refresh is all there */
function driftOf(steps: readonly Step[], isRefresh: boolean, isWhole: boolean, redact: Redact): Drift[] {
  const [looked, next] = isRefresh
    ? [steps[0]!, steps[0]!]
    : [steps.find(({ op }) => op === "refresh"), steps.find(({ op }) => op !== "refresh")];
  if (looked?.oldState === undefined || (isRefresh && looked.op === "refresh")) return [];
  const found = isRefresh ? looked.newState : next?.oldState;
  const name = logicalName(looked.urn);
  if (found === undefined) return isWhole ? [{ name, isDeleted: true, changes: [] }] : [];
  const { diffReasons, detailedDiff } = isRefresh ? looked : {};
  const step: Step = {
    op: "refresh",
    urn: looked.urn,
    oldState: looked.oldState,
    newState: found,
    diffReasons,
    detailedDiff,
  };
  const changes = changesOf(step).map((change) => redacted(change, redact));
  return changes.length === 0 ? [] : [{ name, isDeleted: false, changes }];
}

/** One name on the service that is deleted and created in one run: a key or a logical name that was changed, most likely. */
function renamesIn(ours: readonly Step[][]): Diagnostic[] {
  const having = (op: string, state: "oldState" | "newState") =>
    ours.flatMap((steps) =>
      steps.filter((step) => step.op === op).map((step) => ({ step, name: inputsOf(step[state])["name"] })),
    );
  const deleted = having("delete", "oldState");
  return having("create", "newState").flatMap(({ step, name }) => {
    const former = deleted.find((other) => typeof name === "string" && other.name === name);
    if (former === undefined || name === secretMark) return [];
    const [now, before] = [logicalName(step.urn), logicalName(former.step.urn)];
    const message =
      `${before} is deleted and ${now} is created, both as ${String(name)} on the service: is this a rename? ` +
      `Then set \`options: { aliases: [${JSON.stringify(before)}] }\` in a manifest, or the resource option ` +
      `\`aliases: [{ name: ${JSON.stringify(before)} }]\` in a program`;
    return [{ name: now, message }];
  });
}

/** The project and the stack are in every URN. */
function placeOf({ steps }: Preview): Pick<Summary, "project" | "stack"> {
  const [, stack, project] = /^urn:pulumi:(.+?)::(.+?)::/.exec(steps?.[0]?.urn ?? "") ?? [];
  return { project, stack };
}

interface Explanation {
  readonly reasons: readonly string[];
  readonly besides: readonly string[];
}

/** What the provider's own line says of a deployment. */
function explanationOf(urn: string, { diagnostics }: Preview): Explanation {
  const line = (diagnostics ?? [])
    .filter((each) => each.urn === urn && each.severity.startsWith("info"))
    .map(({ message }) => withoutColors(message).trim())
    .map((message) =>
      /: (?:creates a new revision|updates settings, no new revision|replaces the deployment) \((.+?)\)(?:; also changes (.+?))?(?:; |$)/.exec(
        message,
      ),
    )
    .find((match) => match !== null);
  const paths = (list: string | undefined) => (list === undefined ? [] : list.split(", "));
  return { reasons: paths(line?.[1]), besides: paths(line?.[2]) };
}

/** A replacement may be listed as the steps that it is made of. */
function operationOf(steps: readonly Step[]): string {
  const isReplacement = steps.some(({ op }) => /replace/.test(op));
  return isReplacement ? "replace" : (steps.find(({ op }) => op !== "same")?.op ?? "same");
}

function changeOf(steps: readonly Step[], explanation: Explanation, redact: Redact): DeploymentChange {
  const operation = operationOf(steps);
  const told = steps.find(({ op }) => op === "replace" || op === "create-replacement") ?? steps[0]!;
  const step: Step = { ...told, oldState: told.oldState ?? steps.find(({ oldState }) => oldState)?.oldState };
  const [name, action] = [logicalName(step.urn), actionOf(operation, step)];
  // What is deleted is all of it, and a name is told already.
  const isTold = ({ path, after }: Change) => action === "creation" && path === "name" && after === name;
  const named = [...explanation.reasons, ...explanation.besides];
  const changes = action === "deletion" ? [] : changesOf(step, named).filter((change) => !isTold(change));
  return {
    name,
    action,
    operation,
    reasons:
      action === "revision" || action === "settings" ? explanation.reasons : (step.replaceReasons ?? []),
    changes: changes.map((change) => redacted(change, redact)),
    isDownMeanwhile: action === "replacement" && keepsName(step),
  };
}

function redacted({ path, before, after }: Change, redact: Redact): Change {
  return { path, before: before && redact(before), after: after && redact(after) };
}

/** A service has a name once: then the old one goes first. */
function keepsName({ oldState, newState }: Step): boolean {
  const [before, after] = [oldState, newState].map((state) => inputsOf(state)["name"]);
  const [own, other] = [oldState, newState].map((state) => state?.provider?.replace(/::[^:]*$/, ""));
  return before === after && own === other;
}

function actionOf(operation: string, step: Step): Action {
  if (operation === "replace") return "replacement";
  if (operation === "delete") return "deletion";
  if (operation === "create") return "creation";
  if (operation !== "update") return "other";
  const [before, after] = generationsOf(step);
  return before === after ? "settings" : "revision";
}

function collectSecrets(step: Step, secrets: Set<string>): void {
  for (const state of [step.oldState, step.newState].filter((each): each is State => each !== undefined)) {
    withoutSecrets(inputsOf(state), secretPathsOf(state), (secret) => secrets.add(secret));
  }
}

function diagnosticsOf({ diagnostics }: Preview, wanted: string, redact: Redact): Diagnostic[] {
  const found = (diagnostics ?? [])
    .filter(({ severity }) => severity === wanted)
    .map(({ urn, message }) => ({
      name: urn === undefined || urn.includes(`::${stackType}::`) ? undefined : logicalName(urn),
      message: redact(withoutColors(message).trim()).replace(new RegExp(`^${wanted}: `), ""),
    }));
  const unique = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].filter(({ message }) => message !== "");
}

function withoutColors(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/<\{%[^%]*%\}>/g, "").replace(/\u001b\[[0-9;]*m/g, "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
