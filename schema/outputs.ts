/** What a deployment answers beside its arguments: the table that the resource, the manifest and documentation read. */

export interface Output {
  readonly doc: string;
  /** Whether it may be `null`: not there yet, or not for this source. */
  readonly nullable: boolean;
}

const always = (doc: string): Output => ({ doc, nullable: false });
const perhaps = (doc: string): Output => ({ doc, nullable: true });

export const outputs = {
  generation: always("1 at first, one more with each revision that the program makes. Known in a preview."),
  tenantId: perhaps("Id (UUID) of the owning tenant."),
  status: always("The service's state of the deployment: `READY`, say."),
  createdAt: perhaps("When it was created, in ISO 8601."),
  updatedAt: perhaps("When it was last changed, in ISO 8601."),
  latestRevisionId: perhaps("Id (UUID) of the newest revision, whether it is active or not."),
  latestRevisionStatus: perhaps(
    "Status of the newest revision: `DEPLOYED` or `BUILD_FAILED`, say. Only where the service tells: dialect `langsmith`.",
  ),
  activeRevisionId: perhaps("Id (UUID) of the revision that is live."),
  imageVersion: perhaps("Version of the image."),
  repoCommitSha: perhaps("Commit that the latest revision was built from."),
  url: perhaps("Address that the deployment answers on, as the service reports it."),
} satisfies Record<string, Output>;

export type OutputName = keyof typeof outputs;
export const outputNames = Object.keys(outputs) as OutputName[];
