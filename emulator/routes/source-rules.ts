import { fill, valueAt, type JsonObject } from "../json";
import { Refusal } from "../refusal";
import type { Condition, Rules, SourceRules } from "../rules/rules";
import type { TextName } from "../rules/texts";

/** The parts of a deployment that the rules of its source look at. */
export type Parts = {
  source_config: JsonObject;
  source_revision_config: JsonObject;
  secret_references: unknown;
};

export type Judged = {
  source: string;
  /** Another source for this revision only. */
  revisionSource?: string | null;
  /** What the deployment would be. */
  merged: Parts;
  /** What the request says. */
  given: Partial<Parts>;
  creates?: boolean;
};

/** Business errors come one at a time, after the shape has been accepted. */
export function refuseAgainstSource(rules: Rules, judged: Judged): void {
  const { merged, given } = judged;
  const own = parties(rules, judged);
  const isGiven = (parts: object, path: string) => (valueAt(parts as JsonObject, path) ?? null) !== null;
  const refuse = (text: TextName, path: string, source: string): never => {
    throw new Refusal(400, fill(rules.texts[text], { path, source }));
  };

  const { source, revisionSource } = judged;
  if (revisionSource && rules.sources[source]?.refusedRevisionSources?.includes(revisionSource))
    refuse("revisionSourceRefused", revisionSource, source);
  for (const { source, rule, covers } of own)
    for (const path of rule.required.filter(covers))
      if (!isGiven(merged, path)) refuse("requiredForSource", path, source);
  for (const { source, rule, covers } of own) {
    const refused = [...rule.refused, ...((judged.creates && rule.refusedOnCreate) || [])];
    for (const path of refused.filter(covers))
      if (isGiven(given, path)) refuse("refusedForSource", path, source);
  }
  if (!rules.sources[judged.source]?.secretReferences && (merged.secret_references ?? null) !== null)
    refuse("secretReferencesRefused", "secret_references", judged.source);

  const conflict = rules.conflicts.find(({ all }) => all.every((condition) => holds(condition, merged)));
  if (conflict !== undefined) throw new Refusal(400, conflict.text);
}

/** The fields of a revision obey the revision's source, the others the deployment's. */
function parties({ sources }: Rules, { source, revisionSource }: Judged) {
  const ofRevision = (path: string) => path.startsWith("source_revision_config.");
  const party = (name: string, covers: (path: string) => boolean) => {
    const rule: SourceRules | undefined = sources[name];
    return rule === undefined ? [] : [{ source: name, rule, covers }];
  };
  return [...party(revisionSource ?? source, ofRevision), ...party(source, (path) => !ofRevision(path))];
}

function holds({ path, equals, startsWith }: Condition, parts: Parts): boolean {
  const value = valueAt(parts as JsonObject, path);
  if (equals !== undefined && value !== equals) return false;
  return startsWith === undefined || (typeof value === "string" && value.startsWith(startsWith));
}

/** Whether a revision can be made: of some sources there is none before something was uploaded. */
export function hasSomethingToRun({ sources }: Rules, source: string, parts: JsonObject): boolean {
  const runs = sources[source]?.runs;
  return runs === undefined || (valueAt(parts, runs) ?? null) !== null;
}
