/** Uploads the declared folder if a change makes a revision of it. */
import { valueAt, type Values } from "../../schema/tree";
import { contentKey } from "../internal-inputs";
import { planChanges } from "./plan";
import type { Context } from "./context";
import type { Archive, Observed, Patch } from "./service";
import type { CheckedArguments } from "./state";

/** A change, and what was uploaded for it. */
export interface Uploaded {
  readonly patch: Patch;
  /** The arguments, with the content of the folder as it was uploaded. */
  readonly declared: CheckedArguments;
  /** Path of the archive; undefined if nothing was uploaded. */
  readonly uploaded?: string;
}

/** Uploads the folder if the patch makes a revision of the source code. Other changes upload nothing. */
export async function withUpload(
  context: Context,
  id: string,
  patch: Patch,
  declared: CheckedArguments,
): Promise<Uploaded> {
  const { sourceFolder } = context;
  if (sourceFolder === undefined || patch.sourceRevisionConfig === undefined) return { patch, declared };
  return uploadOf(context, id, await sourceFolder.archive(), declared, patch);
}

/** Uploads an archive, and returns the patch that makes a revision of it. */
export async function uploadOf(
  { service }: Context,
  id: string,
  archive: Archive,
  declared: CheckedArguments,
  patch: Patch = {},
): Promise<Uploaded> {
  const uploaded = await service.upload(id, archive);
  const paths = { graphConfigPath: archive.configPath, sourceTarballPath: uploaded };
  return {
    patch: {
      ...patch,
      revisionSource: "internal_source",
      sourceRevisionConfig: { ...patch.sourceRevisionConfig, ...paths },
    },
    declared: { ...declared, [contentKey]: archive.content },
    uploaded,
  };
}

/** Whether the service runs a different archive than this stack deployed. */
export function isReplaced(uploaded: string | undefined, { sourceRevisionConfig }: Observed): boolean {
  const shown = sourceRevisionConfig["sourceTarballPath"];
  return uploaded !== undefined && typeof shown === "string" && shown !== uploaded;
}

/**
 * Whether the existing deployment is the declared one, left behind by a run that was killed right after creating it: nothing was
 * ever uploaded to it, and everything else is as declared.
 *
 * @param had the declared arguments as the service has them
 */
export function isEmptyBeginning(
  { sourceFolder, dialect }: Context,
  declared: Values,
  had: Values,
  found: Observed,
): boolean {
  if (sourceFolder === undefined) return false;
  if (typeof valueAt(found, ["sourceRevisionConfig", "sourceTarballPath"]) === "string") return false;
  const isOwn = (name: string) => Object.hasOwn((declared["secrets"] ?? {}) as object, name);
  const { changes } = planChanges(had, declared, dialect);
  const isOfSource = (name: unknown) => name === "sourceDirectory" || name === "sourceRevisionConfig";
  return (
    Object.keys(found.secrets ?? {}).every(isOwn) &&
    changes.every(({ kind, path }) => kind === "none" || isOfSource(path[0]))
  );
}
