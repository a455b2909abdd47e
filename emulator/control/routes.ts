import { Refusal } from "../refusal";
import type { HttpResponse } from "../routes/handler";
import { parseQuery } from "../routes/query";
import { respond, authenticate, matchPath, type Access, type Inbound } from "../service";
import * as handlers from "./handlers";
import type { ControlHandler, Controls } from "./handlers";

interface Route {
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly handler: ControlHandler;
}

const route = (method: string, path: string, does: string, handler: ControlHandler): Route => ({
  method,
  path: `/_emulator/${path}`,
  does,
  handler,
});

const deployment = "deployments/{name or id}";

/** Everything that a test can do to the emulator, over HTTP: what happens behind a program's back. */
export const controlRoutes: readonly Route[] = [
  route("GET", "deployments", "what the service remembers, revisions included", handlers.listRecords),
  route(
    "POST",
    "deployments",
    "create one, ready at once; the body as for the service",
    handlers.createRecord,
  ),
  route("PATCH", deployment, "change one; new_revision: true makes a revision too", handlers.changeRecord),
  route("DELETE", deployment, "remove one at once", handlers.removeRecord),
  route(
    "POST",
    `${deployment}/hold`,
    'its running rollout goes no further; {"stuck": true}: and later ones wait behind it',
    handlers.hold,
  ),
  route(
    "POST",
    `${deployment}/finish`,
    'end its rollout; {"fails": "BUILD_FAILED", "buildLog": ["…"], "reason": "…"}',
    handlers.finish,
  ),
  route("GET", "settings", "how rollouts, deletions and responses go", handlers.showSettings),
  route(
    "PATCH",
    "settings",
    '{"rollout": "never"}, {"rollout": {"polls": 1, "fails": true}}, …',
    handlers.changeSettings,
  ),
  route("GET", "faults", "what is planned to fail, and how often it did", handlers.listFaults),
  route(
    "POST",
    "faults",
    '{"when": {"method": "POST"}, "times": 2, "how": {"status": 503}}',
    handlers.planFault,
  ),
  route("DELETE", "faults", "nothing fails any more", handlers.cancelFaults),
  route("GET", "requests", "all that the service was asked", handlers.listRequests),
  route("DELETE", "requests", "forget them", handlers.clearRequests),
  route(
    "PUT",
    "repositories/{integration id}",
    '{"repositories": [{"owner": …, "name": …, "url": …}]}',
    handlers.tellRepositories,
  ),
  route("POST", "listeners", '{"compute_id": "…", "namespaces": ["…"]}', handlers.makeListener),
  route("GET", "tracing-projects", "their names", handlers.listTracingProjects),
  route("POST", "tracing-projects", '{"name": "…"}', handlers.addTracingProject),
  route("DELETE", "tracing-projects/{name}", "remove one", handlers.removeTracingProject),
  route("POST", "seed", "add deployments, repositories and the like, as --seed does", handlers.addSeed),
  route("POST", "reset", "forget everything but the settings", handlers.resetAll),
];

/** For the help text, in columns. */
export function controlRouteLines(): string[] {
  const heads = controlRoutes.map(({ method, path }) => `${method.padEnd(6)} ${path}`);
  const width = Math.max(...heads.map(({ length }) => length));
  return controlRoutes.map(({ does }, index) => `${heads[index]!.padEnd(width)}  ${does}`);
}

export function handleControl(controls: Controls, access: Access, inbound: Inbound): HttpResponse {
  return respond(() => {
    authenticate(controls.plane, { ...access, tenantId: undefined, enabled: true }, inbound.headers);
    parseQuery({}, inbound.query);
    for (const { method, path, handler } of controlRoutes) {
      const params = method === inbound.method ? matchPath(path, inbound.path) : undefined;
      if (params !== undefined) return handler(controls, inbound, decode(Object.values(params)[0] ?? ""));
    }
    const known = controlRoutes.map(({ method, path }) => `${method} ${path}`);
    throw new Refusal(404, `No such control route. There are: ${known.join(", ")}`);
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
