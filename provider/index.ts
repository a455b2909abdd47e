/** Declare the deployments of an application platform as Pulumi resources. */
export { Deployment } from "./program/deployment";
export type { DeploymentStatus } from "./program/outputs";
export { Provider, type LookUpOptions, type ProviderArgs } from "./program/provider";
export {
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  listIntegrations,
  listListeners,
  listRepositories,
  listRepositoriesOutput,
} from "./program/functions";
export type {
  DeploymentResult,
  GetDeploymentArgs,
  InputsOf,
  ListDeploymentsArgs,
  ListRepositoriesArgs,
  WithSecretOutputs,
} from "./program/results";
export { errorKind, type ErrorKind } from "./errors";
export { fromManifest } from "./program/on-demand";
export type { ManifestOptions } from "./program/from-manifest";
export {
  fromConfig,
  fromEnv,
  fromOutput,
  fromText,
  plainConfig,
  type OptionalOutput,
} from "./program/config-values";
export { fromRepository, type Integration, type Listener, type Repository } from "./lookup/repository";
export type {
  Container,
  ContainerResources,
  DeploymentArgs,
  DeploymentArgsOf,
  DeploymentTier,
  DeploymentType,
  EnvironmentVariable,
  ImagePullSecret,
  JsonInput,
  ListenerConfig,
  Ready,
  ResourceSpec,
  RevisionSource,
  SecretReference,
  Source,
  SourceConfig,
  SourceRevisionConfig,
  Volume,
  VolumeMount,
} from "./program/arguments";
