import { object } from "../json-shape";
import { nestedDefaults, nullsOf } from "./wire-fields";
import { endpoints, queries } from "./langsmith/endpoints";
import { requests, resourceSpec, sourceConfig, sourceRevisionConfig } from "./langsmith/requests";
import { reservedInCloud, reservedNames } from "./langsmith/reserved-names";
import { sources } from "./langsmith/langsmith-sources";
import type { Rules } from "./dialect-rules";
import { commonTexts } from "./refusal-texts";

/**
 * The public service of this family, from what is published about it. Numbers in brackets are sections of the collected
 * facts. A comment says so if the source of a fact is weaker than the service's own schema: seen live, the vendor's
 * client, the vendor's tests, inferred, unknown. Open questions are options; the defaults are the stricter answers.
 */
export interface LangsmithOptions {
  readonly namePattern: string;
  /** A request for an upload URL with a body; older services expect none (11.19, the status is unknown). */
  readonly uploadOffer: "accepted" | "refused";
  /** The headers that storage requires instead of the usual ones, told to clients that offer to send them. */
  readonly uploadHeaders: Readonly<Record<string, string>> | undefined;
}

const usual: LangsmithOptions = {
  // The vendor's CI client uses it; the status, 422, is unknown.
  namePattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  uploadOffer: "accepted",
  uploadHeaders: undefined,
};

const deploymentTypes = ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"];

/** Keys of a deployment that were added in October 2026 (1.6). */
const later = {
  ...{ display_name: null, url: null, shareable: false, route_through_gateway: false },
  ...{ is_managed_deep_agent: false, is_preview: false, agent: null },
};

/** The service's own words. */
const projectExists =
  "Deployments create a tracing project in LangSmith with the same name as the deployment. There already exists a " +
  "project in LangSmith named: {name}.";

export function langsmithWith(options: Partial<LangsmithOptions>): Rules {
  const chosen = { ...usual, ...options };
  return {
    endpoints,
    requests: requests(chosen.namePattern, deploymentTypes, Object.keys(sources)),
    queries: queries(deploymentTypes),
    sources,
    refusesPushForTag: true,
    tracingProjects: true,
    // The families are from the vendor's documentation, the names of the types from its tools; others are unknown.
    tiers: {
      families: { prod: "DEDICATED", dev_zero: "SERVERLESS", dev_free_zero: "SERVERLESS", dev: "SERVERLESS" },
    },
    bearer: true,
    // The names are from the vendor's client; the status, 400, is unknown (7.15).
    reservedNames,
    reservedInCloud,
    // The control plane of an installation is there, and also answers at the origin of the API.
    alsoBelow: "/api-host",
    needsRepositoryAccess: true,
    // (1.1, D8)
    uploads: {
      offer: chosen.uploadOffer,
      headers: {
        "content-type": "application/gzip",
        ...(chosen.uploadHeaders ?? { "x-goog-content-length-range": "0,209715200" }),
      },
      toldHeaders: chosen.uploadHeaders,
      largestBytes: 209_715_200,
    },
    patch: {
      null: "keeps",
      emptySecrets: "keeps",
      revisionFrom: [
        ...Object.keys(sourceRevisionConfig).map((key) => `source_revision_config.${key}`),
        "source_config.resource_spec",
        // The vendor's client says so of the two commands (7.4).
        "source_config.install_command",
        "source_config.build_command",
        "secrets",
        "secret_references",
      ],
    },
    finallyDeleting: "AWAITING_FINAL_DELETE",
    readyAfter: 1,
    responses: {
      sourceConfig: {
        ...nullsOf(object(sourceConfig(deploymentTypes))),
        repo_branch: null,
        build_on_push: false,
        deployment_type: "prod",
      },
      sourceRevisionConfig: {
        ...nullsOf(object(sourceRevisionConfig)),
        ...{ repo_commit_sha: null, tracked_packages: null, deepagents_version: null },
      },
      // From the vendor's tests, which do not show the limits that its schema describes (1.6, 6).
      nestedDefaults: nestedDefaults(resourceSpec),
      alwaysNested: [],
      tenths: ["cpu"],
      // Documented for `github`, inferred for the others that run in the cloud (2.1, 7.8).
      generatedUrl: "https://{name}-{hash}.us.langgraph.app",
      // A deployment on the customer's own hosts shows its address only here.
      generatedUrlOf: { external_docker: "https://langsmith.example.com/lgp/{name}-{hash}" },
      later,
    },
    texts: {
      ...commonTexts,
      nameBeingDeleted: "Deployment '{name}' is being deleted, its name cannot be used yet",
      tracingProjectExists: projectExists,
      noRepositoryAccess: "LangSmith Deployment does not have permission on your repo",
    },
  };
}

export const langsmith = langsmithWith({});
