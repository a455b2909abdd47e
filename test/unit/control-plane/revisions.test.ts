/** How the latest revision is doing: asked for by itself, and only where the deployment's own response leaves it open. */
import { describe, expect, it } from "vitest";
import { Revisions } from "../../../provider/control-plane/revisions";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import type { Dialect } from "../../../provider/dialects";
import { connect, failureOf } from "../../support/http";
import { observed } from "../../support/observed";
import { respond, serve, type Handler } from "../../support/server";

const id = "6f0e6c1a-0000-4000-8000-000000000001";
const wire = (latest: string | null, active: string | null) => ({
  ...{ id, name: "chat", source: "external_docker", status: "READY" },
  ...{ latest_revision_id: latest, active_revision_id: active },
});

async function clientOf(handler: Handler, dialect: Dialect = langsmith) {
  const server = await serve(handler);
  const { http, client, clock } = connect(`${server.url}/api`, { dialect });
  const asked = () => server.asked.map(({ method, url }) => `${method} ${url.split("?")[0]!.slice(4)}`);
  return { url: server.url, client, revisions: new Revisions(http, dialect, clock), asked };
}

const revision = `GET /v2/deployments/${id}/revisions/r2`;

describe("the status of the latest revision", () => {
  it("is requested, with the reason of a failure, if another revision is active or none (E18)", async () => {
    const { revisions, asked } = await clientOf((response, _, count) => {
      const status_message = ["no such image", null, 7][count - 1];
      respond(response, 200, { id: "r2", status: "DEPLOY_FAILED", status_message });
    });
    for (const [activeRevisionId, reason] of [["r1", "no such image"], [null], ["r1"]]) {
      const before = observed({ id, latestRevisionId: "r2", activeRevisionId: activeRevisionId ?? null });
      const seen = await revisions.complete(before);
      expect(seen).toMatchObject({ ...before, latestRevisionStatus: "DEPLOY_FAILED" });
      expect(seen.latestRevisionReason).toBe(reason);
    }
    expect(asked()).toEqual([revision, revision, revision]);
  });

  it("needs no request if it is active or does not exist", async () => {
    const { revisions, asked } = await clientOf((response) => respond(response, 500));
    const statuses = await Promise.all(
      ["r2", null].map(async (each) => {
        const seen = observed({ latestRevisionId: each, activeRevisionId: each });
        return (await revisions.complete(seen)).latestRevisionStatus;
      }),
    );
    expect(statuses).toEqual(["DEPLOYED", null]);
    expect(asked()).toEqual([]);
  });

  it("is empty if there is no such revision, which does not count as a deleted deployment (E02)", async () => {
    const { revisions } = await clientOf((response) => respond(response, 404, { detail: "not found" }));
    const seen = await revisions.complete(observed({ latestRevisionId: "r2" }));
    expect(seen).toMatchObject({ id: "d1", latestRevisionStatus: null });
  });

  it("that is queued comes with the one that was under way when it was asked for, without a request for that", async () => {
    const statuses: Record<string, string> = { r2: "DEPLOYING", r3: "QUEUED" };
    const { revisions, asked } = await clientOf((response, { url }) => {
      const revision = url.split("?")[0]!.split("/").at(-1)!;
      respond(response, 200, { id: revision, status: statuses[revision] });
    });
    const seen = (latestRevisionId: string, activeRevisionId: string) =>
      revisions.complete(observed({ id, latestRevisionId, activeRevisionId }));
    expect((await seen("r3", "r1")).queuedBehind).toBeUndefined();
    await seen("r2", "r1");
    expect(await seen("r3", "r1")).toMatchObject({ queuedBehind: "r2", latestRevisionStatus: "QUEUED" });
    expect((await seen("r3", "r2")).queuedBehind).toBeUndefined();
    expect(asked()).toHaveLength(4);
  });

  it.each([401, 403, 422])("is an error if the service refuses to show it: %i (E03)", async (status) => {
    const { revisions } = await clientOf((response) => respond(response, status, { detail: "no" }));
    const error = await failureOf(revisions.complete(observed({ latestRevisionId: "r2" })));
    expect(error.status).toBe(status);
  });

  it("is not requested from a service that does not report it", async () => {
    const { revisions, asked } = await clientOf((response) => respond(response, 500), standard);
    const seen = observed({ latestRevisionId: "r2" });
    expect(await revisions.complete(seen)).toBe(seen);
    expect(asked()).toEqual([]);
  });
});

it("the address of a log is below the base address, with ids that lead nowhere else (H13)", async () => {
  const { client, url } = await clientOf((response) => respond(response, 500));
  expect(client.logAddress({ id: "d/1", revisionId: "r 2", type: "build" })).toBe(
    `${url}/api/v2/deployments/d%2F1/revisions/r%202/logs?type=build`,
  );
});

describe("a deployment of the public service", () => {
  const page = (resources: unknown[]) => ({ resources, offset: resources.length });
  /** The list, the deployment by its id, and its revision. */
  const serving =
    (list: unknown[], alone: unknown, status = "DEPLOYED"): Handler =>
    (response, { url }) => {
      if (url.includes("/revisions/")) return respond(response, 200, { id: "r2", status });
      if (url.includes(`/deployments/${id}`)) {
        return respond(response, alone === undefined ? 404 : 200, alone ?? { detail: "not found" });
      }
      respond(response, 200, page(list));
    };

  it("that the list does not hold is asked for by its id before it is taken as deleted", async () => {
    for (const ask of ["read", "poll"] as const) {
      const { client, asked } = await clientOf(serving([], wire("r1", "r1")));
      expect(await client[ask](id)).toMatchObject({ id, latestRevisionStatus: "DEPLOYED" });
      expect(asked()).toEqual(["GET /v2/deployments", `GET /v2/deployments/${id}`]);
    }
  });

  it("is not taken as deleted when a gateway answers in its place (E05)", async () => {
    const { client } = await clientOf((response, { url }) =>
      url.includes(`/deployments/${id}`)
        ? respond(response, 404, "<html>no</html>", { "content-type": "text/html" })
        : respond(response, 200, page([])),
    );
    expect((await failureOf(client.read(id))).kind).toBe("foreign");
  });

  it("with changed settings is answered even if its revision cannot be read", async () => {
    const { client, asked } = await clientOf((response, { method }) =>
      method === "PATCH"
        ? respond(response, 200, wire("r2", "r1"))
        : respond(response, 403, { detail: "no" }),
    );
    const patch = { sourceConfig: { customUrl: "https://a.example.com" } };
    expect(await client.update(id, patch, { makesRevision: false })).toMatchObject({
      id,
      latestRevisionId: "r2",
    });
    expect(asked()).toEqual([`PATCH /v2/deployments/${id}`, revision]);
  });

  it.each([
    [true, langsmith, "delete_tracing_project=true"],
    [false, langsmith, undefined],
    [undefined, langsmith, undefined],
    [true, standard, undefined],
  ])(
    "is deleted with its tracing project only if that is wanted: %s",
    async (deleteTracingProject, dialect, query) => {
      const queries: unknown[] = [];
      const { client } = await clientOf((response, { url }) => {
        queries.push(url.split("?")[1]);
        respond(response, 204);
      }, dialect);
      await client.delete(id, { deleteTracingProject });
      expect(queries).toEqual([query]);
    },
  );
});
