/** Declare the deployments of an application platform as Pulumi resources. */
// Where the program is when it begins: it may go to another folder before it declares anything.
import "./pulumi/installed";

export { Deployment, type DeploymentStatus } from "./pulumi/deployment";
export { Provider, type LookUpOptions, type ProviderArgs } from "./pulumi/connection";
export {
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  listIntegrations,
  listIntegrationsOutput,
  listRepositories,
  listRepositoriesOutput,
  type GetDeploymentArgs,
  type InputsOf,
  type ListDeploymentsArgs,
  type ListRepositoriesArgs,
} from "./pulumi/functions";
export type { DeploymentResult, WithSecretOutputs } from "./pulumi/results";
export { errorKind, type ErrorKind } from "./errors";
export { fromManifest } from "./pulumi/on-demand";
export { type ManifestOptions } from "./pulumi/manifest-options";
export {
  fromConfig,
  fromEnv,
  fromOutput,
  fromText,
  plainConfig,
  type OptionalOutput,
} from "./pulumi/from-outside";
export { fromRepository, type Integration, type Repository } from "./deployment/repository";
export type {
  Container,
  DeploymentArgs,
  DeploymentArgsOf,
  DeploymentType,
  ImagePullSecret,
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
} from "./pulumi/arguments";
