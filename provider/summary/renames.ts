/** Warns if a rename is about to delete a deployment. */
import { logicalName } from "../urn";
import { declaredInputs } from "./changes";
import type { Diagnostic } from "./diagnostics";
import type { PreviewStep } from "./preview";
import { secretMark } from "./secret";

/** If one run deletes and creates the same name on the service, the logical name was probably changed. */
export function renamesIn(ours: readonly PreviewStep[][]): Diagnostic[] {
  const having = (op: string, state: "oldState" | "newState") =>
    ours.flatMap((steps) =>
      steps
        .filter((step) => step.op === op)
        .map((step) => ({ step, name: declaredInputs(step[state])["name"] })),
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
