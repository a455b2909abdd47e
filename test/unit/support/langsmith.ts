/** The public service's dialect: what it takes, and how it reads a PATCH. */
import fc, { type Arbitrary } from "fast-check";
import type { sources } from "../../../schema/fields";
import { check } from "../../../provider/deployment/check";
import { argumentsIn, stateOf, type Declared } from "../../../provider/deployment/state";
import { isObject, valueAt, type Values } from "../../../provider/deployment/values";
import { langsmith } from "../../../provider/dialects/langsmith";
import { normalisedArguments } from "./arbitraries";
import { observedAs } from "./observed";
import type { Observed } from "../../../provider/deployment/service";

export const resourceId = "6f0e6c1a-0000-4000-8000-000000000000";

const codehost = {
  sourceConfig: { integrationId: resourceId, repoUrl: "https://github.com/acme/chat" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
};

/** The least that a deployment of each source is created from. */
export const least: Record<(typeof sources)[number], Values> = {
  codehost: { name: "chat", source: "codehost", ...codehost },
  external_container: {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  },
  internal_container: { name: "chat", source: "internal_container" },
  internal_source: { name: "chat", source: "internal_source" },
  internal_template: { name: "chat", source: "internal_template" },
};

/** What check makes of arguments. */
export function declared(given: Values, old?: Values): Declared {
  const { inputs, failures } = check(old, given, langsmith);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return inputs as Declared;
}

/** The state after a run that ended well. */
export const stateWith = (inputs: Values, more: Partial<Observed> = {}) =>
  stateOf(inputs, observedAs(inputs, more), langsmith);

/** Arguments with none but the fields that the source takes. */
const takenArguments: Arbitrary<Values> = normalisedArguments.map((values) => {
  const foreign = Object.entries(langsmith.sourcesOf)
    .filter(([, takers]) => !takers.includes(String(values["source"])))
    .map(([path]) => path);
  return argumentsIn(declaredWithout(values, foreign));
});

/** Two sets of arguments of one deployment: what can never change is the same, or left out of the second. */
export const twoVersions: Arbitrary<[Values, Values]> = fc
  .tuple(takenArguments, takenArguments, fc.boolean())
  .map(([old, next, leavesOut]) => {
    const fixed = ["integrationId", "repoUrl", "listenerId", "listenerConfig", "deploymentType"];
    const { source, name } = old;
    const own = declaredWithout({ ...next, source, name }, foreignTo(String(source)));
    const config = Object.entries((own["sourceConfig"] ?? {}) as Values);
    const kept = Object.entries((old["sourceConfig"] ?? {}) as Values);
    const sourceConfig = Object.fromEntries([
      ...config.filter(([key]) => !fixed.includes(key)),
      ...kept.filter(([key]) => fixed.includes(key) && !leavesOut),
    ]);
    const { secretReferences, ...rest } = own;
    const takesReferences = source === "external_container" && secretReferences !== undefined;
    return [old, { ...rest, sourceConfig, ...(takesReferences && { secretReferences }) }];
  });

function foreignTo(source: string): string[] {
  const rules = Object.entries(langsmith.sourcesOf);
  return rules.filter(([, takers]) => !takers.includes(source)).map(([path]) => path);
}

function declaredWithout(values: Values, paths: readonly string[]): Values {
  const isOut = (path: string) => paths.includes(path);
  const pruned = Object.entries(values).map(([name, value]): [string, unknown] => {
    if (!isObject(value) || !["sourceConfig", "sourceRevisionConfig"].includes(name)) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).filter(([key]) => !isOut(`${name}.${key}`)))];
  });
  return Object.fromEntries(pruned);
}

/** What the public service makes of a PATCH: `null` keeps, and so does an empty list of secrets. */
export function afterPatch(old: Values, body: Values): Values {
  const merged = (name: string) => {
    const sent = Object.entries((body[name] ?? {}) as Values).filter(([, value]) => value !== null);
    return { ...(old[name] as Values), ...Object.fromEntries(sent) };
  };
  const secrets = body["secrets"] as unknown[] | null | undefined;
  return {
    ...old,
    source_config: merged("source_config"),
    source_revision_config: merged("source_revision_config"),
    secrets: secrets?.length ? secrets : old["secrets"],
    secret_references: body["secret_references"] ?? old["secret_references"],
  };
}

/** Fields that make a revision by being in a PATCH: by the service's own schema, and by the vendor's client too. */
export function revisesBy(body: Values): { schema: boolean; client: boolean } {
  const isSet = (...path: string[]) => (valueAt(body, path) ?? null) !== null;
  const revision = Object.values((body["source_revision_config"] ?? {}) as Values);
  const secrets = body["secrets"] as unknown[] | undefined;
  const schema =
    revision.some((value) => value !== null) ||
    isSet("source_config", "resource_spec") ||
    (secrets?.length ?? 0) > 0;
  const client =
    schema ||
    isSet("source_config", "install_command") ||
    isSet("source_config", "build_command") ||
    isSet("secret_references");
  return { schema, client };
}
