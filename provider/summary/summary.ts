/** What a preview says of the deployments of a program, and of the rest of it in numbers. */
import { redactor } from "../text/redact";
import { typeIn } from "../urn";
import { declaredInputs, secretPathsOf } from "./changes";
import { actions, changeOf, operationOf, type DeploymentChange } from "./deployment-change";
import { diagnosticsOf, explanationOf, stackType, type Diagnostic } from "./diagnostics";
import { findDrift, isOnlyRefresh, withoutRefresh, type DriftedDeployment } from "./drift";
import type { Preview, ResourceState, PreviewStep } from "./preview";
import { renamesIn } from "./renames";
import { maskSecrets } from "./secret";

export interface Summary {
  /** As far as the preview says. */
  readonly project: string | undefined;
  readonly stack: string | undefined;
  /** What was compared is the state with the service, and nothing else is going to be done. */
  readonly isRefresh: boolean;
  readonly deployments: readonly DeploymentChange[];
  readonly unchanged: number;
  readonly changedByHand: readonly DriftedDeployment[];
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
  const byUrn = new Map<string, PreviewStep[]>();
  for (const step of preview.steps ?? []) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  const all = [...byUrn.values()];
  const isRefresh = isOnlyRefresh(all);
  const groups = isRefresh ? [] : all.map(withoutRefresh).filter(({ length }) => length > 0);
  for (const step of preview.steps ?? []) collectSecrets(step, secrets);

  const redact = redactor([...secrets]);

  const isOurs = ([step]: PreviewStep[]) => types.includes(typeIn(step!.urn));
  const isSame = (steps: PreviewStep[]) => steps.every(({ op }) => op === "same");
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
  const looked = all.filter(isOurs);
  const changedByHand = looked
    .flatMap((steps) => findDrift(steps, isRefresh, redact))
    .sort((a, b) => compare(a.name, b.name));
  // What only the service decides, the newest revision say, may have changed: nobody has done that by hand.
  const asItWas = looked.length - changedByHand.length;
  const unchanged = isRefresh ? asItWas : ours.filter(isSame).length + notListed;
  return {
    ...projectAndStack(preview),
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

/** The project and the stack are in every URN. */
function projectAndStack({ steps }: Preview): Pick<Summary, "project" | "stack"> {
  const [, stack, project] = /^urn:pulumi:(.+?)::(.+?)::/.exec(steps?.[0]?.urn ?? "") ?? [];
  return { project, stack };
}

function collectSecrets(step: PreviewStep, secrets: Set<string>): void {
  for (const state of [step.oldState, step.newState].filter(
    (each): each is ResourceState => each !== undefined,
  )) {
    maskSecrets(declaredInputs(state), secretPathsOf(state), (secret) => secrets.add(secret));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
