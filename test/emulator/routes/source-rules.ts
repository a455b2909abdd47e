import { fill, valueAt, type JsonObject } from "../json";
import { Refusal } from "../refusal";
import type { Condition, Rules } from "../rules/rules";

/** The parts of a deployment that the rules of its source look at. */
export type Judged = {
  source: string;
  source_config: JsonObject;
  source_revision_config: JsonObject;
  secret_references: unknown;
};

/** Business errors come one at a time, after the shape has been accepted. */
export function refuseAgainstSource(rules: Rules, judged: Judged): void {
  const { source } = judged;
  const own = rules.sources[source];
  if (own === undefined) return;
  const values: JsonObject = {
    source_config: judged.source_config,
    source_revision_config: judged.source_revision_config,
  };
  const refuse = (text: string, path: string): never => {
    throw new Refusal(400, fill(text, { path, source }));
  };
  const isGiven = (path: string) => (valueAt(values, path) ?? null) !== null;

  for (const path of own.required) if (!isGiven(path)) refuse(rules.texts.requiredForSource, path);
  for (const path of own.refused) if (isGiven(path)) refuse(rules.texts.refusedForSource, path);
  if (!own.secretReferences && judged.secret_references !== null)
    refuse(rules.texts.secretReferencesRefused, "secret_references");

  const conflict = rules.conflicts.find(({ all }) => all.every((condition) => holds(condition, values)));
  if (conflict !== undefined) refuse(conflict.text, "");
}

function holds({ path, equals, startsWith }: Condition, values: JsonObject): boolean {
  const value = valueAt(values, path);
  if (equals !== undefined && value !== equals) return false;
  return startsWith === undefined || (typeof value === "string" && value.startsWith(startsWith));
}
