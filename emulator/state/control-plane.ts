import type { JsonObject } from "../json-values";
import type { Rules } from "../rules/dialect-rules";
import type { Listeners } from "../rules/workspace-rules";
import type { Clock } from "./service-clock";
import { Ids } from "./ids";
import type { DeploymentRecord } from "./deployment-record";
import { usualRollout, type Deletion, type DeletionScript, type RolloutScript } from "./script";

/**
 * How responses show secrets: as they are; as `***`; as null; without the key `value`; as the same word for all; as their
 * first three and last four characters; as a different text in each response.
 */
export type ShownSecrets = "clear" | "masked" | "null" | "omitted" | "word" | "tail" | "chance";

/**
 * What a service can do to a request before it stores it: round `cpu` to one decimal and memory up to multiples of 256, and
 * limit replicas to 10; write hosts in lower case and without a slash at the end; inject a sidecar and a label; drop empty
 * objects and lists.
 */
export type Normalization = "rounds" | "spells" | "injects" | "drops";

/** What can change while the service runs. */
export interface Settings {
  rollout: RolloutScript;
  deletion: DeletionScript;
  secrets: ShownSecrets;
  normalizations: readonly Normalization[];
  /** After each change, this many responses still show the deployment as it was, including the response to the change. */
  lag: number;
  /** Milliseconds that every response takes. */
  latency: number;
  /** The lines of each revision's logs. */
  logs: Readonly<Partial<Record<"build" | "deploy", readonly string[]>>>;
  /** A token that counts as `Authorization: Bearer`, where the key then does not. Without one, the key counts there too. */
  accessToken: string | undefined;
  /** Ends of the paths of endpoints that this version of the service lacks, such as `/interruption`. */
  missing: readonly string[];
  /**
   * Whether deployments get addresses on this emulator, such as `http://127.0.0.1:40001/_apps/chat`. Otherwise their
   * addresses are invented and lead nowhere.
   */
  apps: boolean;
  /** Whether it is the vendor's cloud, which reserves more names of secrets, and not a self-hosted installation. */
  cloud: boolean;
}

export type Host = "codehost" | "service";

/** The state of the service for one tenant, and the rules that it follows. */
export interface ControlPlane {
  readonly rules: Rules;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tenantId: string;
  readonly settings: Settings;
  deployments: DeploymentRecord[];
  /** Archives, by the id of their upload. */
  readonly uploads: Map<string, Buffer>;
  sequence: number;
  /** By the id of the integration. */
  readonly repositories: Record<Host, Record<string, JsonObject[]>>;
  /** Names. Each was created with a deployment, and outlives it unless the deletion includes it. */
  readonly tracingProjects: Set<string>;
  listeners: Listeners;
  /** The base address of the deployments' applications; set once the emulator listens. */
  appsAt: string;
}

export function createControlPlane(
  made: Pick<ControlPlane, "rules" | "clock" | "tenantId"> & { idSeed?: number },
  settings: Partial<Settings>,
): ControlPlane {
  const { rules, clock, tenantId, idSeed } = made;
  const defaults: Settings = {
    rollout: usualRollout,
    deletion: usualDeletion(rules),
    secrets: "clear",
    normalizations: [],
    lag: 0,
    latency: 0,
    logs: {},
    accessToken: undefined,
    missing: [],
    apps: false,
    cloud: false,
  };
  const given = Object.entries(settings).filter(([name, value]) => name in defaults && value !== undefined);
  return {
    ...{ rules, clock, tenantId, ids: new Ids(idSeed) },
    settings: { ...defaults, ...Object.fromEntries(given) },
    ...{ deployments: [], sequence: 0, uploads: new Map(), repositories: { codehost: {}, service: {} } },
    ...{ tracingProjects: new Set(), listeners: {}, appsAt: "" },
  };
}

export function usualDeletion({ finallyDeleting }: Rules): Deletion {
  return { polls: 1, ...(finallyDeleting !== undefined && { finalPolls: 1 }) };
}

/** Another tenant of the same service. They share everything that belongs to no tenant. */
export function planeBeside(plane: ControlPlane, tenantId: string): ControlPlane {
  return { ...plane, tenantId, deployments: [], sequence: 0, tracingProjects: new Set(), listeners: {} };
}

/** Removes everything but the settings. */
export function clear(plane: ControlPlane): void {
  Object.assign(plane, { deployments: [], sequence: 0, listeners: {} });
  plane.ids.made = 0;
  plane.tracingProjects.clear();
  Object.assign(plane.repositories, { codehost: {}, service: {} });
}

export function byNameOrId(plane: ControlPlane, nameOrId: string): DeploymentRecord | undefined {
  return plane.deployments.find(({ id, name }) => id === nameOrId || name === nameOrId);
}

/** What an integration lists. The emulator fills in fields that are missing. */
export function setRepositories(
  plane: ControlPlane,
  host: Host,
  integrationId: string,
  repositories: readonly JsonObject[],
): void {
  const listed = repositories.map((repository, index) => ({
    host_integration_id: integrationId,
    id: index + 1,
    default_branch: "main",
    ...structuredClone(repository),
  }));
  plane.repositories[host][integrationId.toLowerCase()] = listed;
}
