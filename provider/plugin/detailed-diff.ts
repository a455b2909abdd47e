/** Converts a comparison to the engine's detailed diff: each path with its kind of change. */
import type { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { FieldChange } from "../deployment/field-change";
import type { Comparison } from "../engine/operations";
import { differingPaths, formatPath, isEqual, unknownValue, valueAt, type Values } from "../../schema/tree";
import { providerMessages } from "../engine/sdk";

/**
 * The engine's detailed diff of a comparison.
 *
 * @param before the program's previous inputs
 */
export function detailedDiffOf(result: Comparison, before: Values): DiffResponse {
  const { arguments: old } = result.state;
  const { arguments: declared } = result.declared;
  const changes = result.plan.changes.filter((change) => isShown(change, old, declared, result.isUnchecked));
  const replaced = changes.filter(({ effect }) => effect === "replacement");
  const isReplaced = result.plan.effect === "replacement";
  const counts = !isReplaced && !result.isUnchecked && isCounted(result);
  const response = new providerMessages.DiffResponse()
    .setHasdetaileddiff(true)
    .setDeletebeforereplace(result.deleteBeforeReplace);
  const details = response.getDetaileddiffMap();
  for (const change of changes.flatMap((each) => memberChanges(each, old, declared)))
    details.set(formatPath(change.path), detailOf(change, old, before, declared));
  if (counts) details.set("generation", detail("UPDATE", true));
  // A refresh finds what differs; an unfinished rollout differs in nothing that is declared.
  const isChanged = changes.length > 0 || counts || (result.plan.resumes && !result.isUnchecked);
  const { DIFF_SOME, DIFF_NONE } = providerMessages.DiffResponse.DiffChanges;
  return response
    .setChanges(isChanged ? DIFF_SOME : DIFF_NONE)
    .setDiffsList([...new Set(changes.map(({ path }) => String(path[0]))), ...(counts ? ["generation"] : [])])
    .setReplacesList(replaced.map(({ path }) => formatPath(path)));
}

/** The members of a list that changed, which `replaceOnChanges` may name: the engine matches it with the details. */
function memberChanges(change: FieldChange, old: Values, declared: Values): FieldChange[] {
  const { path } = change;
  const inner = differingPaths(valueAt(old, path), valueAt(declared, path), path);
  return inner.length === 0 ? [change] : inner.map((each) => ({ ...change, path: each }));
}

/** Whether the update makes a revision, or may make one. */
function isCounted({ state, declared }: Comparison): boolean {
  return declared.generation === unknownValue || declared.generation !== (state.generation ?? 1);
}

/** Hides what the service has already, and what the program does not set: both are compared too. */
function isShown(
  { effect, path, isContent, isThere }: FieldChange,
  old: Values,
  declared: Values,
  isUnchecked: boolean,
): boolean {
  // In an update, the content of a folder shows in `generation`, and in a message.
  if (isContent) return isUnchecked;
  if (isThere) return false;
  return effect !== "none" || !isEqual(valueAt(old, path), valueAt(declared, path));
}

type Kind = "ADD" | "DELETE" | "UPDATE";

function detailOf(
  { effect, path }: FieldChange,
  old: Values,
  before: Values,
  declared: Values,
): PropertyDiff {
  const [was, now, input] = [old, declared, before].map((values) => valueAt(values, path));
  const what: Kind = was === undefined ? "ADD" : now === undefined ? "DELETE" : "UPDATE";
  return detail(effect === "replacement" ? `${what}_REPLACE` : what, !isEqual(input, now));
}

/** @param isOfInputs whether the inputs changed, and not only the service's values */
function detail(kind: Kind | `${Kind}_REPLACE`, isOfInputs: boolean): PropertyDiff {
  return new providerMessages.PropertyDiff()
    .setKind(providerMessages.PropertyDiff.Kind[kind])
    .setInputdiff(isOfInputs);
}
