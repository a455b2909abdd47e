/** What a case is made of: its deployments, what the program declares of it, and the request that its fault hits. */
import type { Emulator, JsonObject, When } from "../../emulator";
import type { Values } from "../support/provider-process";
import { lawOf } from "./laws";
import { declaredBefore } from "./operations";
import type { Adapter, FaultCase } from "./table";

/** What is only previewed is declared as it was when the others are changed. */
export type Phase = "before" | "previewed" | "changed" | "repaired";

/** A resource as the program of the engine's cases declares it. */
export interface Declaration {
  readonly adapter: Adapter;
  readonly name: string;
  readonly args: Values;
  readonly connection?: string | undefined;
  readonly customTimeouts?: Readonly<Record<string, string>>;
}

/** The name of the deployment that is there after the operation. */
export function targetOf({ name, operation }: FaultCase): string {
  return name + (operation.suffix ?? "");
}

/** Every name that a deployment of the case may come to have. */
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

/** The name of a connection of its own, where the fault is one of all that is asked over it. */
export function connectionOf({ fault }: FaultCase): string | undefined {
  return fault.connection ?? (fault.holds ? fault.key : undefined);
}

/** What was done is found out where doing it again would do it twice, and so needs no other try. */
function isTriedAgain({ operation, fault }: Pick<FaultCase, "operation" | "fault">): boolean {
  const isFoundOut = fault.kind === "done" && ["create", "revision"].includes(operation.request);
  return fault.restarts === true && !isFoundOut;
}

/** Short, where the time is to run out. */
function patienceOf({ operation, fault }: FaultCase, phase: Phase): Readonly<Record<string, string>> {
  const { wait } = fault.condition ?? {};
  if (fault.holds && phase !== "repaired") {
    if (operation.request === "delete") return phase === "before" ? { delete: "5s" } : {};
    return phase === "before" ? {} : { create: "5s", update: "5s" };
  }
  // A restart is waited for a minute, where there is time.
  if (isTriedAgain({ operation, fault }) && phase !== "repaired") {
    if (operation.request === "delete") return phase === "before" ? { delete: "10s" } : {};
    return phase === "before" ? {} : { create: "10s", update: "10s" };
  }
  if ((phase === "previewed" || phase === "changed") && wait === "out of time")
    return { create: "5s", update: "5s" };
  // A deletion goes by what was declared before it.
  if (phase === "before" && operation.request === "delete" && fault.kind === "misunderstood")
    return { delete: "10s" };
  return {};
}

/** The same on the wire, for what someone made by hand. */
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

/** Which requests the fault of a case hits: those of its operation, for its deployment. */
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
