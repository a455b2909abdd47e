import { deploymentTiers, deploymentTypes, sources } from "../../schema/enums";
import type { Conflict, Dialect, Place } from "./dialect";
import { standard } from "./standard";
import { bothWords } from "./words";

const mebibyte = 1024 * 1024;

const typePath = "sourceConfig.deploymentType";
const words = { [typePath]: { serverless: "dev_zero", dedicated: "prod" } };
const typeText = (type: string) => bothWords(type, typePath, { words });

/** The family of tiers for each type of deployment. That of other types is unknown. */
const tierFamilies = { SERVERLESS: ["dev_zero", "dev_free_zero", "dev"], DEDICATED: ["prod"] };

/** A deployment accepts only the tiers of its type's family. */
const tierConflicts = Object.entries(tierFamilies).map(([family, types]): Conflict => {
  const property = "sourceConfig.deploymentTier";
  const others = Object.keys(tierFamilies).filter((each) => each !== family);
  const tiers = deploymentTiers.filter((tier) => tier.startsWith(family)).join(", ");
  return {
    property,
    reason: `must be one of ${tiers} with ${typePath} ${types.map(typeText).join(", ")}`,
    when: { [typePath]: `^(${types.join("|")})$`, [property]: `^(${others.join("|")})_` },
  };
});

const cloud = {
  conflicts: [
    {
      property: "source",
      reason:
        "is external_container without a listener: the public service runs images only on your own clusters. Set " +
        "sourceConfig.listenerId (`npx pulumi-deployment-service listeners` lists them), or deploy a folder (internal_source) or a " +
        "repository (codehost)",
      isWarning: true,
      when: { source: "^external_container$", "sourceConfig.listenerId": "^$" },
    },
  ],
  reservedSecrets: (
    "LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX " +
    "LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE"
  ).split(" "),
} satisfies Partial<Place>;

/** Only known from the vendor's command line, so it is a warning. */
const onAws: Conflict = {
  property: "sourceConfig.deploymentType",
  reason:
    "scales to zero, which the service does not support on AWS: declare another type, such as dedicated",
  showsValue: true,
  isWarning: true,
  when: { "sourceConfig.deploymentType": "^(serverless|dev_zero|dev_free_zero)$" },
};

const places: readonly Place[] = [
  {
    address: "^https://aws\\.api\\.host\\.langchain\\.com$",
    ...cloud,
    conflicts: [...cloud.conflicts, onAws],
  },
  { address: "^https?://([^/?#]+\\.)?langchain\\.com(:\\d+)?(/|$)", ...cloud },
  // One's own cloud, which is managed from the vendor's pages. Which rules hold there is not known.
  { address: ".", dashboard: "^https://([a-z0-9-]+\\.)*smith\\.langchain\\.com$" },
  {
    address: ".",
    namesOf: {
      external_container: {
        pattern: "^.{1,21}$",
        reason:
          "must have at most 21 characters on a self-hosted instance: its autoscaler adds 42 characters, and a deployment with a " +
          "longer name would never become ready",
      },
    },
  },
];

/** The public service of this family: the same protocol with different names and stricter rules. */
export const langsmith: Dialect = {
  name: "langsmith",
  headers: standard.headers,
  paths: {
    deployments: "/v2/deployments",
    deployment: "/v2/deployments/{id}",
    readDeployment: "/v2/deployments/{id}",
    revision: "/v2/deployments/{id}/revisions/{revision_id}",
    revisions: "/v2/deployments/{id}/revisions",
    interruption: [
      "/v2/deployments/{id}/revisions/{revision_id}/interruption",
      "/v2/deployments/{id}/revisions/{revision_id}/interrupt",
    ],
    uploadAddress: "/v2/deployments/{id}/upload-url",
    revisionLog: "/v2/deployments/{id}/revisions/{revision_id}/logs?type={type}",
    olderRevisionLog: "/v1/projects/{id}/revisions/{revision_id}/{type}_logs",
    codehostIntegrations: "/v1/integrations/github/install",
    codehostRepositories: "/v1/integrations/github/{integration_id}/repos",
    serviceRepositories: "/v1/integrations/forge/github/{integration_id}/repos",
    listeners: "/v2/listeners",
  },
  vocabulary: {
    fields: { graph_config_path: "langgraph_config_path" },
    sources: {
      codehost: "github",
      external_container: "external_docker",
      internal_container: "internal_docker",
    },
    // After a build, the field itself holds the commit.
    declaredAt: { "sourceRevisionConfig.repoRef": "source_config.repo_branch" },
  },
  words,

  changes: {
    "sourceConfig.integrationId": "replacement",
    "sourceConfig.repoUrl": "replacement",
    "sourceConfig.listenerId": "replacement",
    "sourceConfig.listenerConfig": "replacement",
    "sourceConfig.resourceSpec": "revision",
    secrets: "revision",
    "sourceConfig.installCommand": "revision",
    "sourceConfig.buildCommand": "revision",
    "sourceConfig.deploymentTier": "revision",
    secretReferences: "revision",
  },
  // It is not documented whether references make a revision by themselves.
  perhapsRevision: ["secretReferences"],
  removal: { "*": "never", "sourceConfig.resourceSpec": "read-modify-write", secretReferences: "empty" },

  refusesWrongFields: true,
  sourcesOf: {
    ...standard.sourcesOf,
    "sourceConfig.customUrl": ["external_container"],
    "sourceConfig.resourceSpec": ["external_container"],
    "sourceConfig.listenerId": ["external_container"],
    "sourceConfig.listenerConfig": ["external_container"],
    "sourceConfig.installCommand": ["codehost", "internal_source"],
    "sourceConfig.buildCommand": ["codehost", "internal_source"],
    "sourceConfig.templateId": ["internal_template"],
    "sourceConfig.deploymentType": sources.filter((source) => source !== "external_container"),
  },
  instead: { "sourceConfig.resourceSpec": "set its size with sourceConfig.deploymentTier" },
  required: {
    codehost: [
      "sourceConfig.integrationId",
      "sourceConfig.repoUrl",
      "sourceRevisionConfig.repoRef",
      "sourceRevisionConfig.graphConfigPath",
    ],
    external_container: ["sourceRevisionConfig.imageUri"],
  },
  foundBy: { "sourceConfig.integrationId": "npx pulumi-deployment-service integrations" },
  // Only an existing deployment has an upload address, and a registry to push to.
  refusedOnFirstUp: {
    internal_source: ["sourceRevisionConfig.sourceTarballPath"],
    internal_container: ["sourceRevisionConfig.imageUri"],
  },
  sentOnCreate: {
    codehost: { "sourceConfig.deploymentType": "prod", "sourceConfig.buildOnPush": false },
    external_container: { "sourceConfig.resourceSpec": {} },
    internal_template: { "sourceConfig.deploymentType": "prod" },
  },
  conflicts: [
    {
      property: "sourceDirectory",
      reason:
        "is not set, so nothing is uploaded: the deployment runs nothing until `sourceDirectory` is declared, or something else " +
        "uploads its source code",
      isWarning: true,
      isOnlyForCreation: true,
      when: {
        source: "^internal_source$",
        revisionSource: "^(internal_source|)$",
        sourceDirectory: "^$",
        "sourceRevisionConfig.sourceTarballPath": "^$",
      },
    },
    {
      property: "sourceConfig.buildOnPush",
      reason: "cannot be true with a tag in sourceRevisionConfig.repoRef: it requires a branch",
      when: { "sourceConfig.buildOnPush": "^true$", "sourceRevisionConfig.repoRef": "^refs/tags/" },
    },
    {
      property: "sourceConfig.resourceSpec.minScale",
      reason: "must be at least 1: the service does not scale an external_container to zero",
      when: { "sourceConfig.resourceSpec.minScale": "^0$", source: "^external_container$" },
    },
    {
      property: "sourceConfig.deploymentType",
      reason: `is not one that this version knows (${deploymentTypes.join(", ")})`,
      showsValue: true,
      known: deploymentTypes,
      isWarning: true,
      when: { "sourceConfig.deploymentType": `^(?!(${deploymentTypes.join("|")}|)$)` },
    },
    ...tierConflicts,
    {
      property: "sourceConfig.deploymentTier",
      reason:
        "is of the SERVERLESS family, but without sourceConfig.deploymentType a new deployment is dedicated (prod) and accepts only " +
        "the DEDICATED one: declare the type as well",
      isWarning: true,
      when: { "sourceConfig.deploymentTier": "^SERVERLESS_", "sourceConfig.deploymentType": "^$" },
    },
    {
      property: "sourceConfig.deploymentTier",
      reason:
        "is not for source external_container, which runs in your own cluster: set its size with sourceConfig.resourceSpec",
      when: { source: "^external_container$", "sourceConfig.deploymentTier": "." },
    },
    {
      property: "sourceConfig.deploymentTier",
      reason: `is not one that this version knows (${deploymentTiers.join(", ")})`,
      showsValue: true,
      known: deploymentTiers,
      isWarning: true,
      when: { "sourceConfig.deploymentTier": `^(?!(${deploymentTiers.join("|")}|)$)` },
    },
  ],
  names: {
    pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
    reason:
      "must have at most 63 lowercase letters, digits and dashes, and begin and end with a letter or a digit",
  },
  namesOf: {},
  places,
  regions: {
    us: "https://api.host.langchain.com",
    eu: "https://eu.api.host.langchain.com",
    apac: "https://apac.api.host.langchain.com",
    "aws-us": "https://aws.api.host.langchain.com",
  },
  dashboard: {
    path: "/o/{tenant_id}/host/deployments/{id}",
    addresses: {
      "^(https://([a-z]+\\.)?)api\\.host\\.langchain\\.com$": "$1smith.langchain.com",
      // A self-hosted installation has both at one address.
      "/api-host$": "",
    },
  },
  vendor: {
    apiKey: ["LANGGRAPH_HOST_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"],
    usualApiKey: "LANGSMITH_API_KEY",
    tenantId: ["LANGSMITH_WORKSPACE_ID", "LANGSMITH_TENANT_ID"],
    deploymentName: "LANGSMITH_DEPLOYMENT_NAME",
    controlPlane: ["LANGGRAPH_HOST_URL", "LANGSMITH_CONTROL_PLANE_URL"],
    api: ["LANGSMITH_ENDPOINT"],
    apiAddresses: {
      "^https://((?:[a-z0-9-]+\\.)*)api\\.smith\\.langchain\\.com(?:/api)?(?:/v1)?$":
        "https://$1api.host.langchain.com",
      "/api(?:/v1)?$": "/api-host",
    },
    publicAddress: "^https://(?:[a-z0-9-]+\\.)*api\\.host\\.langchain\\.com$",
    controlPlanePath: "/api-host",
    profile: {
      file: ".langsmith/config.json",
      fileVariable: "LANGSMITH_CONFIG_FILE",
      nameVariable: "LANGSMITH_PROFILE",
      login: "langsmith auth login",
      tool: "langsmith",
      tokenArguments: ["auth", "token", "--profile"],
    },
  },
  databases: ["POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM"],
  reservedSecrets: (
    "LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT " +
    "LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY " +
    "LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI " +
    "LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE " +
    "LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID LANGSMITH_AUTH_VERIFY_TENANT_ID " +
    "LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON " +
    "LOG_DICT_TRACEBACKS REDIS_URI LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED " +
    "DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY"
  ).split(" "),

  withoutType:
    "always runs, because no sourceConfig.deploymentType is declared: write `serverless` for one that scales to zero",
  revisionStatuses: {
    queued: "QUEUED",
    building: { BUILDING: "build" },
    deployed: "DEPLOYED",
    failed: { CREATE_FAILED: "build", BUILD_FAILED: "build", DEPLOY_FAILED: "deploy" },
    skipped: "SKIPPED",
    stopped: "INTERRUPTED",
  },
  interruptionWarning:
    "LangSmith warns of undefined behavior after an interruption, and may remove it: use it only for a revision that is stuck",
  uploads: {
    internal_container: "sourceRevisionConfig.imageUri",
    internal_source: "sourceRevisionConfig.sourceTarballPath",
  },
  // Like the service's own command line.
  archives: {
    configFile: "langgraph.json",
    leftOut: ["__pycache__/", ".git/", ".venv/", "venv/", "node_modules/", ".tox/", ".mypy_cache/"],
    ignoreFiles: [".dockerignore", ".gitignore"],
    largest: 200 * mebibyte,
    headers: { "content-type": "application/gzip" },
    usualHeaders: { "x-goog-content-length-range": `0,${200 * mebibyte}` },
    offer: { supports_upload_headers: true },
  },
  deletion: { deleteTracingProject: "delete_tracing_project" },
  owners: {
    is_preview: {
      what: "preview build",
      owns: "LangSmith made for a pull request, and changes and deletes by itself",
    },
    is_managed_deep_agent: {
      what: "managed agent",
      owns: "belongs to `mda` (managed-deepagents): `mda delete` deletes it with its crons, channels and context",
    },
  },
  hasTracingProjects: true,
  nameKeeper: { what: "the tracing project of the same name", freedBy: "deleteTracingProject" },
  advice: [
    {
      pattern: "tracing project",
      text:
        "Deleting a deployment does not delete its tracing project, which still uses the name. Delete the project in " +
        "LangSmith (this deletes its traces too), or choose another name. To delete both together from now on, set " +
        "`deleteTracingProject: true` on the deployment.",
    },
    {
      pattern: "agent environment",
      text: "Another deployment uses this agent's environment: delete that deployment first, or adopt it.",
    },
    {
      pattern: "requires workspace specification",
      text:
        "The API key belongs to an organization with several workspaces: choose one with `deployment-service:tenantId` " +
        "(DEPLOYMENT_SERVICE_TENANT_ID).",
    },
    {
      pattern: "not enabled",
      text: "Ask someone who manages the organization's plan to enable deployments.",
    },
    {
      pattern: "\\btier\\b|deployment_tier",
      text:
        "A dedicated deployment (type prod) accepts the DEDICATED tiers, a serverless one (dev_zero) the SERVERLESS ones: choose " +
        "another `sourceConfig.deploymentTier`.",
    },
    {
      pattern: "listener_id' is required",
      choices: "listeners",
      text: "Set `sourceConfig.listenerId`, and `sourceConfig.listenerConfig.k8sNamespace` to the listener's namespace.",
    },
  ],

  graphConfigFile: "langgraph.json",
  defaults: { ...standard.defaults, "sourceConfig.routeThroughGateway": false, shareable: false },
  // The second pattern is for self-hosted installations.
  ownAddress:
    "^https://{name}-[0-9a-f]{6,40}\\.([a-z0-9-]+\\.)*langgraph\\.app|^https?://[^?#]+/lgp/{name}-\\w+/?$",
  uniqueNames: true,
};
