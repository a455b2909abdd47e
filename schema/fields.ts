/**
 * The table of a deployment's fields: names, types, the effect of a change, and whether a field is secret. The diff, the
 * translation to the wire, the checks, the JSON Schema, the argument types and the documentation all read it.
 * Names are in camelCase, as in programs. On the wire they are in snake_case (`wireName`), unless the dialect overrides
 * them.
 */
import { z } from "zod";
import { deploymentTiers, deploymentTypes, revisionSources, sources } from "./enums";
import { Image } from "./images";
import { Container, ImagePullSecret, Volume, VolumeMount } from "./kubernetes";

/**
 * The effect of changing a field:
 * - `none`: no effect on the service;
 * - `settings`: updated in place, no new revision;
 * - `revision`: the service creates a new revision and rolls it out;
 * - `replacement`: the field is immutable, so the deployment is replaced.
 */
export type ChangeEffect = "none" | "settings" | "revision" | "replacement";

/**
 * When a field is sent:
 * - `always`: on creation, and in updates that change it;
 * - `onCreate`, `onDelete`: only then;
 * - `afterFirstRevision`: in updates that change it. A creation refuses it, and so does an update while no revision is active, so it
 *   follows once one is;
 * - `withRevision`: in every update that creates a revision, even if unchanged;
 * - `never`: only the provider reads it.
 */
export type Sent = "always" | "onCreate" | "afterFirstRevision" | "onDelete" | "withRevision" | "never";

/** A value that is sent and compared as a whole. */
export interface Leaf<T extends z.ZodType = z.ZodType> {
  readonly kind: "leaf";
  readonly type: T;
  readonly doc: string;
  readonly change: ChangeEffect;
  /** Its value never appears in plain text. */
  readonly secret?: true;
  readonly sent: Sent;
  /** Whether it is the path of a folder, relative to the program. A change of the folder's content makes a revision. */
  readonly isFolder?: true;
  /** Whether the wire has it next to its parent object, not inside. */
  readonly isBeside?: true;
  /** Whether the explanation of a change names both values. */
  readonly isNamed?: true;
  /** For a map that is a list of named objects on the wire: what the objects contain. */
  readonly list?: "value" | "object";
  /**
   * Whether the observed value is a resolved form of the declared one, for example a commit for a branch. `beside` contains
   * the observed values of the other fields in the group.
   */
  readonly resolvesTo?: (
    declared: string,
    observed: string,
    beside: Readonly<Record<string, unknown>>,
  ) => boolean;
}

/** An object whose fields are in the table. */
export interface Group<F extends Fields = Fields, R extends string = string> {
  readonly kind: "group";
  readonly fields: F;
  readonly doc: string;
  readonly required: readonly R[];
  /** Whether a change of one field sends the whole object, because the service replaces it as a whole. */
  readonly atomic: boolean;
}

export type Field = Leaf | Group;
export type Fields = { readonly [name: string]: Field };

/** Whether its keys are the user's, such as names of variables or labels. */
export function isMap(field: Field): field is Leaf<z.ZodRecord> {
  return field.kind === "leaf" && field.type instanceof z.ZodRecord;
}

type LeafOptions = Partial<Omit<Leaf, "kind" | "type" | "doc" | "change">>;

const usuallySent = {
  none: "never",
  settings: "always",
  revision: "always",
  replacement: "onCreate",
} as const satisfies Record<ChangeEffect, Sent>;

function leaf<T extends z.ZodType>(
  type: T,
  change: ChangeEffect,
  doc: string,
  options: LeafOptions = {},
): Leaf<T> {
  return { kind: "leaf", type, change, doc, sent: usuallySent[change], ...options };
}

function group<F extends Fields, R extends string = never>(
  doc: string,
  fields: F,
  options: Partial<Pick<Group<F, R>, "required" | "atomic">> = {},
): Group<F, R> {
  return { kind: "group", fields, doc, required: [], atomic: false, ...options };
}

const text = z.string();
const cores = z.number().min(0);
const count = z.int().min(0);
const data = z.record(z.string(), z.string());
/** The service's own rule is unknown. This one refuses only what no process environment can contain. */
const variableName = z.string().regex(
  // eslint-disable-next-line no-control-regex -- the one character that ends a name
  /^[^=\s\u0000]+$/,
  'a variable name must not be empty or contain "=", white space or a null character',
);

const setting = <T extends z.ZodType>(type: T, doc: string, options?: LeafOptions) =>
  leaf(type, "settings", doc, options);
const local = <T extends z.ZodType>(type: T, doc: string) => leaf(type, "none", doc);
const revision = <T extends z.ZodType>(type: T, doc: string, options?: LeafOptions) =>
  leaf(type, "revision", doc, options);

/** Specification, section 2.6, which defines no bounds, no units for scale and CPU, and no defaults. */
export const resourceSpec = {
  minScale: setting(count, "Smallest number of replicas of the application."),
  maxScale: setting(count, "Largest number of replicas of the application."),
  cpu: setting(cores, "CPU of one replica, in cores; a decimal value is fine."),
  cpuLimit: setting(cores, "CPU limit of one replica, in cores."),
  memoryMb: setting(count, "Memory of one replica, in MB."),
  memoryLimitMb: setting(count, "Memory limit of one replica, in MB."),
  queueMinScale: setting(count, "Smallest number of replicas of the queue."),
  queueMaxScale: setting(count, "Largest number of replicas of the queue."),
  queueCpu: setting(cores, "CPU of one queue replica, in cores."),
  queueCpuLimit: setting(cores, "CPU limit of one queue replica, in cores."),
  queueMemoryMb: setting(count, "Memory of one queue replica, in MB."),
  queueMemoryLimitMb: setting(count, "Memory limit of one queue replica, in MB."),
  orchestratorCpu: setting(cores, "CPU of the orchestrator, in cores."),
  orchestratorCpuLimit: setting(cores, "CPU limit of the orchestrator, in cores."),
  orchestratorMemoryMb: setting(count, "Memory of the orchestrator, in MB."),
  orchestratorMemoryLimitMb: setting(count, "Memory limit of the orchestrator, in MB."),
  orchestratorMinScale: setting(count, "Smallest number of replicas of the orchestrator."),
  orchestratorMaxScale: setting(count, "Largest number of replicas of the orchestrator."),
  executorCpu: setting(cores, "CPU of the executor, in cores."),
  executorCpuLimit: setting(cores, "CPU limit of the executor, in cores."),
  executorMemoryMb: setting(count, "Memory of the executor, in MB."),
  executorMemoryLimitMb: setting(count, "Memory limit of the executor, in MB."),
  coreCpu: setting(
    z.number().min(0.1),
    "CPU of the core API, in cores, if it runs in a separate container. Only in dialect `langsmith`.",
  ),
  coreCpuLimit: setting(
    z.number().min(0.1),
    "CPU limit of the core API, in cores. The service's default: twice the CPU. Only in dialect `langsmith`.",
  ),
  coreMemoryMb: setting(count, "Memory of the core API, in MB. Only in dialect `langsmith`."),
  coreMemoryLimitMb: setting(
    count,
    "Memory limit of the core API, in MB. The service's default: twice the memory. Only in dialect `langsmith`.",
  ),
  redisCpu: setting(cores, "CPU of the cache, in cores."),
  redisCpuLimit: setting(cores, "CPU limit of the cache, in cores."),
  redisMemoryMb: setting(count, "Memory of the cache, in MB."),
  redisMemoryLimitMb: setting(count, "Memory limit of the cache, in MB."),
  dbCpu: setting(cores, "CPU of the database, in cores."),
  dbCpuLimit: setting(cores, "CPU limit of the database, in cores."),
  dbMemoryMb: setting(count, "Memory of the database, in MB."),
  dbMemoryLimitMb: setting(count, "Memory limit of the database, in MB."),
  dbStorageGi: setting(count, "Storage of the database, in GiB."),
  dbMaxConnections: setting(count, "Largest number of connections to the database."),
  labels: setting(data, "Labels of the workload. Keys are sent as they are."),
  annotations: setting(data, "Annotations of the workload. Keys are sent as they are."),
  serviceAccountName: setting(text, "Service account that the workload runs as."),
  imagePullSecrets: setting(z.array(ImagePullSecret), "Secrets of the cluster that pull the images."),
  volumes: setting(z.array(Volume), "Volumes of the workload, with the names of Kubernetes."),
  volumeMounts: setting(z.array(VolumeMount), "Where the application's container mounts the volumes."),
  initContainers: setting(
    z.array(Container),
    "Containers that run to their end before the application starts.",
  ),
  sidecars: setting(z.array(Container), "Containers that run next to the application."),
} satisfies Fields;

/** UUIDs are not case-sensitive. */
const uuid = {
  resolvesTo: (declared: string, observed: string) => declared.toLowerCase() === observed.toLowerCase(),
};

/** Code hosts return addresses with or without `.git`, and in varying letter case. */
function repositoryOf(url: string): string {
  return url.replace(/(\.git)?\/?$/, "").toLowerCase();
}

/** Specification, section 2.3. */
export const sourceConfig = {
  integrationId: setting(
    z.guid(),
    "Id (UUID) of the code-host integration: a repository's `hostIntegrationId`.",
    uuid,
  ),
  repoUrl: setting(text.min(1), "Address of the repository, such as `https://code.example.com/acme/chat`.", {
    resolvesTo: (declared, observed) => repositoryOf(declared) === repositoryOf(observed),
  }),
  buildOnPush: setting(z.boolean(), "Whether a push to the branch creates a revision. Default: false."),
  customUrl: setting(text, "Address of the deployment. Default: one that the service chooses."),
  resourceSpec: group("Sizes and cluster settings. Defaults: the service's.", resourceSpec, {
    atomic: true,
  }),
  listenerId: setting(z.guid(), "Id (UUID) of the listener that deploys into your own cluster.", uuid),
  listenerConfig: group(
    "Settings of the listener.",
    { k8sNamespace: setting(text, "Namespace of the cluster.") },
    { atomic: true },
  ),
  installCommand: setting(text, "Command that installs packages during the build."),
  buildCommand: setting(text, "Command that builds the application."),
  routeThroughGateway: setting(
    z.boolean(),
    "Whether the application's calls to models of OpenAI and Anthropic go through the service's LLM gateway. Only in dialect `langsmith`.",
    { isBeside: true },
  ),
  deploymentTier: setting(
    text.min(1).meta({ examples: [...deploymentTiers] }),
    "Size of the deployment: `SERVERLESS_S` to `SERVERLESS_L`, or `DEDICATED_S` to `DEDICATED_L` if it is dedicated. Only in dialect `langsmith`.",
    { isBeside: true, isNamed: true, sent: "afterFirstRevision" },
  ),
  deploymentType: leaf(
    text.meta({ examples: [...deploymentTypes] }),
    "replacement",
    "Type of the deployment. In dialect `langsmith`: `serverless` (`dev_zero` on the wire), which scales to zero, or " +
      "`dedicated` (`prod`), which always runs and is the default.",
    { isNamed: true },
  ),
  templateId: leaf(
    text.min(1),
    "replacement",
    "Id of the template that the deployment is created from. Only with `internal_template`, in dialect `langsmith`.",
  ),
} satisfies Fields;

export const commit = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Specification, section 2.4. */
export const sourceRevisionConfig = {
  repoRef: revision(text.min(1), "Branch, tag (`refs/tags/…`) or commit to deploy.", {
    resolvesTo: (declared, observed, { repoCommitSha }) =>
      declared === repoCommitSha || (!commit.test(declared) && commit.test(observed)),
  }),
  graphConfigPath: revision(
    text.min(1),
    "Path of the graph configuration in the repository or the folder, such as `langgraph.json`.",
    {
      // If the archive also contains packages outside the folder, paths start at their common parent.
      resolvesTo: (declared, observed, { sourceTarballPath }) =>
        typeof sourceTarballPath === "string" &&
        `/${observed}`.endsWith(`/${declared.replace(/^(\.\/)+/, "")}`),
    },
  ),
  imageUri: revision(
    Image,
    "Container image to deploy, with tag or digest: `registry.example.com/chat:1.4.2`.",
    {
      resolvesTo: (declared, observed) => observed.startsWith(`${declared}@sha256:`),
    },
  ),
  sourceTarballPath: revision(
    text.min(1),
    "Path of an archive that you uploaded yourself, as the upload returned it.",
  ),
} satisfies Fields;

const SecretReference = z.strictObject({
  secretName: text.min(1).describe("Name of the secret in the cluster."),
  secretKey: text.min(1).describe("Key within the secret."),
});

/** In the format of the settings: `90s`, `30m`, `1h30m`. */
export const duration = text.regex(
  /^(\d+(\.\d+)?(ms|s|m|h))+$/,
  "expected a duration such as 90s, 30m or 1h30m",
);

/** Only used by the provider, never sent. */
export const ready = {
  path: local(
    text.regex(/^\/\S*$/, 'expected a path that begins with "/", such as /ok'),
    "Path below the deployment's `url` to request with GET, such as `/ok`. Required.",
  ),
  timeout: local(duration, "How long to wait for a ready response, such as `5m`. Default: 2m."),
  status: local(
    z.array(z.int().min(200).max(599)).min(1),
    "HTTP statuses that count as ready. Default: `[200]`. Redirects are not followed.",
  ),
} satisfies Fields;

/** The arguments of a deployment, in the order of the documentation. */
export const deployment = {
  name: leaf(text.min(1), "replacement", "Name of the deployment. Default: the resource's logical name."),
  source: leaf(
    z.enum(sources),
    "replacement",
    "Where the deployment comes from: a repository (`codehost`), your image (`external_container`), a folder or an " +
      "archive (`internal_source`), an image in the service's own registry (`internal_container`), or a template.",
  ),
  sourceConfig: group(
    "Settings of the source. In dialect standard, their changes create no revision.",
    sourceConfig,
  ),
  sourceRevisionConfig: group(
    "Settings of the source whose changes create a new revision.",
    sourceRevisionConfig,
  ),
  sourceDirectory: leaf(
    text.min(1),
    "none",
    "Folder of source code to upload, relative to the program's folder. A change of its content creates a new " +
      "revision. Only with `internal_source`, in dialect `langsmith`.",
    { isFolder: true },
  ),
  revisionSource: leaf(
    z.enum(revisionSources),
    "none",
    "Overrides the source for later revisions. Default: `source`. Only sent with a new revision.",
    { sent: "withRevision" },
  ),
  secrets: setting(
    z.record(variableName, z.string()),
    "Environment variables of the application, by name. Always secret.",
    { secret: true, list: "value" },
  ),
  secretReferences: setting(
    z.record(variableName, SecretReference),
    "Environment variables from secrets of the cluster: `{ secretName, secretKey }` by name. Only with `external_container`.",
    { list: "object" },
  ),
  displayName: setting(
    text.min(1),
    "Name that the service's dashboard shows. The service cannot clear it. Only in dialect `langsmith`.",
    { sent: "afterFirstRevision" },
  ),
  shareable: leaf(
    z.boolean(),
    "replacement",
    "Whether the deployment can be shared with users outside the organization. Only in dialect `langsmith`.",
  ),
  triggers: leaf(
    z.unknown(),
    "revision",
    "Any JSON value. A change creates a new revision even if nothing else changed.",
    { sent: "never" },
  ),
  adopt: leaf(
    z.boolean(),
    "none",
    "Take over an existing deployment of this name and source instead of failing. Default: false.",
  ),
  ready: group(
    "Wait after each rollout until the application itself responds. Otherwise, the `up` fails, and the next one checks again.",
    ready,
    { required: ["path"] },
  ),
  skipAwait: leaf(
    z.boolean(),
    "none",
    "Return once the service accepts the request, without waiting for the rollout. Default: false.",
  ),
  deleteTracingProject: leaf(
    z.boolean(),
    "none",
    "Also delete the tracing project of the same name, with all its traces, when the deployment is deleted. " +
      "Only in dialect `langsmith`. Default: false.",
    { sent: "onDelete" },
  ),
} satisfies Fields;

/** A field's name on the wire, unless the dialect overrides it. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
