/** Warns if a rename is about to delete a deployment. */
import { renameQuestion } from "../rename";
import { logicalName } from "../urn";
import { mapLeaves, type Values } from "../../schema/tree";
import { declaredInputs } from "./changes";
import type { Diagnostic } from "./diagnostics";
import type { PreviewStep } from "./preview";
import { secretMark } from "./secret";

/** If one run deletes and creates a deployment of the same name or content, the logical name was probably changed. */
export function renamesIn(ours: readonly PreviewStep[][]): Diagnostic[] {
  const having = (op: string, state: "oldState" | "newState") =>
    ours.flatMap((steps) =>
      steps
        .filter((step) => step.op === op)
        .map((step) => ({ logical: logicalName(step.urn), inputs: shownIn(declaredInputs(step[state])) })),
    );
  const deleted = having("delete", "oldState");
  return having("create", "newState").flatMap((created) => {
    const message = renameQuestion(deleted, created);
    return message === undefined ? [] : [{ name: created.logical, message }];
  });
}

/** Two secrets are not the same because both are hidden. */
function shownIn(inputs: Values): Values {
  return mapLeaves(inputs, (leaf) => (leaf === secretMark ? undefined : leaf)) as Values;
}
