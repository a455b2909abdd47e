/** Writes the schema of the packaged provider from the tables: what Pulumi makes SDKs, documentation and editor help of. */
import { jsonLines } from "./json-lines";
import { z } from "zod";
import { settingsTable, type SettingName } from "../../../provider/settings/table";
import { typeToken } from "../../../provider/stored/internal-inputs";
import { deployment, type Field, type Fields } from "../../../schema/fields";
import { filterFields, RepositoryFilters } from "../../../schema/filters";
import { outputs } from "../../../schema/outputs";
import { effectOf, groups, shapes, wordsOf } from "./arguments";

type Json = { [key: string]: unknown };

const packageName = "deployment-service";
/** Whose the SDKs are: without it, they would be in Pulumi's own namespaces. */
const namespace = "agentdeployments";
const tokenOf = (name: string) => `${packageName}:index:${name}`;
const referenceTo = (name: string): Json => ({ $ref: `#/types/${tokenOf(name)}` });

const { deploymentType, deploymentTier } = deployment.sourceConfig.fields;

const groupNames = new Map<Field, string>(Object.entries(groups).map(([name, group]) => [group, name]));

/** Shapes that stand in the types of fields, by the names of their types. To SDKs a tier is any text. */
const named = new Map([...shapes, [deployment.secretReferences.type.valueType, "SecretReference"]]);
named.delete(deploymentTier.type);

/** An object with the same keys. */
function mapped<T>(values: Readonly<Record<string, T>>, to: (value: T, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]));
}

const typeDocs: Readonly<Record<string, string>> = {
  Source: deployment.source.doc,
  DeploymentType: deploymentType.doc,
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
    namespace,
    publisher: namespace,
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
  csharp: { respectSchemaVersion: true, rootNamespace: "AgentDeployments" },
};

/** With the variables that registries and SDKs show as a setting's fallback. */
function settingsWithEnvironment(): Json {
  return mapped(settings(), (setting, name) => ({
    ...(setting as Json),
    defaultInfo: { environment: [settingsTable[name as SettingName].env] },
  }));
}

/** Without defaults from the environment: an SDK would write them, the API key among them, into the state of each provider. */
function settings(): Json {
  return mapped(settingsTable, (setting, name) => {
    const byDefault = "default" in setting ? ` Default: \`${setting.default}\`.` : "";
    const description = `${setting.doc} Can also be set with the environment variable ${setting.env}.${byDefault}`;
    return { type: typeOfSetting(name), description, ...("secret" in setting && { secret: true }) };
  });
}

function typeOfSetting(name: string): string {
  if (name === "allowHttp") return "boolean";
  return name === "maxConcurrency" ? "integer" : "string";
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
  return mapped(outputs, ({ doc }, name) => ({
    type: name === "generation" ? "integer" : "string",
    description: doc,
  }));
}

function nonNullable(): string[] {
  return Object.entries(outputs).flatMap(([name, { nullable }]) => (nullable ? [] : [name]));
}

function propertiesOf(fields: Fields): Json {
  return mapped(fields, propertyOf);
}

function propertyOf(field: Field): Json {
  const description = `${field.doc}${effectOf(field)}`;
  if (field.kind === "group") return { ...referenceTo(groupNames.get(field)!), description };
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
  const entries = Object.entries(groups).map(([name, { doc, fields, required }]) => [
    tokenOf(name),
    objectOf(propertiesOf(fields), doc, required),
  ]);
  return Object.fromEntries(entries) as Json;
}

function shapeTypes(): Json {
  const entries = [...named].map(([type, name]) => {
    const description = typeDocs[name] ?? kubernetesDoc;
    const words = wordsOf(type)?.map((value) => ({ name: enumName(String(value)), value }));
    return [
      tokenOf(name),
      words ? { type: "string", description, enum: words } : objectType(type as z.ZodObject, description),
    ];
  });
  return Object.fromEntries(entries) as Json;
}

/** `external_container` as `ExternalContainer`. */
function enumName(value: string): string {
  return value.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

function objectType({ shape }: z.ZodObject, description: string): Json {
  const members = shape as Record<string, z.ZodType>;
  const required = Object.keys(members).filter((name) => !(members[name] instanceof z.ZodOptional));
  return objectOf(mapped(members, memberOf), description, required);
}

function memberOf(type: z.ZodType): Json {
  return { ...typeOf(type), ...(type.description !== undefined && { description: type.description }) };
}

const text = (description: string): Json => ({ type: "string", description });

/** What a lookup always returns. */
const always = ["id", "name", "source", "status"];

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
    [tokenOf("DeploymentResult")]: objectOf(properties, "A deployment, as a lookup returns it.", always),
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

/** With all of the properties required, unless told otherwise. */
function objectOf(
  properties: Json,
  description = "",
  required: readonly string[] = Object.keys(properties),
): Json {
  return {
    type: "object",
    ...(description && { description }),
    properties,
    ...(required.length > 0 && { required }),
  };
}

const secretsOfResults =
  "Secrets, and credentials in containers, are secret in the output form, and may be plain text in the other.";

function functions(): Json {
  const result = (resultTypes()[tokenOf("DeploymentResult")] as Json)["properties"] as Json;
  return {
    [tokenOf("getDeployment")]: {
      description: `An existing deployment, by id or by exact name: one of the two. ${secretsOfResults}`,
      inputs: objectOf(
        { id: text("UUID of the deployment."), name: text("Exact name of the deployment.") },
        "",
        [],
      ),
      outputs: objectOf(result, "", always),
    },
    [tokenOf("listDeployments")]: {
      description: `The deployments that match all filters; without filters, all of them. ${secretsOfResults}`,
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
  return objectOf(mapped(filterFields, memberOf), "", []);
}

function listOf(name: string, type: string): Json {
  return objectOf({ [name]: { type: "array", items: referenceTo(type) } });
}
