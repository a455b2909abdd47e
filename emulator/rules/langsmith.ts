import type { UnknownKeys } from "../shape";
import { nullsOf, object } from "./fields";
import { endpoints, queries } from "./langsmith/endpoints";
import { fieldsOf, requests, type Schemas } from "./langsmith/requests";
import { reservedNames, reservedOnCloud } from "./langsmith/reserved-names";
import { resourceSpec } from "./langsmith/resource-spec";
import { sources, type SourceOptions } from "./langsmith/sources";
import type { Rules } from "./rules";
import { commonTexts } from "./texts";

/**
 * The public service of this family, from what is published about it. Numbers in brackets are sections of the
 * collected facts. How far a fact can be trusted is said where it is less than the service's own schema: seen
 * live, the vendor's client, the vendor's tests, inferred, unknown. What is open is an option, and the stricter
 * reading is the default.
 */
export interface LangsmithOptions extends SourceOptions, Omit<Schemas, "uncapped"> {
  /** Ignored by the service's framework (inferred); a typing mistake would then stay unseen. */
  readonly unknownKeys: UnknownKeys;
  /** Takes some names (the vendor's client, 7.15) and amounts (its Helm chart, 6) that the cloud refuses. */
  readonly selfHosted: boolean;
  /** Whether `install_command` and `build_command` make a revision: the vendor's client says yes (7.4). */
  readonly commandsRevise: boolean;
  /** Whether an empty list of secrets, which changes nothing, makes a revision (unknown, 7.2). */
  readonly emptySecretsRevise: boolean;
  /** Whether a built source is shown with the commit and the image (the vendor's client, 1.6), or as given. */
  readonly showsBuilt: boolean;
  /** Whether responses have the keys of October 2026 (1.6), as today's do. */
  readonly laterKeys: boolean;
  /** A DELETE of what is already being deleted (unknown). */
  readonly deletedTwice: "refused" | "accepted";
  /** The first generation took the latest one only, and deployed; since then unknown (5.1). */
  readonly redeploys: "any" | "deployed-latest";
  /** Whether an archive must have been uploaded before a revision names it (1.1). */
  readonly needsUpload: boolean;
}

const strict: LangsmithOptions = {
  unknownKeys: "refuse",
  selfHosted: false,
  // (10.2)
  deploymentTypes: ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"],
  // What the vendor's CI client holds to (10.4); the status, 422, is unknown.
  namePattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  buildOnPush: "required",
  deploymentType: "required",
  internalConfigPath: "required",
  commandsRevise: true,
  emptySecretsRevise: false,
  showsBuilt: false,
  laterKeys: true,
  deletedTwice: "refused",
  redeploys: "deployed-latest",
  needsUpload: true,
};

/** What clients of several years get along with: for programs that were not written against this emulator. */
const lenient: Partial<LangsmithOptions> = {
  unknownKeys: "ignore",
  namePattern: "^[A-Za-z][A-Za-z0-9_-]*$",
  buildOnPush: "optional",
  deploymentType: "optional",
  internalConfigPath: "optional",
  deletedTwice: "accepted",
  redeploys: "any",
};

/** Keys of a deployment that were added in October 2026 (1.6). */
const later = {
  display_name: null,
  url: null,
  shareable: false,
  route_through_gateway: false,
  is_managed_deep_agent: false,
  is_preview: false,
  tracer_session_id: null,
  agent: null,
};

/** The service's own words (10.5). */
const projectExists =
  "Deployments create a tracing project in LangSmith with the same name as the deployment. There already exists a " +
  "project in LangSmith named: {name}.";

export function langsmithWith(options: Partial<LangsmithOptions>): Rules {
  const chosen = { ...strict, ...options };
  const schemas = { ...chosen, uncapped: chosen.selfHosted };
  const { sourceConfig, sourceRevisionConfig } = fieldsOf(schemas);
  const sourceRules = sources(chosen);
  const { template_id, ...established } = nullsOf(object(sourceConfig));
  const spec = nullsOf(resourceSpec(schemas.uncapped));
  return {
    headers: { apiKey: "X-Api-Key", tenant: "X-Tenant-Id", requestId: "X-Request-Id" },
    endpoints,
    unknownKeys: chosen.unknownKeys,
    requests: requests(schemas, Object.keys(sourceRules)),
    queries: queries(chosen.deploymentTypes),
    sources: sourceRules,
    conflicts: [
      {
        all: [
          { path: "source_config.build_on_push", equals: true },
          { path: "source_revision_config.repo_ref", startsWith: "refs/tags/" },
        ],
        text: "Source configuration error: 'source_config.build_on_push' must be false for a tag in 'source_revision_config.repo_ref'",
      },
    ],
    // A deployment that exists holds its name through its tracing project too (10.5).
    uniqueNames: true,
    tracingProjects: true,
    // The names are the vendor's client's, the status, 400, is unknown (7.15).
    reservedNames: chosen.selfHosted ? reservedNames : [...reservedNames, ...reservedOnCloud],
    needsRepositoryAccess: true,
    needsUpload: chosen.needsUpload,
    // (1.1, D8)
    uploadHeaders: { "content-type": "application/gzip", "x-goog-content-length-range": "0,209715200" },
    largestUpload: 209_715_200,
    patch: {
      null: "keeps",
      emptySecrets: "keeps",
      emptySecretReferences: "clears",
      revisionFrom: [
        ...Object.keys(sourceRevisionConfig).map((key) => revises(`source_revision_config.${key}`)),
        revises("source_config.resource_spec"),
        ...(chosen.commandsRevise ? ["install_command", "build_command"] : []).map((key) =>
          revises(`source_config.${key}`),
        ),
        { path: "secrets", when: chosen.emptySecretsRevise ? "notNull" : "notEmpty" },
        revises("secret_references"),
      ],
    },
    redeploys: chosen.redeploys,
    deletedTwice: chosen.deletedTwice,
    pace: { rollout: { polls: 1 }, deletion: { polls: 1, finalPolls: 1 }, database: { polls: 1 } },
    status: {
      starting: "AWAITING_DATABASE",
      ready: "READY",
      deleting: "AWAITING_DELETE",
      finallyDeleting: "AWAITING_FINAL_DELETE",
      readyWithoutRevision: true,
      all: ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "AWAITING_FINAL_DELETE", "UNKNOWN"],
    },
    revisionStatus: {
      steps: ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"],
      // There is nothing to build (inferred).
      stepsOf: { external_docker: ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"] },
      done: "DEPLOYED",
      failed: "DEPLOY_FAILED",
      failures: ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"],
      overtaken: "SKIPPED",
      queued: "QUEUED",
      interrupted: "INTERRUPTED",
    },
    responses: {
      sourceConfig: {
        ...established,
        ...(chosen.laterKeys ? { template_id: template_id ?? null, repo_branch: null } : {}),
        build_on_push: false,
        deployment_type: "prod",
      },
      sourceRevisionConfig: {
        ...nullsOf(object(sourceRevisionConfig)),
        repo_commit_sha: null,
        ...(chosen.laterKeys ? { tracked_packages: null, deepagents_version: null } : {}),
      },
      nested: {
        resource_spec: {
          // The vendor's tests; the limits that its schema describes do not appear in them (1.6, 6).
          defaults: { ...spec, min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 },
          always: false,
          tenths: ["cpu"],
        },
        listener_config: { defaults: { k8s_namespace: null }, always: false },
      },
      generatedUrl: {
        field: "custom_url",
        // Documented for `github`, inferred for the others that run in the cloud (2.1, 7.8).
        template: "https://{name}-{hash}.us.langgraph.app",
        // What runs on somebody's own hosts has its address here alone (10.1).
        ofSources: { external_docker: "https://langsmith.example.com/lgp/{name}-{hash}" },
      },
      deploymentTypeField: "deployment_type",
      commitField: "repo_commit_sha",
      imageVersion: "1.0.0",
      ...(chosen.showsBuilt ? { built: { image: "registry.example.com/built:{commit}" } } : {}),
      ...(chosen.laterKeys ? { later } : {}),
    },
    texts: {
      ...commonTexts,
      notEnabled: "LangSmith Deployment is not enabled for this organization",
      nameTaken: projectExists,
      nameBeingDeleted: "Deployment '{name}' is being deleted, its name cannot be used yet",
      tracingProjectExists: projectExists,
      noRepositoryAccess: "LangSmith Deployment does not have permission on your repo",
      listenerTaken:
        "Listener for LangSmith workspace ID '{tenant}' and compute ID '{compute}' already exists.",
    },
  };
}

export const langsmith = langsmithWith({});
export const lenientLangsmith = langsmithWith(lenient);

function revises(path: string) {
  return { path, when: "notNull" } as const;
}
