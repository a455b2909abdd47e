/** Recognizes a deployment whose logical name was probably changed: the engine would delete it and create another one. */
import { logicalName } from "../../provider/text/urn";
import { isEqual, mapLeaves, valueAt, type Path, type Values } from "../../schema/tree";
import type { Diagnostic } from "./diagnostics";
import type { PreviewStep, ResourceState } from "./preview";
import { declaredInputs, secretMark } from "./secret";

/** What deployments of one source run: an image, a repository or a folder. */
const contents: readonly Path[] = [
  ["sourceRevisionConfig", "imageUri"],
  ["sourceConfig", "repoUrl"],
  ["sourceDirectory"],
];

interface Candidate {
  /** The logical name. */
  readonly logical: string;
  /** The arguments, as far as they are known and no secrets. */
  readonly inputs: Values;
}

/** Asks about deployments that one run deletes and creates, with the same name or content. */
export function renamesIn(steps: readonly PreviewStep[]): Diagnostic[] {
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

/** The question whether one of the deployments that go is the one that comes; undefined if none of them looks like it. */
function renameQuestion(deleted: readonly Candidate[], created: Candidate): string | undefined {
  const { logical: now, inputs } = created;
  const same = deleted.find((other) => isSameText(other.inputs, inputs, ["name"]));
  const former = same ?? deleted.find((other) => isSameContent(other.inputs, inputs));
  if (former === undefined) return undefined;
  const { logical: before } = former;
  const what = same ? `both as ${String(inputs["name"])} on the service` : "from the same source";
  const name = former.inputs["name"];
  // An alias alone would still replace the deployment, because the name on the service cannot change.
  const keep =
    same === undefined && typeof name === "string" ? `declare \`name: ${JSON.stringify(name)}\`, and ` : "";
  return (
    `${before} is deleted and ${now} is created, ${what}: is this a rename? ` +
    `Then ${keep}set \`options: { aliases: [${JSON.stringify(before)}] }\` in a manifest, or the resource option ` +
    `\`aliases: [{ name: ${JSON.stringify(before)} }]\` in a program`
  );
}

function isSameContent(before: Values, now: Values): boolean {
  const isSameSource = isSameText(before, now, ["source"]);
  return isSameSource && contents.some((path) => isSameText(before, now, path));
}

function isSameText(before: Values, now: Values, path: Path): boolean {
  const value = valueAt(now, path);
  return typeof value === "string" && isEqual(value, valueAt(before, path));
}
