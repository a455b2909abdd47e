import { valueAt, type JsonObject } from "../json";
import { Refusal, refuseIfAny } from "../refusal";
import type { PatchRules, Rules } from "../rules/rules";
import { findProblems, knownPart } from "../shape";
import { deploymentAnswer } from "../state/answer";
import { laterThan } from "../state/control-plane";
import type { DeploymentRecord, Secret, SecretReference } from "../state/record";
import { addRevision } from "../state/revisions";
import { settle } from "../state/settle";
import { findLivingDeployment } from "./find-deployment";
import type { Handler } from "./handler";
import { refuseAgainstSource } from "./source-rules";

type PatchBody = {
  revision_source?: string | null;
  source_config?: JsonObject | null;
  source_revision_config?: JsonObject | null;
  secrets?: Secret[] | null;
  secret_references?: SecretReference[] | null;
};

export const patchDeployment: Handler = (call) => {
  const { plane, body: given } = call;
  const { rules } = plane;
  refuseIfAny(findProblems(rules.requests.patch, given, ["body"], rules.unknownKeys));
  const record = findLivingDeployment(call);
  // The shape has just been checked: this is what it says.
  const body = structuredClone(knownPart(rules.requests.patch, given)) as PatchBody;
  const merged = mergePatch(rules, record, body);
  const makesRevision = asksForRevision(rules.patch, body);
  const revisionSource = body.revision_source ?? null;
  refuseAgainstSource(rules, { ...merged, source: record.source });
  if (revisionSource !== null && !makesRevision) throw new Refusal(400, rules.texts.revisionSourceAlone);

  Object.assign(record, merged, { updated_at: laterThan(record.updated_at, plane.clock) });
  if (makesRevision)
    addRevision(plane, record, revisionSource ?? record.source, merged.source_revision_config);
  settle(plane);
  return { status: 200, body: deploymentAnswer(plane, record) };
};

/** What the deployment would be, so that nothing is changed when the rules refuse it. */
function mergePatch({ patch }: Rules, record: DeploymentRecord, body: PatchBody) {
  return {
    source_config: mergeKeys(patch, record.source_config, body.source_config),
    source_revision_config: mergeKeys(patch, record.source_revision_config, body.source_revision_config),
    secrets: replaceList(patch.null, patch.emptySecrets, record.secrets, body.secrets) ?? [],
    secret_references: replaceList(
      patch.null,
      patch.emptySecretReferences,
      record.secret_references,
      body.secret_references,
    ),
  };
}

function mergeKeys(rules: PatchRules, stored: JsonObject, given: JsonObject | null | undefined): JsonObject {
  const merged = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value !== null) merged.set(key, value);
    else if (rules.null === "clears") merged.delete(key);
  }
  return Object.fromEntries(merged);
}

function replaceList<T>(
  onNull: "clears" | "keeps",
  onEmpty: "clears" | "keeps",
  stored: T[] | null,
  given: T[] | null | undefined,
): T[] | null {
  if (given === undefined) return stored;
  if (given === null) return onNull === "clears" ? null : stored;
  return given.length === 0 && onEmpty === "keeps" ? stored : given;
}

function asksForRevision(rules: PatchRules, body: PatchBody): boolean {
  return rules.revisionFrom.some(({ path, when }) => {
    const value = valueAt(body as JsonObject, path);
    return value !== undefined && (when === "present" || value !== null);
  });
}
