/** What a preview says of the deployments of a program, and of the rest of it in numbers. */
import { redactor, type Redact } from "../text/redact";
import { changesOf, generationsOf, inputsOf, secretPathsOf, type Change } from "./changes";
import type { Preview, State, Step } from "./preview";
import { logicalName, typeIn } from "../urn";
import { withoutSecrets } from "./secret";

/** Of the most important first. */
export const actions = ["replacement", "deletion", "revision", "creation", "settings", "other"] as const;
export type Action = (typeof actions)[number];

export interface DeploymentChange {
  /** The logical name. */
  readonly name: string;
  readonly action: Action;
  /** The engine's own word for it. */
  readonly operation: string;
  /** Paths of the arguments that make it a replacement. */
  readonly reasons: readonly string[];
  readonly changes: readonly Change[];
}

export interface Diagnostic {
  /** The logical name of the resource that it is about, if it is about one. */
  readonly name: string | undefined;
  readonly message: string;
}

export interface Summary {
  readonly deployments: readonly DeploymentChange[];
  readonly unchanged: number;
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
  const groups = [...byUrn.values()].map(withoutRefresh);
  for (const step of groups.flat()) collectSecrets(step, secrets);

  const redact = redactor([...secrets]);

  const isOurs = ([step]: Step[]) => types.includes(typeIn(step!.urn));
  const isSame = (steps: Step[]) => steps.every(({ op }) => op === "same");
  const ours = groups.filter(isOurs);
  const deployments = ours
    .filter((steps) => !isSame(steps))
    .map((steps) => changeOf(steps, redact))
    .sort((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || compare(a.name, b.name));

  const others: Record<string, number> = {};
  for (const steps of groups.filter((each) => !isOurs(each) && typeIn(each[0]!.urn) !== stackType)) {
    const operation = operationOf(steps);
    others[operation] = (others[operation] ?? 0) + 1;
  }
  // Unless it is asked to, the engine only counts what stays as it is.
  const listed = groups.filter(isSame);
  const notListed = Math.max(0, (preview.changeSummary?.["same"] ?? 0) - listed.length);
  const unchanged = ours.filter(isSame).length + notListed;
  const told = (severity: string) => diagnosticsOf(preview, severity, redact);
  return {
    deployments,
    unchanged,
    others,
    mixed: notListed > 0,
    failures: told("error"),
    warnings: told("warning"),
  };
}

const stackType = "pulumi:pulumi:Stack";

/** With `--refresh` the engine lists what the refresh found before what is to be done. */
function withoutRefresh(steps: Step[]): Step[] {
  const toDo = steps.filter(({ op }) => op !== "refresh");
  return toDo.length > 0 ? toDo : steps;
}

/** A replacement may be listed as the steps that it is made of. */
function operationOf(steps: readonly Step[]): string {
  const isReplacement = steps.some(({ op }) => /replace/.test(op));
  return isReplacement ? "replace" : (steps.find(({ op }) => op !== "same")?.op ?? "same");
}

function changeOf(steps: readonly Step[], redact: Redact): DeploymentChange {
  const operation = operationOf(steps);
  const told = steps.find(({ op }) => op === "replace" || op === "create-replacement") ?? steps[0]!;
  const step: Step = { ...told, oldState: told.oldState ?? steps.find(({ oldState }) => oldState)?.oldState };
  const [name, action] = [logicalName(step.urn), actionOf(operation, step)];
  // What is deleted is all of it, and a name is told already.
  const isTold = ({ path, after }: Change) => action === "creation" && path === "name" && after === name;
  const changes = action === "deletion" ? [] : changesOf(step).filter((change) => !isTold(change));
  return {
    name,
    action,
    operation,
    reasons: step.replaceReasons ?? [],
    changes: changes.map(({ path, before, after }) => ({
      path,
      before: before && redact(before),
      after: after && redact(after),
    })),
  };
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
