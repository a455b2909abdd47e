/** What can be wrong with a deployment on a working service. */
import type { DeploymentRecord, Emulator, Rollout } from "../../emulator";

export interface Condition {
  readonly key: string;
  /** Completes "when …". */
  readonly title: string;
  /** The rollout of the revision that the operation creates. */
  readonly rollout?: Rollout;
  /** Runs when the service has accepted the write, and the wait begins. */
  readonly accepted?: (service: Emulator, name: string) => void;
  /** Runs before the operation: a change by someone else. */
  readonly before?: (service: Emulator, name: string) => void;
  /** Ends the fault. */
  readonly over?: (service: Emulator, name: string) => void;
  /** How a wait ends. Undefined if the condition does not affect it. */
  readonly wait?: "well" | "out of time" | "gone";
  readonly says?: RegExp;
  readonly wayOut?: RegExp;
}

const outOfTime = {
  wait: "out of time",
  says: /the rollout did not finish within 5s: revision /,
  wayOut: /customTimeouts/,
} as const;
const status = (word: string) => ({
  rollout: [word, word, "READY"],
  before: (service: Emulator, name: string) => void service.change(name, (record) => (record.status = word)),
  over: (service: Emulator, name: string) => void service.change(name, (record) => (record.status = "READY")),
  wait: "well" as const,
});

/** The revision that a record had first, or none. */
function goBack(record: DeploymentRecord): void {
  const earlier = record.revisions.length > 1 ? record.revisions[0]!.id : null;
  record.latest_revision_id = earlier;
  record.active_revision_id = earlier;
}

export const conditions: readonly Condition[] = [
  { key: "rollout-fails", title: "the rollout fails", rollout: { polls: 1, fails: true }, ...outOfTime },
  {
    key: "rollout-endless",
    title: "the rollout never ends",
    rollout: "never",
    over: (service, name) => void service.finish(name),
    ...outOfTime,
  },
  {
    key: "rollout-backwards",
    title: "the service answers older revisions",
    rollout: "never",
    accepted: (service, name) => void service.change(name, goBack),
    over: (service, name) => {
      service.change(name, (record) => (record.latest_revision_id = record.revisions.at(-1)!.id));
      service.finish(name);
    },
    ...outOfTime,
  },
  {
    key: "rollout-overtaken",
    title: "another revision overtakes",
    rollout: "never",
    accepted: (service, name) => {
      service.change(name, () => {}, { revision: true });
      service.finish(name);
    },
    wait: "well",
  },
  {
    key: "deleted-meanwhile",
    title: "someone deletes it during the rollout",
    rollout: "never",
    accepted: (service, name) => service.remove(name),
    wait: "gone",
    says: /the deployment no longer exists: it was deleted outside this stack|the service does not show the deployment, which/,
    wayOut: /pulumi refresh/,
  },
  {
    key: "deleted",
    title: "someone has deleted it",
    before: (service, name) => service.remove(name),
    says: /the deployment no longer exists: it was deleted outside this stack/,
    wayOut: /pulumi refresh/,
  },
  {
    key: "renamed",
    title: "someone has renamed it",
    before: (service, name) => void service.change(name, (record) => (record.name = `${name}-renamed`)),
  },
  {
    key: "changed",
    title: "someone has changed it",
    before: (service, name) =>
      void service.change(name, (record) => {
        record.source_revision_config = { image_uri: "registry.example.com/app:hotfix" };
        record.secrets = [{ name: "KEY", value: "someone-else's-4712" }];
      }),
  },
  { key: "unknown", title: "its status is UNKNOWN for a while", ...status("UNKNOWN") },
  { key: "unheard", title: "its status is one that nobody has heard of", ...status("SINGING") },
];
