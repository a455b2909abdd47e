import { addListener } from "./routes/listeners";
import { addDeployment } from "./routes/create-deployment";
import { object, required } from "./rules/fields";
import type { Json, JsonObject } from "./json";
import { Refusal, refuseIfAny } from "./refusal";
import { findProblems, type Location, type Shape } from "./shape";
import type { ControlPlane } from "./state/control-plane";
import { repositoriesShape, setRepositories } from "./state/repositories";
import { finishRollout } from "./state/settle";

/** What the service holds from the beginning, in the words of its protocol. */
export interface Seed {
  /** As the body of the POST that would create it; `source_config`, `source_revision_config` and `secrets` may be absent. */
  readonly deployments?: readonly JsonObject[];
  /** What the listing of repositories answers, by the id of the integration. */
  readonly repositories?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly listeners?: readonly { readonly compute_id: string; readonly namespaces: readonly string[] }[];
  /** Names of tracing projects, which deployments of the same name would collide with. */
  readonly tracing_projects?: readonly string[];
}

const text: Shape = { kind: "string" };
const objects: Shape = { kind: "list", of: { kind: "free" } };

const shape = object({
  deployments: objects,
  repositories: { kind: "free", of: repositoriesShape },
  listeners: {
    kind: "list",
    of: object({ compute_id: required(text), namespaces: required<Shape>({ kind: "list", of: text }) }),
  },
  tracing_projects: { kind: "list", of: text },
});

const leftOut = { source_config: {}, source_revision_config: {}, secrets: [] };

/** Adds all of it or, where something is wrong, nothing. Throws a Refusal with the place of each mistake. */
export function plant(plane: ControlPlane, given: Json): void {
  refuseIfAny(findProblems(shape, given, []));
  // The shape has just been checked: this is what it says.
  const { deployments = [], listeners = [], ...rest } = given as Seed;
  const before = { deployments: plane.deployments, listeners: plane.listeners };
  const names = [...plane.tracingProjects];
  plane.deployments = [...before.deployments];
  plane.listeners = [...before.listeners];
  try {
    for (const [index, { compute_id, namespaces }] of listeners.entries())
      at(["listeners", index], () =>
        addListener(plane, { compute_id, compute_config: { k8s_namespaces: [...namespaces] } }),
      );
    for (const [index, body] of deployments.entries())
      at(["deployments", index], () =>
        finishRollout(plane, addDeployment(plane, structuredClone({ ...leftOut, ...body }))),
      );
  } catch (error) {
    Object.assign(plane, before);
    plane.tracingProjects.clear();
    for (const name of names) plane.tracingProjects.add(name);
    throw error;
  }
  for (const [id, repositories] of Object.entries(rest.repositories ?? {}))
    setRepositories(plane, "codehost", id, repositories);
  for (const name of rest.tracing_projects ?? []) plane.tracingProjects.add(name);
}

/** Says where in the seed a refusal of the service belongs. */
function at(place: Location, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { detail } = error;
    const problems =
      typeof detail === "string"
        ? [{ type: "refused", loc: place, msg: detail, input: null }]
        : detail.map((problem) => ({ ...problem, loc: [...place, ...problem.loc.slice(1)] }));
    throw new Refusal(422, problems);
  }
}
