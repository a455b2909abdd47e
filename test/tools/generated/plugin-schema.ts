/** Writes the schema of the packaged provider from the tables: what Pulumi makes SDKs, documentation and editor help of. */
import { jsonLines } from "./json-lines";
import { z } from "zod";
import { settingsTable, type SettingName } from "../../../provider/settings/table";
import { typeToken } from "../../../provider/internal-inputs";
import { deployment, type Field, type Fields } from "../../../schema/fields";
import { filterFields, RepositoryFilters } from "../../../schema/filters";
import {
  Container,
  EnvironmentVariable,
  ImagePullSecret,
  Volume,
  VolumeMount,
} from "../../../schema/kubernetes";
import { outputs } from "../../../schema/outputs";
import { effectOf, wordsOf } from "./arguments";

type Json = { [key: string]: unknown };

const packageName = "deployment-service";
const tokenOf = (name: string) => `${packageName}:index:${name}`;
const referenceTo = (name: string): Json => ({ $ref: `#/types/${tokenOf(name)}` });

const { sourceConfig, sourceRevisionConfig, ready } = deployment;
const { resourceSpec, listenerConfig } = sourceConfig.fields;

/** Groups of the table, by the names of their types. */
const groups = new Map<Field, string>([
  [sourceConfig, "SourceConfig"],
  [sourceRevisionConfig, "SourceRevisionConfig"],
  [resourceSpec, "ResourceSpec"],
  [listenerConfig, "ListenerConfig"],
  [ready, "Ready"],
]);

/** Shapes that stand in the types of fields, by the names of their types. */
const named = new Map<z.ZodType, string>([
  [deployment.source.type, "Source"],
  [sourceConfig.fields.deploymentType.type, "DeploymentType"],
  [deployment.revisionSource.type, "RevisionSource"],
  [deployment.secretReferences.type.valueType, "SecretReference"],
  [Container, "Container"],
  [Container.shape.resources.unwrap(), "ContainerResources"],
  [EnvironmentVariable, "EnvironmentVariable"],
  [ImagePullSecret, "ImagePullSecret"],
  [Volume, "Volume"],
  [VolumeMount, "VolumeMount"],
]);

const typeDocs: Readonly<Record<string, string>> = {
  Source: deployment.source.doc,
  DeploymentType: sourceConfig.fields.deploymentType.doc,
  RevisionSource: deployment.revisionSource.doc,
  SecretReference: "A key of a secret in the cluster.",
};
const kubernetesDoc = "A member of `ResourceSpec`, with the names of Kubernetes.";

export function pluginSchema(): string {
  const schema = {
    name: packageName,
    displayName: "Deployment Service",
    description:
      "Declare the deployments of LangSmith Deployment, now LangSmith Agent Server, and of services with the same API.",
    keywords: ["pulumi", packageName, "langsmith", "langgraph", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    publisher: "pulumi-deployment-service",
    language: languages,
    config: { variables: settingsWithEnvironment() },
    provider: {
      description: "A connection to a deployment management service.",
      inputProperties: settings(),
    },
    types: { ...groupTypes(), ...shapeTypes(), ...resultTypes() },
    resources: { [tokenOf("Deployment")]: resource() },
    functions: functions(),
  };
  return jsonLines(schema);
}

const languages: Json = {
  nodejs: { respectSchemaVersion: true },
  python: { respectSchemaVersion: true, pyproject: { enabled: true } },
  go: { respectSchemaVersion: true, generateResourceContainerTypes: true },
  csharp: { respectSchemaVersion: true },
};

/** With the variables that registries and SDKs show as a setting's fallback. */
function settingsWithEnvironment(): Json {
  const entries = Object.entries(settings()).map(([name, setting]): [string, Json] => {
    const { env } = settingsTable[name as SettingName];
    return [name, { ...(setting as Json), defaultInfo: { environment: [env] } }];
  });
  return Object.fromEntries(entries);
}

/** Without defaults from the environment: an SDK would write them, the API key among them, into the state of each provider. */
function settings(): Json {
  const entries = Object.entries(settingsTable).map(([name, setting]): [string, Json] => {
    const type = typeOfSetting(name);
    const byDefault = "default" in setting ? ` Default: \`${setting.default}\`.` : "";
    const description = `${setting.doc} Can also be set with the environment variable ${setting.env}.${byDefault}`;
    return [name, { type, description, ...("secret" in setting && { secret: true }) }];
  });
  return Object.fromEntries(entries);
}

function typeOfSetting(name: string): string {
  if (name === "allowHttp") return "boolean";
  return name === "maxConcurrency" || name === "requestsPerMinute" ? "integer" : "string";
}

function resource(): Json {
  const args = propertiesOf(deployment);
  return {
    description:
      "A deployment on LangSmith Deployment or a compatible service. A change of `name` or `source` replaces the deployment; a change in " +
      "`sourceRevisionConfig` or of `triggers` creates a new revision and waits until it is active; everything else is changed in place.",
    inputProperties: args,
    requiredInputs: ["source"],
    properties: { ...args, ...outputProperties() },
    required: ["name", "source", ...nonNullable()],
    listInputs: filters(),
    // A stack of the dynamic provider moves over without a replacement.
    aliases: [{ type: typeToken }],
  };
}

function outputProperties(): Json {
  const entries = Object.entries(outputs).map(([name, { doc }]): [string, Json] => [
    name,
    { type: name === "generation" ? "integer" : "string", description: doc },
  ]);
  return Object.fromEntries(entries);
}

function nonNullable(): string[] {
  return Object.entries(outputs).flatMap(([name, { nullable }]) => (nullable ? [] : [name]));
}

function propertiesOf(fields: Fields): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, propertyOf(field)]));
}

function propertyOf(field: Field): Json {
  const description = `${field.doc}${effectOf(field)}`;
  if (field.kind === "group") return { ...referenceTo(groups.get(field)!), description };
  return {
    ...typeOf(field.type),
    description,
    ...(field.secret && { secret: true }),
    ...(field.change === "replacement" && { willReplaceOnChanges: true }),
  };
}

function typeOf(type: z.ZodType): Json {
  if (type instanceof z.ZodOptional) return typeOf(type.unwrap() as z.ZodType);
  const name = named.get(type);
  if (name !== undefined && type instanceof z.ZodString) {
    return { oneOf: [{ type: "string" }, referenceTo(name)] };
  }
  if (name !== undefined) return referenceTo(name);
  if (type instanceof z.ZodArray) return { type: "array", items: typeOf(type.element as z.ZodType) };
  if (type instanceof z.ZodRecord) {
    return { type: "object", additionalProperties: typeOf(type.valueType as z.ZodType) };
  }
  if (type instanceof z.ZodUnknown) return { $ref: "pulumi.json#/Any" };
  if (type instanceof z.ZodEnum) return { type: "string" };
  return { type: String(z.toJSONSchema(type).type) };
}

function groupTypes(): Json {
  const entries = [...groups].map(([field, name]): [string, Json] => {
    if (field.kind !== "group") throw new Error(`${name} is no group`);
    return [
      tokenOf(name),
      {
        type: "object",
        description: field.doc,
        properties: propertiesOf(field.fields),
        ...(field.required.length > 0 && { required: field.required }),
      },
    ];
  });
  return Object.fromEntries(entries);
}

function shapeTypes(): Json {
  const entries = [...named].map(([type, name]): [string, Json] => {
    const description = typeDocs[name] ?? kubernetesDoc;
    const words = wordsOf(type);
    if (words !== undefined) {
      const members = words.map((value) => ({ name: enumName(String(value)), value }));
      return [tokenOf(name), { type: "string", description, enum: members }];
    }
    return [tokenOf(name), objectType(type as z.ZodObject, description)];
  });
  return Object.fromEntries(entries);
}

/** `external_container` as `ExternalContainer`. */
function enumName(value: string): string {
  return value.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

function objectType({ shape }: z.ZodObject, description: string): Json {
  const members = Object.entries(shape as Record<string, z.ZodType>);
  const required = members.filter(([, type]) => !(type instanceof z.ZodOptional)).map(([name]) => name);
  return {
    type: "object",
    description,
    properties: Object.fromEntries(members.map(([name, type]) => [name, memberOf(type)])),
    ...(required.length > 0 && { required }),
  };
}

function memberOf(type: z.ZodType): Json {
  return { ...typeOf(type), ...(type.description !== undefined && { description: type.description }) };
}

const text = (description: string): Json => ({ type: "string", description });

function resultTypes(): Json {
  const args = propertiesOf(deployment);
  const { generation: _, latestRevisionStatus: __, ...observed } = outputProperties();
  const picked = [
    ...["name", "source", "sourceConfig", "sourceRevisionConfig", "secrets", "secretReferences"],
    ...["displayName", "shareable"],
  ];
  const properties = {
    id: text("UUID."),
    ...Object.fromEntries(picked.map((name) => [name, withoutEffect(args[name] as Json)])),
    ...observed,
  };
  const repository = {
    hostIntegrationId: text("Id (UUID) of the integration; a deployment's `sourceConfig.integrationId`."),
    id: { type: "integer", description: "Id of the repository at its host." },
    name: text("Name of the repository."),
    owner: text("Owner of the repository."),
    url: text("A deployment's `sourceConfig.repoUrl`."),
    defaultBranch: text("A deployment's `sourceRevisionConfig.repoRef`."),
  };
  return {
    [tokenOf("DeploymentResult")]: {
      type: "object",
      description: "A deployment, as a lookup returns it.",
      properties,
      required: ["id", "name", "source", "status"],
    },
    [tokenOf("Repository")]: objectOf(repository, "A repository of a code-host integration."),
    [tokenOf("Integration")]: objectOf(
      {
        id: text("UUID; a deployment's `sourceConfig.integrationId`."),
        name: text("The account at the code host."),
        installationId: { type: "integer", description: "Number of the installation at the code host." },
      },
      "A code-host integration of the tenant.",
    ),
    [tokenOf("Listener")]: objectOf(
      {
        id: text("UUID; a deployment's `sourceConfig.listenerId`."),
        computeId: text("Name of the cluster that it runs in."),
        namespaces: {
          type: "array",
          items: { type: "string" },
          description: "Values for a deployment's `sourceConfig.listenerConfig.k8sNamespace`.",
        },
      },
      "A listener, which runs images on your own cluster.",
    ),
    [tokenOf("RepositorySourceConfig")]: objectOf(
      { integrationId: repository.hostIntegrationId, repoUrl: repository.url },
      "The repository's part of `sourceConfig`.",
    ),
    [tokenOf("RepositoryRevisionConfig")]: objectOf(
      { repoRef: repository.defaultBranch },
      "The repository's part of `sourceRevisionConfig`.",
    ),
  };
}

function withoutEffect({ willReplaceOnChanges: _, ...property }: Json): Json {
  return property;
}

function objectOf(properties: Json, description = ""): Json {
  return {
    type: "object",
    ...(description && { description }),
    properties,
    required: Object.keys(properties),
  };
}

function functions(): Json {
  const result = (resultTypes()[tokenOf("DeploymentResult")] as Json)["properties"] as Json;
  return {
    [tokenOf("getDeployment")]: {
      description: "An existing deployment, by id or by exact name: one of the two.",
      inputs: {
        type: "object",
        properties: { id: text("UUID of the deployment."), name: text("Exact name of the deployment.") },
      },
      outputs: { type: "object", properties: result, required: ["id", "name", "source", "status"] },
    },
    [tokenOf("listDeployments")]: {
      description: "The deployments that match all filters; without filters, all of them.",
      inputs: filters(),
      outputs: listOf("deployments", "DeploymentResult"),
    },
    [tokenOf("listRepositories")]: {
      description: "The repositories that an integration gives access to.",
      inputs: objectType(RepositoryFilters, "What to list."),
      outputs: listOf("repositories", "Repository"),
    },
    [tokenOf("fromRepository")]: {
      description:
        "The part of a deployment's arguments that a repository provides: its address and its default branch.",
      inputs: objectOf({
        repository: {
          ...referenceTo("Repository"),
          description: "A repository, such as one of `listRepositories`.",
        },
      }),
      outputs: objectOf({
        sourceConfig: { ...referenceTo("RepositorySourceConfig"), description: "For `sourceConfig`." },
        sourceRevisionConfig: {
          ...referenceTo("RepositoryRevisionConfig"),
          description: "For `sourceRevisionConfig`.",
        },
      }),
    },
    [tokenOf("listIntegrations")]: {
      description: "The code-host integrations of the tenant. Only in dialect `langsmith`.",
      outputs: listOf("integrations", "Integration"),
    },
    [tokenOf("listListeners")]: {
      description: "The listeners that run images on your own clusters. Only in dialect `langsmith`.",
      outputs: listOf("listeners", "Listener"),
    },
  };
}

function filters(): Json {
  const entries = Object.entries(filterFields).map(([name, type]): [string, Json] => [name, memberOf(type)]);
  return { type: "object", properties: Object.fromEntries(entries) };
}

function listOf(name: string, type: string): Json {
  return {
    type: "object",
    properties: { [name]: { type: "array", items: referenceTo(type) } },
    required: [name],
  };
}
