/** The parts of a case: its deployments, its declarations, and the request that its fault hits. */
import type { Emulator, JsonObject, When } from "../../emulator";
import type { Values } from "../support/provider-process";
import { lawOf } from "./laws";
import { declaredBefore } from "./operations";
import type { Adapter, FaultCase } from "./table";

/** In the run that changes the others, a previewed case is declared as before. */
export type Phase = "before" | "previewed" | "changed" | "repaired";

/** A resource as the program of the engine's cases declares it. */
export interface Declaration {
  readonly adapter: Adapter;
  readonly name: string;
  readonly args: Values;
  readonly connection?: string | undefined;
  readonly customTimeouts?: Readonly<Record<string, string>>;
}

/** The name of the deployment after the operation. */
export function targetOf({ name, operation }: FaultCase): string {
  return name + (operation.suffix ?? "");
}

/** All names that deployments of the case may have. */
export function namesOf(faultCase: FaultCase): string[] {
  return [...new Set([faultCase.name, targetOf(faultCase), `${faultCase.name}-renamed`])];
}

export function declarationOf(faultCase: FaultCase, phase: Phase): Declaration | undefined {
  const { operation, fault, name } = faultCase;
  const isBefore = phase === "before" || (phase === "changed" && operation.key === "preview");
  if (isBefore ? operation.before !== "stack" : operation.after === undefined) return undefined;
  const args = isBefore ? { ...declaredBefore, name } : { ...operation.after, name: targetOf(faultCase) };
  const isTriggered = phase === "repaired" && lawOf(operation, fault).repair === "trigger";
  return {
    adapter: faultCase.adapter,
    name,
    args: isTriggered ? { ...args, triggers: "again" } : args,
    connection: connectionOf(faultCase),
    customTimeouts: patienceOf(faultCase, phase),
  };
}

/** The name of the case's own connection, if the fault affects all of its requests. */
export function connectionOf({ fault }: FaultCase): string | undefined {
  return fault.connection ?? (fault.holds ? fault.key : undefined);
}

/** Whether the provider tries again. Work that it finds done needs no retry. */
function isTriedAgain({ operation, fault }: Pick<FaultCase, "operation" | "fault">): boolean {
  const isFoundOut = fault.kind === "done" && ["create", "revision"].includes(operation.request);
  return fault.restarts === true && !isFoundOut;
}

/** Short if the time is to end. */
function patienceOf({ operation, fault }: FaultCase, phase: Phase): Readonly<Record<string, string>> {
  const { wait } = fault.condition ?? {};
  if (fault.holds && phase !== "repaired") {
    if (operation.request === "delete") return phase === "before" ? { delete: "5s" } : {};
    return phase === "before" ? {} : { create: "5s", update: "5s" };
  }
  // The provider waits a minute for a restart if it has the time.
  if (isTriedAgain({ operation, fault }) && phase !== "repaired") {
    if (operation.request === "delete") return phase === "before" ? { delete: "10s" } : {};
    return phase === "before" ? {} : { create: "10s", update: "10s" };
  }
  if ((phase === "previewed" || phase === "changed") && wait === "out of time")
    return { create: "5s", update: "5s" };
  // A deletion uses the options of the last declaration.
  if (phase === "before" && operation.request === "delete" && fault.kind === "misunderstood")
    return { delete: "10s" };
  return {};
}

/** The body of a POST for a deployment that was created by hand. */
export function bodyOf({ name }: FaultCase): JsonObject {
  return {
    name,
    source: "external_container",
    source_config: { resource_spec: { min_scale: 1 } },
    source_revision_config: { image_uri: "registry.example.com/app:1" },
    secrets: Object.entries(declaredBefore["secrets"] as Record<string, string>).map(([key, value]) => ({
      name: key,
      value,
    })),
  };
}

/** Whether a request belongs to the case's operation and deployment, so that its fault hits it. */
export function hitBy(faultCase: FaultCase, service: Emulator): When {
  const id = service.deployment(faultCase.name)?.id;
  switch (faultCase.operation.request) {
    case "create":
      return {
        method: "POST",
        body: (body) => (body as JsonObject | undefined)?.["name"] === targetOf(faultCase),
      };
    case "settings":
    case "revision":
      return { method: "PATCH", path: `/v2/deployments/${id}` };
    case "delete":
      return { method: "DELETE", path: `/v2/deployments/${id}` };
    case "find":
      return { method: "GET", query: ({ name_contains }) => name_contains === faultCase.name };
    default:
      return { path: /./, query: (query) => JSON.stringify(query).includes(id ?? faultCase.name) };
  }
}
