import type { Observed } from "../../provider/deployment/service";
import { differencesFrom, withLive } from "../../provider/deployment/merge";
import type { Values } from "../../schema/tree";

/** A deployment as the service answers it, rolled out unless a test says otherwise. */
export function observed(values: Partial<Observed> = {}): Observed {
  return {
    id: "d1",
    name: "chat",
    source: "external_container",
    sourceConfig: {},
    sourceRevisionConfig: { repoCommitSha: null },
    secrets: {},
    secretReferences: undefined,
    tenantId: "t1",
    status: "READY",
    createdAt: "2030-01-01T00:00:00Z",
    updatedAt: "2030-01-01T00:00:00Z",
    latestRevisionId: "r1",
    activeRevisionId: "r1",
    imageVersion: null,
    url: null,
    dashboardUrl: null,
    ...values,
  };
}

/** What the service answers about a deployment that is exactly as declared. */
export function observedAs(declared: Values, more: Partial<Observed> = {}): Observed {
  const { name, source, sourceConfig, sourceRevisionConfig, secrets, secretReferences, displayName } =
    structuredClone(declared);
  return observed({
    name: name as string,
    source: source as string,
    sourceConfig: (sourceConfig ?? {}) as Values,
    sourceRevisionConfig: { repoCommitSha: null, ...(sourceRevisionConfig as Values) },
    secrets: (secrets ?? {}) as Record<string, string>,
    secretReferences: secretReferences as Values | undefined,
    ...(displayName !== undefined && { displayName: displayName as string }),
    ...more,
  });
}

/** What is declared, with all that the service has in its place. */
export function withDrift(declared: Values, live: Observed): Values {
  return withLive(declared, differencesFrom(declared, live));
}
