/** Recognizes a deployment whose logical name was probably changed: the engine would delete it and create another one. */
import { logicalName } from "../../provider/text/urn";
import { valueAt, type Path, type Values } from "../../schema/tree";
import type { Diagnostic } from "./diagnostics";
import type { PreviewStep } from "./preview";
import { declaredInputs, secretMark } from "./secret";

/** What deployments of one source run: an image, a repository or a folder. */
const contents: readonly Path[] = [
  ["sourceRevisionConfig", "imageUri"],
  ["sourceConfig", "repoUrl"],
  ["sourceDirectory"],
];

/** Asks about deployments that one run deletes and creates, with the same name or content. */
export function renamesIn(steps: readonly PreviewStep[]): Diagnostic[] {
  const deploymentsWith = (operation: string) =>
    steps
      .filter(({ op }) => op === operation)
      .map(({ urn, oldState, newState }) => ({
        name: logicalName(urn),
        inputs: declaredInputs(newState ?? oldState),
      }));
  const deleted = deploymentsWith("delete");
  return deploymentsWith("create").flatMap(({ name, inputs }) => {
    const same = deleted.find((other) => isSameText(other.inputs, inputs, ["name"]));
    const former = same ?? deleted.find((other) => isSameContent(other.inputs, inputs));
    if (former === undefined) return [];
    const before = JSON.stringify(former.name);
    const what = same ? `both as ${textAt(inputs, ["name"])} on the service` : "from the same source";
    // An alias alone would still replace the deployment, because the name on the service cannot change.
    const nameThere = same ? undefined : textAt(former.inputs, ["name"]);
    const keep = nameThere === undefined ? "" : `declare \`name: ${JSON.stringify(nameThere)}\`, and `;
    const message =
      `${former.name} is deleted and ${name} is created, ${what}: is this a rename? ` +
      `Then ${keep}set \`options: { aliases: [${before}] }\` in a manifest, or the resource option ` +
      `\`aliases: [{ name: ${before} }]\` in a program`;
    return [{ name, message }];
  });
}

function isSameContent(before: Values, now: Values): boolean {
  return isSameText(before, now, ["source"]) && contents.some((path) => isSameText(before, now, path));
}

function isSameText(before: Values, now: Values, path: Path): boolean {
  const text = textAt(now, path);
  return text !== undefined && text === textAt(before, path);
}

/** Undefined for a secret: two are not the same because both are hidden. */
function textAt(inputs: Values, path: Path): string | undefined {
  const value = valueAt(inputs, path);
  return typeof value === "string" && value !== secretMark ? value : undefined;
}
