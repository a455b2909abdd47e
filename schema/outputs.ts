/** The outputs of a deployment besides its arguments, for the resource, the manifest and the documentation. */
import { isWithin, type Path } from "./tree";

export interface Output {
  readonly doc: string;
  /** Whether it can be `null`, because the service does not know it yet or the source has none. */
  readonly nullable: boolean;
  /** The argument that it repeats under another name: it is as secret. */
  readonly copyOf?: Path;
}

const always = (doc: string): Output => ({ doc, nullable: false });
const perhaps = (doc: string): Output => ({ doc, nullable: true });
const copyOf = (path: Path, doc: string): Output => ({ doc, nullable: true, copyOf: path });

export const outputs = {
  generation: always(
    "Starts at 1 and increases by one with every revision that the program creates. Known in a preview.",
  ),
  tenantId: perhaps("Id (UUID) of the owning tenant."),
  status: always("Status of the deployment as the service reports it, for example `READY`."),
  createdAt: perhaps("Time of creation, in ISO 8601."),
  updatedAt: perhaps("Time of the last change, in ISO 8601."),
  latestRevisionId: perhaps("Id (UUID) of the newest revision, active or not."),
  latestRevisionStatus: perhaps(
    "Status of the newest revision, for example `DEPLOYED` or `BUILD_FAILED`. Only if the service reports it: dialect `langsmith`.",
  ),
  activeRevisionId: perhaps("Id (UUID) of the active revision."),
  imageVersion: copyOf(["sourceRevisionConfig", "imageUri"], "Version of the image."),
  repoCommitSha: copyOf(
    ["sourceRevisionConfig", "repoRef"],
    "Commit that the newest revision was built from.",
  ),
  url: copyOf(["sourceConfig", "customUrl"], "Address of the deployment, as the service reports it."),
  dashboardUrl: perhaps("Address of the deployment's page in the service's dashboard: dialect `langsmith`."),
  tracerSessionId: perhaps(
    "Id (UUID) of the deployment's tracing project, which alert rules and evaluators refer to: dialect `langsmith`.",
  ),
  deploymentTier: perhaps(
    "Size of the deployment, as the service reports it, for example `SERVERLESS_S`. If the database " +
      "has a different size, that of the application.",
  ),
  databaseTier: perhaps("Size of the database, as the service reports it."),
} satisfies Record<string, Output>;

/** @param secretPaths of arguments that the program passed as secrets */
export function isSecretOutput(name: string, secretPaths: readonly Path[] = []): boolean {
  if (name === "secrets" || name === "__private") return true;
  const original = Object.hasOwn(outputs, name)
    ? (outputs as Record<string, Output>)[name]?.copyOf
    : undefined;
  return original !== undefined && secretPaths.some((path) => isWithin(original, path));
}

export type OutputName = keyof typeof outputs;
export const outputNames = Object.keys(outputs) as OutputName[];
