/** Warns if a rename is about to delete a deployment. */
import { logicalName } from "../urn";
import { isEqual, valueAt, type Path, type Values } from "../../schema/tree";
import { declaredInputs } from "./changes";
import type { Diagnostic } from "./diagnostics";
import type { PreviewStep } from "./preview";
import { secretMark } from "./secret";

/** What deployments of one source run: an image, a repository or a folder. */
const contents: readonly Path[] = [
  ["sourceRevisionConfig", "imageUri"],
  ["sourceConfig", "repoUrl"],
  ["sourceDirectory"],
];

/**
 * If one run deletes and creates the same name on the service, or the same source with the same content, the logical name was
 * probably changed.
 */
export function renamesIn(ours: readonly PreviewStep[][]): Diagnostic[] {
  const having = (op: string, state: "oldState" | "newState") =>
    ours.flatMap((steps) =>
      steps
        .filter((step) => step.op === op)
        .map((step) => ({ logical: logicalName(step.urn), inputs: declaredInputs(step[state]) })),
    );
  const deleted = having("delete", "oldState");
  return having("create", "newState").flatMap(({ logical: now, inputs }) => {
    const same = deleted.find((other) => isSameValue(other.inputs, inputs, ["name"]));
    const former = same ?? deleted.find((other) => isSameContent(other.inputs, inputs));
    if (former === undefined) return [];
    const { logical: before } = former;
    const what = same ? `both as ${String(inputs["name"])} on the service` : "from the same source";
    const message =
      `${before} is deleted and ${now} is created, ${what}: is this a rename? ` +
      `Then set \`options: { aliases: [${JSON.stringify(before)}] }\` in a manifest, or the resource option ` +
      `\`aliases: [{ name: ${JSON.stringify(before)} }]\` in a program`;
    return [{ name: now, message }];
  });
}

function isSameContent(before: Values, now: Values): boolean {
  const isSameSource = isSameValue(before, now, ["source"]);
  return isSameSource && contents.some((path) => isSameValue(before, now, path));
}

function isSameValue(before: Values, now: Values, path: Path): boolean {
  const value = valueAt(now, path);
  return typeof value === "string" && value !== secretMark && isEqual(value, valueAt(before, path));
}
