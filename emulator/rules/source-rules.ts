import { fill, valueAt, type JsonObject } from "../json-values";
import { Refusal } from "../refusal";
import type { Content } from "./change";
import type { Rules } from "./dialect-rules";
import type { TextName } from "./refusal-texts";

type Parts = Pick<Content, "source_config" | "source_revision_config" | "secret_references">;

export interface Judged {
  readonly source: string;
  /** The revision's own source, if it has one. */
  readonly revisionSource?: string | null;
  /** What the deployment would be. */
  readonly merged: Parts;
  /** What the request contains. */
  readonly given: { readonly source_config?: unknown; readonly source_revision_config?: unknown };
  readonly creates?: boolean;
}

/** Reports one problem at a time, after the shape was accepted. */
export function refuseAgainstSource(rules: Rules, judged: Judged): void {
  const { source, revisionSource, merged, given, creates = false } = judged;
  const refuse = (text: TextName, path: string, source: string): never => {
    throw new Refusal(400, fill(rules.texts[text], { path, source }));
  };

  const own = rules.sources[source];
  if (revisionSource && own?.refusedRevisionSources?.includes(revisionSource))
    refuse("revisionSourceRefused", revisionSource, source);
  // The fields of a revision follow the revision's source, all others the deployment's.
  const parties = [
    { name: revisionSource ?? source, covers: isOfRevision },
    { name: source, covers: (path: string) => !isOfRevision(path) },
  ];
  for (const { name, covers } of parties)
    for (const path of (rules.sources[name]?.required ?? []).filter(covers))
      if (valueAt(merged, path) === null) refuse("requiredForSource", path, name);
  for (const { name, covers } of parties) {
    const { refused = [], refusedOnCreate = [] } = rules.sources[name] ?? {};
    for (const path of [...refused, ...(creates ? refusedOnCreate : [])].filter(covers))
      if (valueAt(given, path) !== null) refuse("refusedForSource", path, name);
  }
  if (!own?.secretReferences && merged.secret_references !== null)
    refuse("secretReferencesRefused", "secret_references", source);

  const isTag = String(valueAt(merged, "source_revision_config.repo_ref")).startsWith("refs/tags/");
  if (rules.refusesPushForTag && isTag && valueAt(merged, "source_config.build_on_push") === true)
    throw new Refusal(400, rules.texts.pushForTag);
}

function isOfRevision(path: string): boolean {
  return path.startsWith("source_revision_config.");
}

/** Whether a revision can be created: some sources have nothing to run before the first upload. */
export function canRun({ sources }: Rules, source: string, source_revision_config: JsonObject): boolean {
  const runs = sources[source]?.runs;
  return runs === undefined || valueAt({ source_revision_config }, runs) !== null;
}
