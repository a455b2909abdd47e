import type { JsonObject } from "../json";
import type { Rules } from "../rules/rules";
import type { Clock } from "./clock";
import type { Ids } from "./ids";
import type { DeploymentRecord } from "./record";
import type { Normalization } from "./normalize";
import type { DatabaseScript, DeletionScript, RolloutScript } from "./script";

/** How secrets are shown: services of this family differ, and some differ by role. */
export type ShownSecrets =
  /** The values as they are. */
  | "clear"
  /** `"***"` for each value. */
  | "masked"
  /** `null` for each value. */
  | "null"
  /** Names only: no key `value`. */
  | "omitted"
  /** An empty list. */
  | "empty"
  /** A word for each value that stands for no value in particular. */
  | "word"
  /** The first three and the last four characters of each value. */
  | "tail"
  /** Another text for each value in each response. */
  | "chance";

export type PageOrder = "newest-first" | "oldest-first" | "by-name";

/** What can be changed while the service runs. */
export interface Settings {
  rollout: RolloutScript;
  deletion: DeletionScript;
  /** How long the deployment's own parts take, where they do not wait for the first revision. */
  database: DatabaseScript;
  secrets: ShownSecrets;
  pageOrder: PageOrder;
  /** What becomes of what a request gives. */
  normalizations: readonly Normalization[];
  /** So many responses after each change, its own among them, still show the deployment as it was. */
  lag: number;
  /** Milliseconds that every response takes. */
  latency: number;
  /** How many requests are taken in any second; more are refused with 429 and `Retry-After: 1`. 0 for no limit. */
  requestsPerSecond: number;
  /** The lines that each revision's log of that kind answers with. */
  logs: Readonly<Partial<Record<"build" | "deploy", readonly string[]>>>;
  /**
   * Whether the service gives deployments addresses on this emulator, such as `http://127.0.0.1:40001/_apps/chat`. Else the
   * addresses that it makes up lead nowhere.
   */
  apps: boolean;
}

export type Host = "codehost" | "service";

/** The whole state of the service, with the rules it obeys. */
export interface ControlPlane {
  readonly rules: Rules;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tenantId: string;
  readonly settings: Settings;
  deployments: DeploymentRecord[];
  /** Archives by the id of their upload. */
  readonly uploads: Map<string, Buffer>;
  sequence: number;
  readonly repositories: Record<Host, Map<string, JsonObject[]>>;
  /** Names; each was made with a deployment, and outlives it unless its deletion is asked for. */
  readonly tracingProjects: Set<string>;
  listeners: ListenerRecord[];
  /** Where the applications of deployments answer, each below its name; known once the emulator listens. */
  appsAt: string;
}

/** Where self-hosted deployments can run. */
export interface ListenerRecord {
  id: string;
  version: string | null;
  compute_type: string;
  compute_id: string;
  compute_config: { k8s_namespaces: string[] | null };
  created_at: string;
  updated_at: string;
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time stamp later than the given one, also when the clock stands still. */
export function laterThan(previous: string, clock: Clock): string {
  return timestamp(Math.max(clock.now(), new Date(previous).getTime() + 1));
}

export function byNameOrId(plane: ControlPlane, nameOrId: string): DeploymentRecord | undefined {
  return plane.deployments.find(({ id, name }) => id === nameOrId || name === nameOrId);
}
