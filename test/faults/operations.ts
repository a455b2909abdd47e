/** Everything that is done, as data: the columns of the table. */
import type { Values } from "../support/provider-process";
import { secretValue } from "./faults";

/** The request that a fault of the connection or of a response hits. */
export type Request = "create" | "settings" | "revision" | "delete" | "find" | "poll" | "read" | "none";

export interface Operation {
  readonly key: string;
  /** The subject of a sentence. */
  readonly title: string;
  /** Where it is held: by the real CLI, at the provider process, in a program's own process, or by the command. */
  readonly held: "engine" | "process" | "program" | "command";
  /** As the user reads it. */
  readonly label: "create" | "update" | "delete" | "refresh" | "";
  readonly request: Request;
  /** Where the deployment is before: in the stack, on the service alone, or nowhere. */
  readonly before: "stack" | "service" | "nowhere";
  /** What the program declares then; undefined when it declares it no more. */
  readonly after?: Values;
  /** Whether the operation waits for a rollout. */
  readonly waits: boolean;
  /** The other deployment that a replacement makes has this added to its name. */
  readonly suffix?: string;
}

const image = (tag: string): Values => ({ imageUri: `registry.example.com/app:${tag}` });
const scale = (minScale: number): Values => ({ resourceSpec: { minScale } });

/** What every deployment of the table is before the operation. */
export const declaredBefore: Values = {
  source: "external_container",
  sourceConfig: scale(1),
  sourceRevisionConfig: image("1"),
  secrets: { KEY: secretValue },
};

const settings = { ...declaredBefore, sourceConfig: scale(2) };
const revision = { ...declaredBefore, sourceRevisionConfig: image("2") };
const another = { ...declaredBefore, source: "internal_container" };
const suffix = "-new";

export const operations: readonly Operation[] = [
  {
    key: "preview",
    title: "a preview",
    held: "engine",
    label: "",
    request: "none",
    before: "stack",
    after: settings,
    waits: false,
  },
  {
    key: "create",
    title: "creating",
    held: "engine",
    label: "create",
    request: "create",
    before: "nowhere",
    after: declaredBefore,
    waits: true,
  },
  {
    key: "adopt-find",
    title: "looking for what to adopt",
    held: "engine",
    label: "create",
    request: "find",
    before: "service",
    after: { ...revision, adopt: true },
    waits: true,
  },
  {
    key: "adopt",
    title: "adopting",
    held: "engine",
    label: "create",
    request: "revision",
    before: "service",
    after: { ...revision, adopt: true },
    waits: true,
  },
  {
    key: "settings",
    title: "updating settings",
    held: "engine",
    label: "update",
    request: "settings",
    before: "stack",
    after: settings,
    waits: false,
  },
  {
    key: "revision",
    title: "making a revision",
    held: "engine",
    label: "update",
    request: "revision",
    before: "stack",
    after: revision,
    waits: true,
  },
  {
    key: "poll",
    title: "looking at a rollout",
    held: "process",
    label: "create",
    request: "poll",
    before: "nowhere",
    after: declaredBefore,
    waits: true,
  },
  {
    key: "refresh",
    title: "refreshing",
    held: "engine",
    label: "refresh",
    request: "read",
    before: "stack",
    after: declaredBefore,
    waits: false,
  },
  {
    key: "delete",
    title: "deleting",
    held: "engine",
    label: "delete",
    request: "delete",
    before: "stack",
    waits: false,
  },
  {
    key: "replace-delete",
    title: "deleting before a replacement",
    held: "engine",
    label: "delete",
    request: "delete",
    before: "stack",
    after: another,
    waits: true,
  },
  {
    key: "replace-create",
    title: "creating a replacement after the deletion",
    held: "engine",
    label: "create",
    request: "create",
    before: "stack",
    after: another,
    waits: true,
  },
  {
    key: "rename-create",
    title: "creating a replacement first",
    held: "engine",
    label: "create",
    request: "create",
    before: "stack",
    after: declaredBefore,
    suffix,
    waits: true,
  },
  {
    key: "rename-delete",
    title: "deleting what was replaced",
    held: "engine",
    label: "delete",
    request: "delete",
    before: "stack",
    after: declaredBefore,
    suffix,
    waits: true,
  },
  {
    key: "getDeployment",
    title: "getDeployment",
    held: "program",
    label: "",
    request: "find",
    before: "service",
    waits: false,
  },
  {
    key: "listDeployments",
    title: "listDeployments",
    held: "program",
    label: "",
    request: "read",
    before: "service",
    waits: false,
  },
  {
    key: "listRepositories",
    title: "listRepositories",
    held: "program",
    label: "",
    request: "read",
    before: "service",
    waits: false,
  },
  {
    key: "import",
    title: "deployment-service import",
    held: "command",
    label: "",
    request: "read",
    before: "service",
    waits: false,
  },
  {
    key: "import-file",
    title: "pulumi import --file",
    held: "engine",
    label: "",
    request: "none",
    before: "service",
    after: declaredBefore,
    waits: false,
  },
];
