import { fill, valueAt, type JsonObject } from "../json";
import { Refusal } from "../refusal";
import type { ControlPlane } from "../state/control-plane";
import type { Secret, SecretReference } from "../state/record";

/** Rules that depend on what else is in the workspace; each applies only where the dialect has it. */

export function refuseReservedNames(
  { rules }: ControlPlane,
  ...given: (readonly (Secret | SecretReference)[] | null | undefined)[]
): void {
  const names = given.flatMap((list) => (list ?? []).map(({ name }) => name));
  const reserved = names.find((name) => rules.reservedNames?.includes(name));
  if (reserved !== undefined) throw new Refusal(400, fill(rules.texts.reservedName, { name: reserved }));
}

export function refuseListener(plane: ControlPlane, source: string, sourceConfig: JsonObject): void {
  const { rules, listeners } = plane;
  if (!rules.sources[source]?.needsListener) return;
  const refuse = (text: string) => {
    throw new Refusal(400, text);
  };
  const id = sourceConfig["listener_id"] ?? null;
  const namespace = valueAt(sourceConfig, "listener_config.k8s_namespace") ?? null;
  if (id === null) {
    const ids = listeners.map((listener) => `'${listener.id}'`).join(", ");
    if (listeners.length > 0) refuse(fill(rules.texts.listenerRequired, { ids }));
    if ((sourceConfig["listener_config"] ?? null) !== null) refuse(rules.texts.listenerConfigAlone);
    return;
  }
  const listener = listeners.find((candidate) => candidate.id === String(id).toLowerCase());
  if (listener === undefined) return refuse(fill(rules.texts.listenerUnknown, { id: String(id) }));
  const namespaces = listener.compute_config.k8s_namespaces ?? [];
  if (namespace !== null && !namespaces.includes(String(namespace)))
    refuse(fill(rules.texts.namespaceUnknown, { namespace: String(namespace) }));
}

/** Known only for an integration whose repositories the emulator was told. */
export function refuseRepository({ rules, repositories }: ControlPlane, sourceConfig: JsonObject): void {
  const id = String(sourceConfig["integration_id"] ?? "").toLowerCase();
  const listed = repositories.codehost.get(id) ?? repositories.service.get(id);
  if (!rules.needsRepositoryAccess || listed === undefined) return;
  if (!listed.some(({ url }) => url === sourceConfig["repo_url"]))
    throw new Refusal(400, rules.texts.noRepositoryAccess);
}

export function refuseTakenName({ rules, deployments, tracingProjects }: ControlPlane, name: string): void {
  const holder = deployments.find((record) => record.name === name);
  const refuse = (text: string) => {
    throw new Refusal(409, fill(text, { name }));
  };
  if (rules.uniqueNames && holder?.deletion !== undefined) refuse(rules.texts.nameBeingDeleted);
  if (rules.uniqueNames && holder !== undefined) refuse(rules.texts.nameTaken);
  if (rules.tracingProjects && tracingProjects.has(name)) refuse(rules.texts.tracingProjectExists);
}
