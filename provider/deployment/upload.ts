/** Uploads the declared folder when a change makes a revision of it. */
import { contentKey } from "../internal-inputs";
import { planChanges, type FieldChange } from "./plan";
import type { Context, Observed, Patch } from "./service";
import type { Declared, PrivateState } from "./state";
import type { Values } from "../../schema/tree";

/** A change together with what was uploaded for it. */
export interface Uploaded {
  readonly patch: Patch;
  /** With the content that was found when it was sent. */
  readonly declared: Declared;
  readonly privateState: Pick<PrivateState, "uploaded">;
}

/**
 * A revision of the source code uses the folder as it is now. Other changes upload nothing.
 */
export async function withUpload(
  context: Context,
  id: string,
  patch: Patch,
  declared: Declared,
): Promise<Uploaded> {
  const { sourceFolder, service } = context;
  const { sourceRevisionConfig } = patch;
  if (sourceFolder === undefined || sourceRevisionConfig === undefined)
    return { patch, declared, privateState: {} };
  const archive = await sourceFolder.archive();
  const uploaded = await service.upload(id, archive);
  const places = { graphConfigPath: archive.configPath, sourceTarballPath: uploaded };
  return {
    patch: {
      ...patch,
      revisionSource: "internal_source",
      sourceRevisionConfig: { ...sourceRevisionConfig, ...places },
    },
    declared: { ...declared, [contentKey]: archive.content },
    privateState: { uploaded },
  };
}

/** Whether the service runs a different archive than the one that this stack deployed. */
export function isReplaced({ uploaded }: PrivateState, { sourceRevisionConfig }: Observed): boolean {
  const shown = sourceRevisionConfig["sourceTarballPath"];
  return uploaded !== undefined && typeof shown === "string" && shown !== uploaded;
}

/**
 * Whether the existing deployment of that name is an unfinished creation of the declared one: nothing was ever uploaded to it,
 * and everything else is as declared. A run that was killed after creating it leaves one behind.
 */
export function isEmptyBeginning(
  { sourceFolder, dialect }: Context,
  declared: Values,
  had: Values,
  found: Observed,
): boolean {
  if (sourceFolder === undefined || typeof found.sourceRevisionConfig["sourceTarballPath"] === "string")
    return false;
  const isOwn = (name: string) => Object.hasOwn((declared["secrets"] ?? {}) as object, name);
  const { changes } = planChanges(had, declared, dialect);
  const isOfSource = ({ path }: FieldChange) => /^source(Directory|RevisionConfig)\b/.test(path);
  return (
    Object.keys(found.secrets ?? {}).every(isOwn) &&
    changes.every((change) => change.kind === "none" || isOfSource(change))
  );
}
