/** A comparison as the engine shows it: each path with what becomes of it. */
import type { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { FieldChange } from "../deployment/plan";
import { generationAfter } from "../deployment/diff";
import { argumentsIn, type Planned, type Stored } from "../deployment/state";
import type { Comparison } from "../engine/operations";
import { contentKey } from "../internal-inputs";
import { isEqual, unknownValue, valueAt, type Values } from "../../schema/tree";
import { provider } from "../engine/sdk";

export interface Compared {
  readonly state: Stored;
  /** What the program declared before. */
  readonly before: Values;
  readonly declared: Planned;
}

export function diffResponse(result: Comparison, { state, before, declared }: Compared): DiffResponse {
  const had = argumentsIn(state);
  const changes = result.plan.changes.filter((change) => isShown(change, had, declared));
  const isReplaced = result.plan.kind === "replacement";
  const counts = !isReplaced && !result.isOfRefresh && isCounted(result, state, declared);
  const response = new provider.DiffResponse()
    .setHasdetaileddiff(true)
    .setDeletebeforereplace(result.deleteBeforeReplace);
  const details = response.getDetaileddiffMap();
  for (const change of changes) details.set(change.path, detailOf(change, had, before, declared));
  if (counts) details.set("generation", detail("UPDATE", true));
  const isChanged = changes.length > 0 || counts || result.resumes;
  const { DIFF_SOME, DIFF_NONE } = provider.DiffResponse.DiffChanges;
  return response
    .setChanges(isChanged ? DIFF_SOME : DIFF_NONE)
    .setDiffsList([
      ...new Set(changes.map(({ segments }) => segments[0]!)),
      ...(counts ? ["generation"] : []),
    ])
    .setReplacesList(changes.filter(({ kind }) => kind === "replacement").map(({ path }) => path));
}

/** Whether the update makes a revision, or may make one, as far as is known. */
function isCounted({ plan }: Comparison, state: Stored, declared: Planned): boolean {
  if (declared.generation === unknownValue) return true;
  return generationAfter(plan, state, declared) !== (state.generation ?? 1);
}

/** What was chosen once and is left out by the program is compared too, and is no change of the program. */
function isShown({ kind, segments }: FieldChange, had: Values, declared: Values): boolean {
  // The content of a folder shows in `generation`, and in a message.
  if (segments[0] === contentKey) return false;
  return kind !== "none" || !isEqual(valueAt(had, segments), valueAt(declared, segments));
}

type Kind = "ADD" | "DELETE" | "UPDATE";

function detailOf(
  { kind, segments }: FieldChange,
  had: Values,
  before: Values,
  declared: Values,
): PropertyDiff {
  const [old, now, input] = [had, declared, before].map((values) => valueAt(values, segments));
  const what: Kind = old === undefined ? "ADD" : now === undefined ? "DELETE" : "UPDATE";
  return detail(kind === "replacement" ? `${what}_REPLACE` : what, !isEqual(input, now));
}

/** @param isOfInputs whether it shows in the inputs, or only in what the service has */
function detail(kind: Kind | `${Kind}_REPLACE`, isOfInputs: boolean): PropertyDiff {
  return new provider.PropertyDiff().setKind(provider.PropertyDiff.Kind[kind]).setInputdiff(isOfInputs);
}
