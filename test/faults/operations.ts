/** All operations, as data: the columns of the table. */
import type { Values } from "../support/provider-process";
import { secretValue } from "./faults";

/** The request that a fault of the connection or of a response hits. */
export type Request = "create" | "settings" | "revision" | "delete" | "find" | "read" | "none";

export interface Operation {
  readonly key: string;
  /** The subject of a sentence. */
  readonly title: string;
  /** As the user reads it. */
  readonly label: "create" | "update" | "delete" | "refresh" | "";
  readonly request: Request;
  /** Where the deployment is before the operation: in the stack, only on the service, or nowhere. */
  readonly before: "stack" | "service" | "nowhere";
  /** What the program declares. Undefined if the resource leaves the program. */
  readonly after?: Values;
  /** Whether the operation waits for a rollout. */
  readonly waits: boolean;
  /** The suffix of the name that a replacement gets. */
  readonly suffix?: string;
}

const image = (tag: string): Values => ({ imageUri: `registry.example.com/app:${tag}` });
const scale = (minScale: number): Values => ({ resourceSpec: { minScale } });

/** Every deployment of the table before the operation. */
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

const change = { label: "update", before: "stack" } as const;
const creation = { label: "create", request: "create", waits: true } as const;
const deletion = { label: "delete", request: "delete", before: "stack" } as const;
const adoption = { label: "create", before: "service", waits: true } as const;
const adopted = { ...revision, adopt: true };
const renamed = { before: "stack", after: declaredBefore, suffix } as const;

/** By key: the subject of a sentence, and the operation. */
const table: Readonly<Record<string, readonly [title: string, what: Omit<Operation, "key" | "title">]>> = {
  preview: ["a preview", { ...change, label: "", request: "none", after: settings, waits: false }],
  create: ["creating", { ...creation, before: "nowhere", after: declaredBefore }],
  "adopt-find": ["looking for what to adopt", { ...adoption, request: "find", after: adopted }],
  adopt: ["adopting", { ...adoption, request: "revision", after: adopted }],
  settings: ["updating settings", { ...change, request: "settings", after: settings, waits: false }],
  revision: ["making a revision", { ...change, request: "revision", after: revision, waits: true }],
  refresh: [
    "refreshing",
    { ...change, label: "refresh", request: "read", after: declaredBefore, waits: false },
  ],
  delete: ["deleting", { ...deletion, waits: false }],
  "replace-delete": ["deleting before a replacement", { ...deletion, after: another, waits: true }],
  "replace-create": [
    "creating a replacement after the deletion",
    { ...creation, before: "stack", after: another },
  ],
  "rename-create": ["creating a replacement first", { ...creation, ...renamed }],
  "rename-delete": ["deleting what was replaced", { ...deletion, ...renamed, waits: true }],
};

export const operations: readonly Operation[] = Object.entries(table).map(([key, [title, what]]) => ({
  key,
  title,
  ...what,
}));
