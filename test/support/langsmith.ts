/** The public service's dialect: what it takes, and how it reads a PATCH. */
import fc, { type Arbitrary } from "fast-check";
import { langsmith as service } from "../../emulator";
import { asksForRevision, mergeChange, type Change, type Content } from "../../emulator/rules/change";
import type { sources } from "../../schema/enums";
import { deployment, sourceConfig, sourceRevisionConfig } from "../../schema/fields";
import { check } from "../../provider/deployment/check";
import type { Declared } from "../../provider/deployment/state";
import { stateOf } from "./state";
import type { Values } from "../../schema/tree";
import { langsmith } from "../../provider/dialects/langsmith";
import { normalisedArguments } from "./arbitraries";
import { observedAs } from "./observed";
import type { Observed } from "../../provider/deployment/service";

export const resourceId = "6f0e6c1a-0000-4000-8000-000000000000";

/** The minimal arguments for each source. */
export const least: Record<(typeof sources)[number], Values> = {
  codehost: {
    name: "chat",
    source: "codehost",
    sourceConfig: { integrationId: resourceId, repoUrl: "https://github.com/acme/chat" },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  },
  external_container: {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  },
  internal_container: { name: "chat", source: "internal_container" },
  internal_source: { name: "chat", source: "internal_source" },
  internal_template: { name: "chat", source: "internal_template" },
};

/** The result of `check`. */
export function declared(given: Values, old?: Declared): Declared {
  const { inputs, failures } = check(old, given, langsmith);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return inputs as Declared;
}

/** The state after a successful run. */
export const stateWith = (inputs: Declared, more: Partial<Observed> = {}) =>
  stateOf(inputs, observedAs(inputs.arguments, more), { dialect: langsmith });

const groups = ["sourceConfig", "sourceRevisionConfig"];
const fixed = ["integrationId", "repoUrl", "listenerId", "listenerConfig", "deploymentType", "templateId"];

/**
 * Two sets of arguments of one deployment, with none but the fields that its source takes. The second one keeps some
 * of the first; what can never change is the same in both, or left out of the second.
 */
export const twoVersions: Arbitrary<[Values, Values]> = fc
  .record({
    old: normalisedArguments,
    next: normalisedArguments,
    kept: someOrMostOf(Object.keys(deployment)),
    keptOfGroups: someOrMostOf(Object.keys({ ...sourceConfig, ...sourceRevisionConfig })),
    leavesFixedOut: fc.boolean(),
  })
  .map(({ old, next, kept, keptOfGroups, leavesFixedOut }) => {
    const { source, name } = old;
    const own = { ...choose(next, old, kept), source, name };
    const inGroups = groups.map((group): [string, Values] => {
      const [before, after] = [objectAt(old, group), objectAt(own, group)];
      const merged = choose(after, before, [...keptOfGroups, ...fixed]);
      return [group, leavesFixedOut ? without(merged, fixed) : merged];
    });
    return [ofItsSource(old), ofItsSource({ ...own, ...Object.fromEntries(inGroups) })];
  });

/** Small changes are as likely as large ones. */
function someOrMostOf(names: string[]): Arbitrary<string[]> {
  return fc.oneof(fc.subarray(names), fc.subarray(names, { minLength: names.length - 2 }));
}

/** One set of values with the other's for these names. */
function choose(values: Values, others: Values, names: readonly string[]): Values {
  const chosen = names.filter((name) => others[name] !== undefined).map((name) => [name, others[name]]);
  return { ...without(values, names), ...(Object.fromEntries(chosen) as Values) };
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function objectAt(values: Values, name: string): Values {
  return (values[name] ?? {}) as Values;
}

function ofItsSource(values: Values): Values {
  const source = String(values["source"]);
  const foreign = Object.entries(langsmith.sourcesOf).filter(([, takers]) => !takers.includes(source));
  const inGroup = (group: string) =>
    foreign.flatMap(([path]) => (path.startsWith(`${group}.`) ? [path.slice(group.length + 1)] : []));
  const taken = groups.map((group) => [group, without(objectAt(values, group), inGroup(group))]);
  const own = source === "external_container" ? values : without(values, ["secretReferences"]);
  return { ...own, ...(Object.fromEntries(taken) as Values) };
}

const { patch } = service;
/** The schema does not say it of references. */
const bySchema = patch.revisionFrom.filter((path) => path !== "secret_references");

/** What the public service has after a PATCH. */
export function afterPatch(old: Values, body: Values): Values {
  return { ...old, ...mergeChange(patch, old as unknown as Content, body as Change) };
}

/** Whether a PATCH makes a revision, by the service's schema and by the vendor's client. */
export function revisesBy(body: Values): { schema: boolean; client: boolean } {
  return {
    schema: asksForRevision({ ...patch, revisionFrom: bySchema }, body as Change),
    client: asksForRevision(patch, body as Change),
  };
}
