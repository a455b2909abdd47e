import { sourcesOf } from "../../schema/sources";
import type { Dialect } from "./dialect";

/** Refused for other sources, or with every source, so they need no warning. */
const { secretReferences: _, sourceDirectory: __, "sourceConfig.templateId": ___, ...advisory } = sourcesOf;

const setLangsmith = "set `deployment-service:dialect` (DEPLOYMENT_SERVICE_DIALECT) to langsmith";

/** The specification's own words. */
export const standard: Dialect = {
  name: "standard",
  headers: { apiKey: "X-Api-Key", token: "Authorization", tenantId: "X-Tenant-Id" },
  paths: {
    deployments: "/v2/deployments",
    deployment: "/v2/deployments/{id}",
    codehostRepositories: "/v1/integrations/codehost/{integration_id}/repos",
  },
  vocabulary: { fields: {}, sources: {}, declaredAt: {} },
  words: {},

  changes: {},
  removal: { "*": "null", secrets: "empty" },

  // The specification only says that fields are validated against the source (2.3).
  refusesWrongFields: false,
  sourcesOf: advisory,
  required: {
    codehost: ["sourceConfig.repoUrl"],
    external_container: ["sourceRevisionConfig.imageUri"],
  },
  foundBy: {},
  refusedOnFirstUp: {},
  sentOnCreate: {},
  conflicts: [
    {
      property: "deleteTracingProject",
      reason: "has no effect: a service of dialect standard has no tracing projects",
      isWarning: true,
      when: { deleteTracingProject: "^true$" },
    },
    {
      property: "sourceDirectory",
      reason:
        "needs a service that accepts uploads, and one of dialect standard does not: upload the archive yourself and set " +
        `sourceRevisionConfig.sourceTarballPath, or ${setLangsmith}`,
      when: { sourceDirectory: "." },
    },
    {
      property: "sourceConfig.deploymentType",
      reason:
        "must be one of dev_free, dev, prod in dialect standard; serverless, dedicated and the types with zero exist only " +
        `in langsmith: to use them, ${setLangsmith}`,
      showsValue: true,
      known: ["dev_free", "dev", "prod"],
      when: { "sourceConfig.deploymentType": "^(?!(dev_free|dev|prod|)$)" },
    },
    ...[
      "sourceConfig.routeThroughGateway",
      "sourceConfig.deploymentTier",
      "displayName",
      "shareable",
      "sourceConfig.templateId",
      ...["coreCpu", "coreCpuLimit", "coreMemoryMb", "coreMemoryLimitMb"].map(
        (name) => `sourceConfig.resourceSpec.${name}`,
      ),
    ].map((property) => ({
      property,
      reason: `is not supported in dialect standard, only in langsmith: to use it, ${setLangsmith}`,
      when: { [property]: "." },
    })),
  ],
  namesOf: {},
  places: [],
  regions: {},
  reservedSecrets: [],
  databases: [],

  uploads: {},
  deletion: {},
  owners: {},
  hasTracingProjects: false,
  advice: [],

  graphConfigFile: "graph.json",
  defaults: {
    "sourceConfig.buildOnPush": false,
    "sourceConfig.deploymentType": "prod",
    "sourceConfig.resourceSpec.minScale": 1,
    "sourceConfig.resourceSpec.maxScale": 1,
    "sourceConfig.resourceSpec.cpu": 1,
    "sourceConfig.resourceSpec.memoryMb": 2048,
  },
  ownAddress: "^https://{name}-[0-9a-f]{6,40}\\.",
  uniqueNames: true,
};
