// Generated from schema/fields.ts by `npm run generate`; a test fails when it is stale.
import type { Input, OutputInstance } from "@pulumi/pulumi";
import type { Later, ObjectInput, RequiredString } from "./later";

// Each a member of an interface, and not a type of its own, so that errors of the compiler list the words.
interface Sources {
  all: "codehost" | "external_container" | "internal_container" | "internal_source" | "internal_template";
}
export type Source = Sources["all"];
interface DeploymentTypes {
  all:
    | "serverless"
    | "dedicated"
    | "dev_free"
    | "dev"
    | "prod"
    | "dev_zero"
    | "dev_free_zero"
    | (string & Record<never, never>);
}
export type DeploymentType = DeploymentTypes["all"];
interface DeploymentTiers {
  all:
    | "SERVERLESS_S"
    | "SERVERLESS_M"
    | "SERVERLESS_L"
    | "DEDICATED_S"
    | "DEDICATED_M"
    | "DEDICATED_L"
    | (string & Record<never, never>);
}
export type DeploymentTier = DeploymentTiers["all"];
interface RevisionSources {
  all: "codehost" | "internal_container" | "internal_source";
}
export type RevisionSource = RevisionSources["all"];

/** A JSON value. Any part of it may be an output or a promise. */
export type JsonInput =
  | string
  | number
  | boolean
  | null
  | undefined
  | JsonList
  | JsonObject
  | OutputInstance<unknown>
  | Promise<unknown>;
// Interfaces, because the SDK cannot unwrap a type that contains itself.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
interface JsonList extends ReadonlyArray<JsonInput> {}
interface JsonObject {
  readonly [key: string]: JsonInput;
}

/** A key of a secret in the cluster. */
export interface SecretReference {
  /** Name of the secret. */
  secretName: Input<string>;
  /** Key within the secret. */
  secretKey: Input<string>;
}

/** `sourceConfig` of source `codehost`. */
interface CodehostConfig extends Omit<SourceConfig, "listenerId" | "listenerConfig" | "templateId"> {
  integrationId: RequiredString;
  repoUrl: RequiredString;
}

/** `sourceRevisionConfig` of source `codehost`. */
interface CodehostRevision extends Pick<SourceRevisionConfig, "repoRef" | "graphConfigPath"> {
  graphConfigPath: RequiredString;
}

/** `sourceRevisionConfig` of source `external_container`. */
interface ExternalContainerRevision extends Pick<SourceRevisionConfig, "imageUri"> {
  imageUri: RequiredString;
}

/** The fields of `sourceConfig` by source. */
interface SourceConfigs {
  codehost: CodehostConfig;
  external_container: Omit<
    SourceConfig,
    "integrationId" | "repoUrl" | "buildOnPush" | "deploymentTier" | "templateId"
  >;
  internal_container: Pick<
    SourceConfig,
    | "customUrl"
    | "installCommand"
    | "buildCommand"
    | "routeThroughGateway"
    | "deploymentTier"
    | "deploymentType"
  >;
  internal_source: SourceConfigs["internal_container"];
  internal_template: Omit<
    SourceConfig,
    "integrationId" | "repoUrl" | "buildOnPush" | "resourceSpec" | "listenerId" | "listenerConfig"
  >;
}

/** The fields of `sourceRevisionConfig` by source. */
interface SourceRevisionConfigs {
  codehost: CodehostRevision;
  external_container: ExternalContainerRevision;
  internal_container: Pick<SourceRevisionConfig, "imageUri">;
  internal_source: Pick<SourceRevisionConfig, "graphConfigPath" | "sourceTarballPath">;
  internal_template: Record<string, never>;
}

/** The groups whose fields depend on the source. With several sources, they have the fields of all of them. */
interface GroupArgs<S extends Source> {
  /** Settings of the source. In dialect standard, their changes create no revision. */
  sourceConfig?: ObjectInput<
    (Source extends S ? SourceConfig : SourceConfigs[S]) | undefined,
    SourceConfigOutput
  >;
  /** Settings of the source whose changes create a new revision. */
  sourceRevisionConfig?: ObjectInput<
    (Source extends S ? SourceRevisionConfig : SourceRevisionConfigs[S]) | undefined,
    SourceRevisionConfigOutput
  >;
}

/** The groups of source `codehost`. */
interface CodehostGroups extends GroupArgs<"codehost"> {
  sourceConfig: ObjectInput<CodehostConfig, SourceConfigOutput>;
  sourceRevisionConfig: ObjectInput<CodehostRevision, SourceRevisionConfigOutput>;
}

/** The groups of source `external_container`. */
interface ExternalContainerGroups extends GroupArgs<"external_container"> {
  sourceRevisionConfig: ObjectInput<ExternalContainerRevision, SourceRevisionConfigOutput>;
}

type GroupsFor<S extends Source> = Source extends S
  ? GroupArgs<S>
  : [S] extends ["codehost"]
    ? CodehostGroups
    : [S] extends ["external_container"]
      ? ExternalContainerGroups
      : GroupArgs<S>;

/** What every source takes. What narrows a member below has its text from here. */
interface CommonArgs {
  /**
   * Where the deployment comes from: a repository (`codehost`), your image (`external_container`), a folder or an archive
   * (`internal_source`), an image in the service's own registry (`internal_container`), or a template. A change replaces the deployment.
   */
  source: Input<Source>;
  /** Overrides the source for later revisions. Default: `source`. Only sent with a new revision. */
  revisionSource?: Input<RevisionSource | undefined>;
  /** Name of the deployment. Default: the resource's logical name. A change replaces the deployment. */
  name?: Input<string | undefined>;
  /** Environment variables of the application, by name. Always secret. In dialect `langsmith`, a change creates a new revision. */
  secrets?: ObjectInput<Record<string, Input<string>> | undefined, TextsOutput>;
  /** Name that the service's dashboard shows. The service cannot clear it. Only in dialect `langsmith`. */
  displayName?: Input<string | undefined>;
  /**
   * Whether the deployment can be shared with users outside the organization. Only in dialect `langsmith`. A change replaces the
   * deployment.
   */
  shareable?: Input<boolean | undefined>;
  /** Any JSON value. A change creates a new revision even if nothing else changed. */
  triggers?: JsonInput;
  /** Take over an existing deployment of this name and source instead of failing. Default: false. */
  adopt?: Input<boolean | undefined>;
  /** Wait after each rollout until the application itself responds. Otherwise, the `up` fails, and the next one checks again. */
  ready?: ObjectInput<Ready | undefined, ReadyOutput>;
  /** Return once the service accepts the request, without waiting for the rollout. Default: false. */
  skipAwait?: Input<boolean | undefined>;
  /**
   * Also delete the tracing project of the same name, with all its traces, when the deployment is deleted. Only in dialect `langsmith`.
   * Default: false.
   */
  deleteTracingProject?: Input<boolean | undefined>;
}

/** What not every source takes. */
interface OwnArgs {
  /**
   * Folder of source code to upload, relative to the program's folder. A change of its content creates a new revision. Only with
   * `internal_source`, in dialect `langsmith`.
   */
  sourceDirectory?: Input<string | undefined>;
  /**
   * Environment variables from secrets of the cluster: `{ secretName, secretKey }` by name. Only with `external_container`. In dialect
   * `langsmith`, a change creates a new revision.
   */
  secretReferences?: ObjectInput<
    Record<string, ObjectInput<SecretReference, SecretReferenceOutput>> | undefined,
    SecretReferencesOutput
  >;
}

/** The names of those that a source takes. */
interface OwnArgNames {
  codehost: never;
  external_container: "secretReferences";
  internal_container: never;
  internal_source: "sourceDirectory";
  internal_template: never;
}

interface SourceArgs<S extends Source> extends CommonArgs {
  source: Input<S>;
  revisionSource?: Input<Extract<S, RevisionSource> | undefined>;
}

/**
 * The arguments of a `Deployment` whose source is `S`: `DeploymentArgsOf<"codehost">`. Without `S`, or with several
 * sources, it has the fields of all of them: for a source that is only known when the program runs, and for a
 * `revisionSource` that is another than `source`.
 */
export type DeploymentArgsOf<S extends Source = Source> = SourceArgs<S> &
  GroupsFor<S> &
  Pick<OwnArgs, OwnArgNames[S]>;

/** Those that the source takes; the others are refused. */
type OwnArgsFor<S extends Source> = {
  [K in keyof OwnArgs]: K extends OwnArgNames[S] ? OwnArgs[K] : undefined;
};

/** The arguments for a literal source, which refuse the fields of other sources. */
interface KnownSourceArgs<S extends Source> extends CommonArgs, OwnArgsFor<S> {
  source: S;
}

/** The source is known only later, so that no field can be refused. */
interface LaterSourceArgs extends DeploymentArgsOf {
  source: Promise<Source> | OutputInstance<Source>;
}

/** The arguments of a `Deployment`: the fields that its source takes. For any source: `DeploymentArgsOf`. */
export type DeploymentArgs = { [S in Source]: KnownSourceArgs<S> & GroupsFor<S> }[Source] | LaterSourceArgs;

/** Settings of the source. In dialect standard, their changes create no revision. */
export interface SourceConfig {
  /**
   * Id (UUID) of the code-host integration: a repository's `hostIntegrationId`. In dialect `langsmith`, a change replaces the deployment.
   */
  integrationId?: Input<string | undefined>;
  /** Address of the repository, such as `https://code.example.com/acme/chat`. In dialect `langsmith`, a change replaces the deployment. */
  repoUrl?: Input<string | undefined>;
  /** Whether a push to the branch creates a revision. Default: false. */
  buildOnPush?: Input<boolean | undefined>;
  /** Address of the deployment. Default: one that the service chooses. In dialect `langsmith`, only with `external_container`. */
  customUrl?: Input<string | undefined>;
  /**
   * Sizes and cluster settings. Defaults: the service's. In dialect `langsmith`, only with `external_container`; a change creates a new
   * revision.
   */
  resourceSpec?: ObjectInput<ResourceSpec | undefined, ResourceSpecOutput>;
  /**
   * Id (UUID) of the listener that deploys into your own cluster. In dialect `langsmith`, only with `external_container`; a change replaces
   * the deployment.
   */
  listenerId?: Input<string | undefined>;
  /** Settings of the listener. In dialect `langsmith`, only with `external_container`; a change replaces the deployment. */
  listenerConfig?: ObjectInput<ListenerConfig | undefined, ListenerConfigOutput>;
  /**
   * Command that installs packages during the build. In dialect `langsmith`, only with `codehost` or `internal_source`; a change creates a
   * new revision.
   */
  installCommand?: Input<string | undefined>;
  /**
   * Command that builds the application. In dialect `langsmith`, only with `codehost` or `internal_source`; a change creates a new
   * revision.
   */
  buildCommand?: Input<string | undefined>;
  /**
   * Whether the application's calls to models of OpenAI and Anthropic go through the service's LLM gateway. Only in dialect `langsmith`.
   */
  routeThroughGateway?: Input<boolean | undefined>;
  /**
   * Size of the deployment: `SERVERLESS_S` to `SERVERLESS_L`, or `DEDICATED_S` to `DEDICATED_L` if it is dedicated. Only in dialect
   * `langsmith`. A change creates a new revision.
   */
  deploymentTier?: Input<DeploymentTier | undefined>;
  /**
   * Type of the deployment. In dialect `langsmith`: `serverless` (`dev_zero` on the wire), which scales to zero, or `dedicated` (`prod`),
   * which always runs and is the default. A change replaces the deployment.
   */
  deploymentType?: Input<DeploymentType | undefined>;
  /**
   * Id of the template that the deployment is created from. Only with `internal_template`, in dialect `langsmith`. A change replaces the
   * deployment.
   */
  templateId?: Input<string | undefined>;
}

/** Settings of the source whose changes create a new revision. */
export interface SourceRevisionConfig {
  /** Branch, tag (`refs/tags/…`) or commit to deploy. A change creates a new revision. */
  repoRef?: Input<string | undefined>;
  /** Path of the graph configuration in the repository or the folder, such as `langgraph.json`. A change creates a new revision. */
  graphConfigPath?: Input<string | undefined>;
  /** Container image to deploy, with tag or digest: `registry.example.com/chat:1.4.2`. A change creates a new revision. */
  imageUri?: Input<string | undefined>;
  /** Path of an archive that you uploaded yourself, as the upload returned it. A change creates a new revision. */
  sourceTarballPath?: Input<string | undefined>;
}

/** Settings of the listener. */
export interface ListenerConfig {
  /** Namespace of the cluster. */
  k8sNamespace?: Input<string | undefined>;
}

/** Sizes and cluster settings. Defaults: the service's. */
export interface ResourceSpec {
  /** Smallest number of replicas of the application. */
  minScale?: Input<number | undefined>;
  /** Largest number of replicas of the application. */
  maxScale?: Input<number | undefined>;
  /** CPU of one replica, in cores; a decimal value is fine. */
  cpu?: Input<number | undefined>;
  /** CPU limit of one replica, in cores. */
  cpuLimit?: Input<number | undefined>;
  /** Memory of one replica, in MB. */
  memoryMb?: Input<number | undefined>;
  /** Memory limit of one replica, in MB. */
  memoryLimitMb?: Input<number | undefined>;
  /** Smallest number of replicas of the queue. */
  queueMinScale?: Input<number | undefined>;
  /** Largest number of replicas of the queue. */
  queueMaxScale?: Input<number | undefined>;
  /** CPU of one queue replica, in cores. */
  queueCpu?: Input<number | undefined>;
  /** CPU limit of one queue replica, in cores. */
  queueCpuLimit?: Input<number | undefined>;
  /** Memory of one queue replica, in MB. */
  queueMemoryMb?: Input<number | undefined>;
  /** Memory limit of one queue replica, in MB. */
  queueMemoryLimitMb?: Input<number | undefined>;
  /** CPU of the orchestrator, in cores. */
  orchestratorCpu?: Input<number | undefined>;
  /** CPU limit of the orchestrator, in cores. */
  orchestratorCpuLimit?: Input<number | undefined>;
  /** Memory of the orchestrator, in MB. */
  orchestratorMemoryMb?: Input<number | undefined>;
  /** Memory limit of the orchestrator, in MB. */
  orchestratorMemoryLimitMb?: Input<number | undefined>;
  /** Smallest number of replicas of the orchestrator. */
  orchestratorMinScale?: Input<number | undefined>;
  /** Largest number of replicas of the orchestrator. */
  orchestratorMaxScale?: Input<number | undefined>;
  /** CPU of the executor, in cores. */
  executorCpu?: Input<number | undefined>;
  /** CPU limit of the executor, in cores. */
  executorCpuLimit?: Input<number | undefined>;
  /** Memory of the executor, in MB. */
  executorMemoryMb?: Input<number | undefined>;
  /** Memory limit of the executor, in MB. */
  executorMemoryLimitMb?: Input<number | undefined>;
  /** CPU of the core API, in cores, if it runs in a separate container. Only in dialect `langsmith`. */
  coreCpu?: Input<number | undefined>;
  /** CPU limit of the core API, in cores. The service's default: twice the CPU. Only in dialect `langsmith`. */
  coreCpuLimit?: Input<number | undefined>;
  /** Memory of the core API, in MB. Only in dialect `langsmith`. */
  coreMemoryMb?: Input<number | undefined>;
  /** Memory limit of the core API, in MB. The service's default: twice the memory. Only in dialect `langsmith`. */
  coreMemoryLimitMb?: Input<number | undefined>;
  /** CPU of the cache, in cores. */
  redisCpu?: Input<number | undefined>;
  /** CPU limit of the cache, in cores. */
  redisCpuLimit?: Input<number | undefined>;
  /** Memory of the cache, in MB. */
  redisMemoryMb?: Input<number | undefined>;
  /** Memory limit of the cache, in MB. */
  redisMemoryLimitMb?: Input<number | undefined>;
  /** CPU of the database, in cores. */
  dbCpu?: Input<number | undefined>;
  /** CPU limit of the database, in cores. */
  dbCpuLimit?: Input<number | undefined>;
  /** Memory of the database, in MB. */
  dbMemoryMb?: Input<number | undefined>;
  /** Memory limit of the database, in MB. */
  dbMemoryLimitMb?: Input<number | undefined>;
  /** Storage of the database, in GiB. */
  dbStorageGi?: Input<number | undefined>;
  /** Largest number of connections to the database. */
  dbMaxConnections?: Input<number | undefined>;
  /** Labels of the workload. Keys are sent as they are. */
  labels?: ObjectInput<Record<string, Input<string>> | undefined, TextsOutput>;
  /** Annotations of the workload. Keys are sent as they are. */
  annotations?: ObjectInput<Record<string, Input<string>> | undefined, TextsOutput>;
  /** Service account that the workload runs as. */
  serviceAccountName?: Input<string | undefined>;
  /** Secrets of the cluster that pull the images. */
  imagePullSecrets?: Input<ObjectInput<ImagePullSecret, ImagePullSecretOutput>[] | undefined>;
  /** Volumes of the workload, with the names of Kubernetes. */
  volumes?: Input<ObjectInput<Volume, VolumeOutput>[] | undefined>;
  /** Where the application's container mounts the volumes. */
  volumeMounts?: Input<ObjectInput<VolumeMount, VolumeMountOutput>[] | undefined>;
  /** Containers that run to their end before the application starts. */
  initContainers?: Input<ObjectInput<Container, ContainerOutput>[] | undefined>;
  /** Containers that run next to the application. */
  sidecars?: Input<ObjectInput<Container, ContainerOutput>[] | undefined>;
}

/** Wait after each rollout until the application itself responds. Otherwise, the `up` fails, and the next one checks again. */
export interface Ready {
  /** Path below the deployment's `url` to request with GET, such as `/ok`. Required. */
  path: Input<string>;
  /** How long to wait for a ready response, such as `5m`. Default: 2m. */
  timeout?: Input<string | undefined>;
  /** HTTP statuses that count as ready. Default: `[200]`. Redirects are not followed. */
  status?: Input<Input<number>[] | undefined>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface Container {
  /** Name of the container. */
  name?: Input<string | undefined>;
  /** Image with tag or digest. */
  image?: Input<string | undefined>;
  /** When the image is pulled: `Always`, `IfNotPresent` or `Never`. */
  imagePullPolicy?: Input<string | undefined>;
  /** Working directory. Default: the image's. */
  workingDir?: Input<string | undefined>;
  /** When to restart the container. `Always` makes an init container a sidecar. */
  restartPolicy?: Input<string | undefined>;
  /** Command in place of the image's entry point. */
  command?: Input<Input<string>[] | undefined>;
  /** Arguments of the command. */
  args?: Input<Input<string>[] | undefined>;
  /** Environment of the container. */
  env?: Input<ObjectInput<EnvironmentVariable, EnvironmentVariableOutput>[] | undefined>;
  /** Sources whose entries all become environment variables. */
  envFrom?: Input<ObjectInput<Record<string, unknown>, ElementOutput>[] | undefined>;
  /** The resources that the container requests, and its limits. */
  resources?: ObjectInput<ContainerResources | undefined, ContainerResourcesOutput>;
  /** Where the container mounts the volumes. */
  volumeMounts?: Input<ObjectInput<VolumeMount, VolumeMountOutput>[] | undefined>;
  /** Security settings of the container. */
  securityContext?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface ContainerResources {
  /** Upper limits: `{ cpu: 500m, memory: 256Mi }`. */
  limits?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** What is reserved for it: `{ cpu: 100m, memory: 128Mi }`. */
  requests?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface EnvironmentVariable {
  /** Name of the variable. */
  name?: Input<string | undefined>;
  /** Its value, in plain text. */
  value?: Input<string | undefined>;
  /** Where its value comes from. */
  valueFrom?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface ImagePullSecret {
  /** Name of the secret in the cluster. */
  name: Input<string>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface Volume {
  /** Name that mounts refer to. */
  name?: Input<string | undefined>;
  /** A config map as files. */
  configMap?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** A secret as files. */
  secret?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** An empty folder that lives as long as the pod. */
  emptyDir?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** A claim of storage that outlives the pod. */
  persistentVolumeClaim?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** A folder of a file server. */
  nfs?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** Several sources in one folder. */
  projected?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** The pod's own metadata as files. */
  downwardAPI?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
  /** Storage of a driver in the cluster. */
  csi?: ObjectInput<Record<string, unknown> | undefined, ObjectOutput>;
}

/** A member of `ResourceSpec`, with the names of Kubernetes. */
export interface VolumeMount {
  /** Name of the volume. */
  name?: Input<string | undefined>;
  /** Path in the container. */
  mountPath?: Input<string | undefined>;
  /** Path in the volume to mount instead of its root. */
  subPath?: Input<string | undefined>;
  /** How mounts propagate between host and container: `None`, `HostToContainer` or `Bidirectional`. Default: `None`. */
  mountPropagation?: Input<string | undefined>;
  /** Like `subPath`, with `$(NAME)` for the container's environment variables. */
  subPathExpr?: Input<string | undefined>;
  /** Whether the mount is read-only. Default: false. */
  readOnly?: Input<boolean | undefined>;
}

// One for each type: see `Later`.
declare class ContainerOutput extends Later<Container> {}
declare class EnvironmentVariableOutput extends Later<EnvironmentVariable> {}
declare class ImagePullSecretOutput extends Later<ImagePullSecret> {}
declare class VolumeOutput extends Later<Volume> {}
declare class VolumeMountOutput extends Later<VolumeMount> {}
declare class SecretReferenceOutput extends Later<SecretReference> {}
declare class SourceConfigOutput extends Later<SourceConfig | undefined> {}
declare class SourceRevisionConfigOutput extends Later<SourceRevisionConfig | undefined> {}
declare class ListenerConfigOutput extends Later<ListenerConfig | undefined> {}
declare class ResourceSpecOutput extends Later<ResourceSpec | undefined> {}
declare class ReadyOutput extends Later<Ready | undefined> {}
declare class ContainerResourcesOutput extends Later<ContainerResources | undefined> {}
declare class TextsOutput extends Later<Record<string, Input<string>> | undefined> {}
declare class SecretReferencesOutput extends Later<
  Record<string, ObjectInput<SecretReference, SecretReferenceOutput>> | undefined
> {}
declare class ObjectOutput extends Later<Record<string, unknown> | undefined> {}
declare class ElementOutput extends Later<Record<string, unknown>> {}

/** By themselves, for a program that only declares: it does not wait for the table with all its types. */
export const argumentNames: readonly (keyof DeploymentArgsOf)[] = [
  "name",
  "source",
  "sourceConfig",
  "sourceRevisionConfig",
  "sourceDirectory",
  "revisionSource",
  "secrets",
  "secretReferences",
  "displayName",
  "shareable",
  "triggers",
  "adopt",
  "ready",
  "skipAwait",
  "deleteTracingProject",
];
