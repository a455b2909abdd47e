import { Refusal } from "../refusal";
import type { Answer } from "../routes/handler";
import { parseQuery } from "../routes/query";
import { answering, authenticate, matchPath, type Access, type Inbound } from "../service";
import * as answers from "./answers";
import type { ControlHandler, Controls } from "./answers";

interface Route {
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly answer: ControlHandler;
}

const route = (method: string, path: string, does: string, answer: ControlHandler): Route => ({
  method,
  path: `/_emulator/${path}`,
  does,
  answer,
});

const deployment = "deployments/{name or id}";

/** Everything that a test can do to the emulator, over HTTP: what happens behind a program's back. */
export const controlRoutes: readonly Route[] = [
  route("GET", "deployments", "what the service remembers, revisions included", answers.listRecords),
  route(
    "POST",
    "deployments",
    "create one, ready at once; the body as for the service",
    answers.createRecord,
  ),
  route("PATCH", deployment, "change one; new_revision: true makes a revision too", answers.changeRecord),
  route("DELETE", deployment, "remove one at once", answers.removeRecord),
  route("POST", `${deployment}/hold`, "its running rollout goes no further", answers.hold),
  route(
    "POST",
    `${deployment}/finish`,
    'end its rollout; {"fails": "BUILD_FAILED", "buildLog": ["…"]}',
    answers.finish,
  ),
  route("GET", "settings", "how rollouts, deletions and answers go", answers.showSettings),
  route(
    "PATCH",
    "settings",
    '{"rollout": "never"}, {"rollout": {"polls": 1, "fails": true}}, …',
    answers.changeSettings,
  ),
  route("GET", "faults", "what is planned to fail, and how often it did", answers.listFaults),
  route(
    "POST",
    "faults",
    '{"when": {"method": "POST"}, "times": 2, "how": {"status": 503}}',
    answers.planFault,
  ),
  route("DELETE", "faults", "nothing fails any more", answers.cancelFaults),
  route("GET", "requests", "all that the service was asked", answers.listRequests),
  route("DELETE", "requests", "forget them", answers.clearRequests),
  route(
    "PUT",
    "repositories/{integration id}",
    '{"repositories": [{"owner": …, "name": …, "url": …}]}',
    answers.setRepositories,
  ),
  route("POST", "listeners", '{"compute_id": "…", "namespaces": ["…"]}', answers.makeListener),
  route("GET", "tracing-projects", "their names", answers.listTracingProjects),
  route("POST", "tracing-projects", '{"name": "…"}', answers.addTracingProject),
  route("DELETE", "tracing-projects/{name}", "remove one", answers.removeTracingProject),
  route("POST", "seed", "add deployments, repositories and the like, as --seed does", answers.addSeed),
  route("POST", "reset", "forget everything but the settings", answers.resetAll),
];

/** For the help text, in columns. */
export function controlRouteLines(): string[] {
  const heads = controlRoutes.map(({ method, path }) => `${method.padEnd(6)} ${path}`);
  const width = Math.max(...heads.map(({ length }) => length));
  return controlRoutes.map(({ does }, index) => `${heads[index]!.padEnd(width)}  ${does}`);
}

export function answerControl(controls: Controls, access: Access, inbound: Inbound): Answer {
  return answering(() => {
    authenticate(controls.plane, { ...access, tenantId: undefined, enabled: true }, inbound.headers);
    parseQuery({}, inbound.query);
    for (const { method, path, answer } of controlRoutes) {
      const params = method === inbound.method ? matchPath(path, inbound.path) : undefined;
      if (params !== undefined) return answer(controls, inbound, decode(Object.values(params)[0] ?? ""));
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
