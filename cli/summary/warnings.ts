/** The warnings of a preview, and what only its steps show. */
import type { Dialect } from "../../provider/dialects";
import { typeNotDeclared } from "../../provider/dialects/service-rules";
import { firstOf } from "../../provider/text/first-of";
import type { Redact } from "../../provider/text/redact";
import { logicalName } from "../../provider/text/urn";
import { mapLeaves, type Values } from "../../schema/tree";
import { mainStep } from "./deployment-change";
import { diagnosticsOf, type Diagnostic } from "./diagnostics";
import type { Preview, PreviewStep, ResourceState } from "./preview";
import { renameQuestion, type Candidate } from "./rename";
import { declaredInputs, secretMark, shownInputs } from "./secret";

/** @param ours the steps of each deployment */
export function warningsOf(
  preview: Preview,
  ours: readonly PreviewStep[][],
  dialectOf: (step: PreviewStep) => Dialect,
  redact: Redact,
): Diagnostic[] {
  const said = diagnosticsOf(preview, "warning", redact);
  const created = ours.map(mainStep).filter(({ op, newState }) => newState && /create|replace/.test(op));
  return [...said, ...renamesIn(ours.flat()), ...withoutType(created, dialectOf)];
}
function withoutType(
  created: readonly PreviewStep[],
  dialectOf: (step: PreviewStep) => Dialect,
): Diagnostic[] {
  const told = created.flatMap((step) =>
    typeNotDeclared(shownInputs(step.newState), dialectOf(step)).map((text) => ({ step, text })),
  );
  if (told.length === 0) return [];
  const names = told.map(({ step }) => logicalName(step.urn)).sort();
  return [{ name: undefined, message: `${firstOf(names)}: ${told[0]!.text}` }];
}

/** If one run deletes and creates a deployment of the same name or content, the logical name was probably changed. */
function renamesIn(steps: readonly PreviewStep[]): Diagnostic[] {
  const withOp = (op: string) => steps.filter((step) => step.op === op);
  const deleted = withOp("delete").map(({ urn, oldState }) => candidate(urn, oldState));
  return withOp("create").flatMap(({ urn, newState }) => {
    const message = renameQuestion(deleted, candidate(urn, newState));
    return message === undefined ? [] : [{ name: logicalName(urn), message }];
  });
}

/** Two secrets are not the same because both are hidden. */
function candidate(urn: string, state: ResourceState | undefined): Candidate {
  const withoutMark = (leaf: unknown) => (leaf === secretMark ? undefined : leaf);
  return { logical: logicalName(urn), inputs: mapLeaves(declaredInputs(state), withoutMark) as Values };
}
