/**
 * The one table of fields: what a deployment's fields are called, what they hold, what a change of each causes and
 * whether it is secret. The diff, the translation to the wire, the checks, the JSON Schema, the argument types
 * and the tables of the documentation all read it.
 *
 * Names here are the arguments' camelCase. On the wire a field has the same name in snake_case (`wireName`);
 * a dialect that says otherwise says so in its own file.
 */
import { z } from "zod";
import { withoutCredentials } from "./address";
import { deploymentTypes, revisionSources, sources } from "./enums";
import { Container, ImagePullSecret, Volume, VolumeMount } from "./kubernetes";

/**
 * What a change of a field causes:
 * - `none`: nothing on the service;
 * - `settings`: changed in place, no new revision;
 * - `revision`: the service makes a new revision and rolls it out;
 * - `replacement`: the service can never change it, so the deployment is replaced.
 */
export type ChangeEffect = "none" | "settings" | "revision" | "replacement";

/**
 * When a field is sent:
 * - `always`: with the creation, and later when it changed;
 * - `onCreate`, `onDelete`: with that alone;
 * - `withRevision`: with an update that makes a revision, whether it changed or not;
 * - `never`: only this side reads it.
 */
export type Sent = "always" | "onCreate" | "onDelete" | "withRevision" | "never";

/** A single value, or one that is sent and compared as a whole. */
export interface Leaf<T extends z.ZodType = z.ZodType> {
  readonly kind: "leaf";
  readonly type: T;
  readonly doc: string;
  readonly change: ChangeEffect;
  /** Its value never appears in clear. */
  readonly secret: boolean;
  readonly sent: Sent;
  /** A path of a folder, relative to the program: what the folder holds counts, and makes a revision when it changes. */
  readonly isFolder: boolean;
  /** Stands beside the object around it on the wire, not in it. */
  readonly isBeside: boolean;
  /** A map that the wire spells as a list of named objects. */
  readonly list: "value" | "object" | undefined;
  /**
   * The service may answer with a resolved form of what was declared: a commit for a branch, say.
   * `beside` is what it answers in the other fields of the group.
   */
  readonly resolvesTo:
    ((declared: string, observed: string, beside: Readonly<Record<string, unknown>>) => boolean) | undefined;
}

/** An object whose fields are in the table. */
export interface Group<F extends Fields = Fields, R extends string = string> {
  readonly kind: "group";
  readonly fields: F;
  readonly doc: string;
  /** Fields that the object cannot do without. */
  readonly required: readonly R[];
  /** A change of one field sends the whole object, because the service stores it as a whole. */
  readonly atomic: boolean;
}

export type Field = Leaf | Group;
export type Fields = { readonly [name: string]: Field };

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
  return {
    kind: "leaf",
    type,
    change,
    doc,
    secret: false,
    sent: usuallySent[change],
    isFolder: false,
    isBeside: false,
    list: undefined,
    resolvesTo: undefined,
    ...options,
  };
}

function group<F extends Fields, R extends string = never>(
  doc: string,
  fields: F,
  { whole = false, required = [] }: { whole?: boolean; required?: readonly R[] } = {},
): Group<F, R> {
  return { kind: "group", fields, doc, required, atomic: whole };
}

const text = z.string();
const cores = z.number().min(0);
const count = z.int().min(0);
const data = z.record(z.string(), z.string());
/** No rule of the service is known: refused is only what no process can have. */
const variableName = z.string().regex(
  // eslint-disable-next-line no-control-regex -- the one character that ends a name
  /^[^=\s\u0000]+$/,
  'the name of a variable is not empty and holds no "=", no white space and no null character',
);

const setting = <T extends z.ZodType>(type: T, doc: string, options?: LeafOptions) =>
  leaf(type, "settings", doc, options);
const local = <T extends z.ZodType>(type: T, doc: string) => leaf(type, "none", doc);
const revision = <T extends z.ZodType>(type: T, doc: string, options?: LeafOptions) =>
  leaf(type, "revision", doc, options);

/** Specification, section 2.6. The document states neither bounds, units of scale and cpu, nor defaults. */
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
  labels: setting(data, "Labels of the workload. Keys are data and reach the service as they are."),
  annotations: setting(data, "Annotations of the workload. Keys are data and reach the service as they are."),
  serviceAccountName: setting(text, "Service account that the workload runs as."),
  imagePullSecrets: setting(z.array(ImagePullSecret), "Secrets of the cluster that pull the images."),
  volumes: setting(z.array(Volume), "Volumes of the workload, in the cluster orchestrator's own spelling."),
  volumeMounts: setting(z.array(VolumeMount), "Where the application's container mounts the volumes."),
  initContainers: setting(
    z.array(Container),
    "Containers that run to their end before the application starts.",
  ),
  sidecars: setting(z.array(Container), "Containers that run beside the application."),
} satisfies Fields;

/** A UUID is the same in either letter case. */
const uuid = {
  resolvesTo: (declared: string, observed: string) => declared.toLowerCase() === observed.toLowerCase(),
};

/** Code hosts answer a repository's address with or without `.git`, and in the case of its owner's choice. */
function repositoryOf(url: string): string {
  return url.replace(/(\.git)?\/?$/, "").toLowerCase();
}

/** Specification, section 2.3. */
export const sourceConfig = {
  integrationId: setting(
    z.guid(),
    "Id (UUID) of the code-host integration; a repository's `hostIntegrationId`.",
    uuid,
  ),
  repoUrl: setting(text, "Address of the repository; a repository's `url`.", {
    // A user or a token may stand in the service's alone: an import does not take them along.
    resolvesTo: (declared, observed) =>
      [observed, withoutCredentials(observed)].map(repositoryOf).includes(repositoryOf(declared)),
  }),
  buildOnPush: setting(
    z.boolean(),
    "Whether a push to the branch makes a revision. Default of the service: false.",
  ),
  customUrl: setting(text, "Address that the deployment answers on. Chosen by the service when absent.", {
    resolvesTo: (declared, observed) => observed.includes("@") && withoutCredentials(observed) === declared,
  }),
  resourceSpec: group("Sizes and cluster settings. Sent whole when any part changed.", resourceSpec, {
    whole: true,
  }),
  listenerId: setting(z.guid(), "Id (UUID) of the listener that deploys into your own cluster.", uuid),
  listenerConfig: group(
    "Settings of the listener. Sent whole when any part changed.",
    { k8sNamespace: setting(text, "Namespace in the cluster orchestrator.") },
    { whole: true },
  ),
  installCommand: setting(text, "Command that installs the packages when the application is built."),
  buildCommand: setting(text, "Command that builds the application."),
  routeThroughGateway: setting(
    z.boolean(),
    "Whether requests reach the deployment through the service's gateway. Dialect `langsmith`.",
    { isBeside: true },
  ),
  deploymentType: leaf(
    text.meta({ examples: [...deploymentTypes] }),
    "replacement",
    "Tier of the deployment, chosen once.",
  ),
} satisfies Fields;

export const commit = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Specification, section 2.4. */
export const sourceRevisionConfig = {
  repoRef: revision(text, "Branch, tag (`refs/tags/…`) or commit to deploy.", {
    resolvesTo: (declared, observed, { repoCommitSha }) =>
      declared === repoCommitSha || (!commit.test(declared) && commit.test(observed)),
  }),
  graphConfigPath: revision(text, "Path of the graph configuration in the repository or the folder.", {
    // In an archive with local packages from beside the folder, paths begin at what they have in common.
    resolvesTo: (declared, observed, { sourceTarballPath }) =>
      typeof sourceTarballPath === "string" &&
      `/${observed}`.endsWith(`/${declared.replace(/^(\.\/)+/, "")}`),
  }),
  imageUri: revision(text, "Container image to deploy, with tag or digest.", {
    resolvesTo: (declared, observed) => observed.startsWith(`${declared}@sha256:`),
  }),
  sourceTarballPath: revision(text, "Path of the uploaded source, as the upload answered it.", {}),
} satisfies Fields;

const SecretReference = z.strictObject({
  secretName: text.describe("Name of the secret in the cluster."),
  secretKey: text.describe("Key within the secret."),
});

/** As the settings spell one: `90s`, `30m`, `1h30m`. */
export const duration = text.regex(
  /^(\d+(\.\d+)?(ms|s|m|h))+$/,
  "expected a duration such as 90s, 30m or 1h30m",
);

/** No request that makes or rolls out a deployment holds any of these. */
export const ready = {
  path: local(
    text.regex(/^\/\S*$/, 'expected a path that begins with "/", such as /ok'),
    "Path below the deployment's `url` that is requested with GET, such as `/ok`.",
  ),
  timeout: local(duration, "How long to wait for the answer, such as `5m`. Default: 2m."),
  status: local(
    z.array(z.int().min(200).max(599)).min(1),
    "HTTP statuses that count as ready. Default: `[200]`. A redirect is not followed.",
  ),
} satisfies Fields;

/** The arguments of a deployment, in the order in which documentation shows them. */
export const deployment = {
  name: leaf(text.min(1), "replacement", "Name of the deployment. Default: the resource's logical name."),
  source: leaf(z.enum(sources), "replacement", "Where the deployment comes from."),
  sourceConfig: group(
    "Settings of the source: no new revision, unless the service's dialect says otherwise.",
    sourceConfig,
  ),
  sourceRevisionConfig: group(
    "Fields of the source that make a new revision when they change.",
    sourceRevisionConfig,
  ),
  sourceDirectory: leaf(
    text.min(1),
    "none",
    "Folder of source code to upload and roll out, relative to the program's folder. A change of its content makes a new revision. Only with `internal_source`, where the service takes uploads: dialect `langsmith`.",
    { isFolder: true },
  ),
  revisionSource: leaf(
    z.enum(revisionSources),
    "none",
    "Overrides the source for the revisions that follow; sent only together with a new revision.",
    { sent: "withRevision" },
  ),
  secrets: setting(
    z.record(variableName, z.string()),
    "Environment of the application: name to value. Always secret. Sent whole when one changed.",
    { secret: true, list: "value" },
  ),
  secretReferences: setting(
    z.record(variableName, SecretReference),
    "Environment from secrets of the cluster: name to `{ secretName, secretKey }`. Only with `external_container`.",
    { list: "object" },
  ),
  triggers: leaf(
    z.unknown(),
    "revision",
    "Any value: a change makes a new revision although nothing else changed.",
    { sent: "never" },
  ),
  adopt: leaf(
    z.boolean(),
    "none",
    "Take over an existing deployment of this name and source instead of failing. Default: false.",
  ),
  ready: group(
    "After each rollout, waits until the deployment itself answers. If it does not in time, the `up` fails, and the next one asks again.",
    ready,
    { required: ["path"] },
  ),
  skipAwait: leaf(
    z.boolean(),
    "none",
    "Return as soon as the service accepted the call, without waiting for the rollout. Default: false.",
  ),
  deleteTracingProject: leaf(
    z.boolean(),
    "none",
    "Delete the tracing project of the same name together with the deployment. Only where the service has such projects: dialect `langsmith`. Default: false.",
    { sent: "onDelete" },
  ),
} satisfies Fields;

/** A field's name on the wire, unless the dialect has another word for it. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
