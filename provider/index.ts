/** Declare the deployments of an application platform as Pulumi resources. */
export { Deployment, type DeploymentStatus } from "./pulumi/deployment";
export { Provider, type ProviderArgs } from "./pulumi/connection";
export type {
  Container,
  DeploymentArgs,
  DeploymentType,
  ImagePullSecret,
  ListenerConfig,
  ResourceSpec,
  RevisionSource,
  SecretReference,
  Source,
  SourceConfig,
  SourceRevisionConfig,
  Volume,
  VolumeMount,
} from "./pulumi/arguments";
