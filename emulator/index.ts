/**
 * An emulator of the deployment service: a small stateful server that follows the specification, to test programs and to
 * try things out. It needs only Node.js.
 */
export { startEmulator, type Emulator, type EmulatorOptions } from "./emulator";
export type { ChangeOptions, Tenant } from "./control/tenant";
export type { Fault, FaultHandle, How, When } from "./http/faults";
export type { LoggedRequest } from "./http/request-log";
export type { Json, JsonObject } from "./json-values";
export { Refusal } from "./refusal";
export type { Secret, SecretReference } from "./rules/change";
export type { DialectName } from "./rules/dialects";
export { langsmith, langsmithWith, type LangsmithOptions } from "./rules/langsmith-rules";
export type { Rules } from "./rules/dialect-rules";
export { standard } from "./rules/standard-rules";
export type { Seed } from "./seed";
export { systemClock, VirtualClock, type Clock } from "./state/service-clock";
export type { Host, Normalization, Settings, ShownSecrets } from "./state/control-plane";
export { StateFileError } from "./state/file";
export type { DeploymentRecord, RevisionRecord } from "./state/deployment-record";
export type { Deletion, DeletionScript, Failing, Rollout, RolloutScript } from "./state/script";
