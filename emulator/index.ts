/**
 * An emulator of the deployment service: a small stateful server that is held to the specification, for tests of
 * programs and for trying things out. It needs nothing but Node.
 */
export { startEmulator, type Emulator, type EmulatorOptions, type Tenant } from "./emulator";
export type { ChangeOptions } from "./control/actions";
export type { Fault, FaultHandle, How, When } from "./http/faults";
export type { LoggedRequest } from "./http/request-log";
export type { Json, JsonObject } from "./json";
export type { DialectName } from "./dialects";
export type { Seed } from "./seed";
export { StateFileError } from "./state/file";
export { Refusal } from "./refusal";
export type { Rules } from "./rules/rules";
export { langsmith, langsmithWith, lenientLangsmith, type LangsmithOptions } from "./rules/langsmith";
export { standard } from "./rules/standard";
export { systemClock, VirtualClock, type Clock } from "./state/clock";
export type { Host, PageOrder, ShownSecrets, Settings } from "./state/control-plane";
export type { Normalization } from "./state/normalize";
export type { DeploymentRecord, RevisionRecord, Secret, SecretReference } from "./state/record";
export type {
  DatabaseScript,
  Deletion,
  DeletionScript,
  Failing,
  Rollout,
  RolloutScript,
  Wait,
} from "./state/script";
