import { fill, valueAt, type JsonObject } from "../json-values";
import { Refusal } from "../refusal";
import type { Rules } from "./dialect-rules";

/** Rules that depend on what else the workspace contains. Each applies only if the dialect has it. */

export function refuseReservedNames(
  rules: Rules,
  isCloud: boolean,
  ...lists: (readonly { readonly name: string }[] | null | undefined)[]
): void {
  const names = lists.flatMap((list) => (list ?? []).map(({ name }) => name));
  const all = [...(rules.reservedNames ?? []), ...((isCloud && rules.reservedInCloud) || [])];
  const reserved = names.find((name) => all.includes(name));
  if (reserved !== undefined) throw new Refusal(400, fill(rules.texts.reservedName, { name: reserved }));
}

/** The namespaces that each listener can deploy to, by the id of the listener. */
export type Listeners = Readonly<Record<string, readonly string[]>>;

export function refuseListener(
  { sources, texts }: Rules,
  listeners: Listeners,
  source: string,
  sourceConfig: JsonObject,
): void {
  if (!sources[source]?.needsListener) return;
  const refuse = (text: string, values: Record<string, string> = {}): never => {
    throw new Refusal(400, fill(text, values));
  };
  const id = valueAt(sourceConfig, "listener_id");
  const namespace = valueAt(sourceConfig, "listener_config.k8s_namespace");
  if (id === null) {
    const ids = Object.keys(listeners).map((known) => `'${known}'`);
    if (ids.length > 0) refuse(texts.listenerRequired, { ids: ids.join(", ") });
    if (valueAt(sourceConfig, "listener_config") !== null) refuse(texts.listenerConfigAlone);
    return;
  }
  const namespaces = listeners[String(id).toLowerCase()];
  if (namespaces === undefined) return refuse(texts.listenerUnknown, { id: String(id) });
  if (namespace !== null && !namespaces.includes(String(namespace)))
    refuse(texts.namespaceUnknown, { namespace: String(namespace) });
}

/** @param listed the repositories of the deployment's integration; undefined if they are not known */
export function refuseRepository(
  rules: Rules,
  listed: readonly JsonObject[] | undefined,
  sourceConfig: JsonObject,
): void {
  if (!rules.needsRepositoryAccess || listed === undefined) return;
  if (!listed.some(({ url }) => url === sourceConfig["repo_url"]))
    throw new Refusal(400, rules.texts.noRepositoryAccess);
}

/** @param holder the deployment that has this name, if any */
export function refuseTakenName(
  { texts, tracingProjects }: Rules,
  name: string,
  holder: { readonly isBeingDeleted: boolean } | undefined,
  projects: ReadonlySet<string>,
): void {
  const refuse = (text: string): never => {
    throw new Refusal(409, fill(text, { name }));
  };
  if (holder !== undefined) refuse(holder.isBeingDeleted ? texts.nameBeingDeleted : texts.nameTaken);
  if (tracingProjects && projects.has(name)) refuse(texts.tracingProjectExists);
}
