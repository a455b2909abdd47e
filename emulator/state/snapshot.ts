import type { JsonObject } from "../json";
import type { ControlPlane, Host, ListenerRecord } from "./control-plane";
import type { DeploymentRecord } from "./record";

/** Everything that outlives a restart: what was made, and how far it has got. Settings and faults are not in it. */
export interface Snapshot {
  readonly emulator: 1;
  readonly dialect: string;
  readonly ids: number;
  readonly repositories: Readonly<Record<Host, Readonly<Record<string, JsonObject[]>>>>;
  /** By the id of the tenant. */
  readonly tenants: Readonly<Record<string, TenantSnapshot>>;
}

interface TenantSnapshot {
  readonly deployments: DeploymentRecord[];
  readonly sequence: number;
  readonly listeners: ListenerRecord[];
  readonly tracingProjects: readonly string[];
}

export function snapshotOf(dialect: string, planes: readonly ControlPlane[]): Snapshot {
  const { ids, repositories } = planes[0]!;
  return {
    emulator: 1,
    dialect,
    ids: ids.made,
    repositories: {
      codehost: Object.fromEntries(repositories.codehost),
      service: Object.fromEntries(repositories.service),
    },
    tenants: Object.fromEntries(
      planes.map(({ tenantId, deployments, sequence, listeners, tracingProjects }) => [
        tenantId,
        { deployments, sequence, listeners, tracingProjects: [...tracingProjects] },
      ]),
    ),
  };
}

export function restore(planes: readonly ControlPlane[], { ids, repositories, tenants }: Snapshot): void {
  planes[0]!.ids.restart(ids);
  for (const host of ["codehost", "service"] as const)
    for (const [id, list] of Object.entries(repositories[host])) planes[0]!.repositories[host].set(id, list);
  for (const plane of planes) {
    const { deployments, sequence, listeners, tracingProjects } = tenants[plane.tenantId] ?? {};
    Object.assign(plane, {
      deployments: deployments ?? [],
      sequence: sequence ?? 0,
      listeners: listeners ?? [],
    });
    for (const name of tracingProjects ?? []) plane.tracingProjects.add(name);
  }
}
