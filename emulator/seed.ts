import type { JsonObject } from "./json-values";
import { Refusal, refuseIfAny, type Location, type Problem } from "./refusal";
import { addDeployment } from "./routes/create-deployment";
import { accept, each, free, integer, listOf, object, required, text, texts, uuid } from "./json-shape";
import { setRepositories, type ControlPlane } from "./state/control-plane";
import { finishRollout } from "./state/revision-rollout";

/** What the service holds at the start, with the field names of the protocol. */
export interface Seed {
  /**
   * Bodies of the POSTs that create them; `source_config`, `source_revision_config` and `secrets` can be omitted. In dialect
   * `langsmith`, `is_preview` or `is_managed_deep_agent` says that another tool made it.
   */
  readonly deployments?: readonly JsonObject[];
  /** By the id of the integration. */
  readonly repositories?: Readonly<Record<string, readonly JsonObject[]>>;
  /** The namespaces of each listener, by its id. */
  readonly listeners?: Readonly<Record<string, readonly string[]>>;
  /** Names of tracing projects. No deployment can be created with such a name. */
  readonly tracing_projects?: readonly string[];
}

const repository = object({
  ...each(required(text), "owner", "name", "url"),
  default_branch: text,
  id: integer(0),
  host_integration_id: uuid,
});

const seedShape = object({
  deployments: listOf(free),
  repositories: { kind: "free", of: listOf(repository) },
  listeners: { kind: "free", of: texts },
  tracing_projects: texts,
});

const omitted = { source_config: {}, source_revision_config: {}, secrets: [] };

/** Adds everything or, if something is wrong, nothing. Throws a Refusal with the place of each mistake. */
export function plant(plane: ControlPlane, given: Seed | JsonObject): void {
  const seed = accept<Seed>(seedShape, given as JsonObject, []);
  // A copy, so that a mistake leaves everything as it was.
  const draft: ControlPlane = {
    ...plane,
    deployments: [...plane.deployments],
    listeners: { ...plane.listeners, ...seed.listeners },
    tracingProjects: new Set(plane.tracingProjects),
  };
  const problems = (seed.deployments ?? []).flatMap((body, index) =>
    problemsAt(["deployments", index], () => {
      const { owner, rest } = ownerIn(plane, body);
      const record = addDeployment(draft, { ...structuredClone(omitted), ...rest });
      finishRollout(draft, Object.assign(record, owner));
    }),
  );
  refuseIfAny(problems);

  const { deployments, listeners, sequence } = draft;
  Object.assign(plane, { deployments, listeners, sequence });
  for (const name of [...draft.tracingProjects, ...(seed.tracing_projects ?? [])])
    plane.tracingProjects.add(name);
  for (const [id, repositories] of Object.entries(seed.repositories ?? {}))
    setRepositories(plane, "codehost", id, repositories);
}

/** Marks that no POST sets. */
function ownerIn({ rules: { responses } }: ControlPlane, body: JsonObject) {
  const isMark = ([key, value]: [string, unknown]) =>
    ["is_preview", "is_managed_deep_agent"].includes(key) &&
    typeof value === "boolean" &&
    responses.later !== undefined;
  const [owner, rest] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(body).filter((entry) => isMark(entry) === wanted)),
  );
  return { owner, rest };
}

/** The problems of a refusal of the service, at their place in the seed. */
function problemsAt(place: Location, work: () => unknown): Problem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { detail } = error;
    return typeof detail === "string"
      ? [{ type: "refused", loc: place, msg: detail, input: null }]
      : detail.map((problem) => ({ ...problem, loc: [...place, ...problem.loc.slice(1)] }));
  }
}
