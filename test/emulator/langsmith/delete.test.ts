import { describe, expect, it } from "vitest";
import { langsmithWith } from "../../../emulator";
import { bodies, call, created, deployed, post, refusal, start } from "./support";

const nobody = "99999999-9999-4999-8999-999999999999";
const leftBehind = refusal(
  "Deployments create a tracing project in LangSmith with the same name as the deployment. There already exists a " +
    "project in LangSmith named: chat.",
  409,
);

describe("DELETE (7.9, 7.10)", () => {
  it("answers at once, and the deployment goes later, in two steps", async () => {
    const { id, remove, get } = await deployed(await start());
    expect((await remove()).status).toBe(204);
    expect((await get()).body).toMatchObject({ status: "AWAITING_DELETE" });
    expect((await get()).body).toMatchObject({ status: "AWAITING_FINAL_DELETE" });
    expect(await get()).toMatchObject(refusal(`Deployment ID ${id} not found.`, 404));
    expect(await remove()).toMatchObject(refusal(`Deployment ID ${id} not found.`, 404));
  });

  it("takes as long as the script says", async () => {
    const { remove, get } = await deployed(await start({ deletion: { polls: 2, finalPolls: 2 } }));
    await remove();
    const statuses: unknown[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await get()).body["status"]);
    const [soon, finally_] = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];
    expect(statuses).toEqual([soon, soon, finally_, finally_, undefined]);
  });

  it("leaves a tracing project behind, which keeps the name", async () => {
    const emulator = await start({ deletion: { polls: 0 } });
    const { remove } = await deployed(emulator);
    await remove();
    expect(emulator.tracingProjects()).toEqual(["chat"]);
    expect(await post(emulator, bodies.external_docker)).toMatchObject(leftBehind);
    emulator.removeTracingProject("chat");
    await created(emulator);
  });

  it("takes the tracing project along when asked to", async () => {
    const emulator = await start({ deletion: { polls: 0 } });
    const { remove } = await deployed(emulator);
    await remove("?delete_tracing_project=true");
    expect(emulator.tracingProjects()).toEqual([]);
    await created(emulator);
  });

  it("keeps the name until the deployment is gone", async () => {
    const emulator = await start({ deletion: "never" });
    const { remove, patch } = await deployed(emulator);
    await remove("?delete_tracing_project=true");
    const reply = await post(emulator, bodies.external_docker);
    expect(reply.status).toBe(409);
    expect(reply.body["detail"]).toContain("is being deleted");
    expect((await patch({ secrets: [] })).status).toBe(409);
  });

  it("is refused the second time, or accepted, as the rules say", async () => {
    for (const deletedTwice of ["refused", "accepted"] as const) {
      const emulator = await start({ rules: langsmithWith({ deletedTwice }), deletion: "never" });
      const { remove } = await deployed(emulator);
      await remove();
      expect((await remove()).status).toBe(deletedTwice === "refused" ? 409 : 204);
    }
  });

  it("by force is for what is being deleted already", async () => {
    const { remove, get } = await deployed(await start({ deletion: "never" }));
    expect((await remove("?force=true")).status).toBe(400);
    await remove();
    expect((await remove("?force=true")).status).toBe(204);
    expect((await get()).status).toBe(404);
  });

  it("works by the path of the first generation as well", async () => {
    const emulator = await start();
    const { id, get } = await deployed(emulator);
    expect((await call(emulator, "DELETE", `/v1/projects/${id}?force=false`)).status).toBe(204);
    expect((await get()).body).toMatchObject({ status: "AWAITING_DELETE" });
  });
});

describe("a taken name (10.5)", () => {
  it("is one of a tracing project, with a deployment or without", async () => {
    const emulator = await start();
    emulator.addTracingProject("chat");
    expect(await post(emulator, bodies.external_docker)).toMatchObject(leftBehind);
    emulator.removeTracingProject("chat");
    await created(emulator);
    expect(await post(emulator, bodies.external_docker)).toMatchObject(leftBehind);
  });

  it("can be freed by whoever runs the emulator by itself", async () => {
    const emulator = await start();
    emulator.addTracingProject("chat");
    const path = "/_emulator/tracing-projects";
    expect((await call(emulator, "GET", path)).body).toEqual(["chat"]);
    expect((await call(emulator, "DELETE", `${path}/chat`)).status).toBe(204);
    expect((await call(emulator, "DELETE", `${path}/chat`)).status).toBe(404);
    expect(emulator.tracingProjects()).toEqual([]);
  });
});

describe("DELETE of several (1.1)", () => {
  const path = "/v2/deployments";

  it("says whether all of them were there", async () => {
    const emulator = await start();
    const ids: string[] = [];
    for (const name of ["a", "b"]) ids.push((await deployed(emulator, { ...bodies.github, name })).id);
    const remove = (...given: string[]) =>
      call(emulator, "DELETE", `${path}?${given.map((id) => `deployment_ids=${id}`).join("&")}`);
    expect((await remove(ids[0]!, nobody)).status).toBe(207);
    expect((await remove(ids[1]!)).status).toBe(200);
    expect((await remove(nobody)).status).toBe(404);
    expect(emulator.deployments().map(({ status }) => status)).toEqual([
      "AWAITING_DELETE",
      "AWAITING_DELETE",
    ]);
  });

  it("needs ids, and not more than a hundred", async () => {
    const emulator = await start();
    expect(await call(emulator, "DELETE", path)).toMatchObject({
      status: 422,
      body: { detail: [{ type: "missing", loc: ["query", "deployment_ids"] }] },
    });
    const many = Array.from({ length: 101 }, () => `deployment_ids=${nobody}`).join("&");
    expect((await call(emulator, "DELETE", `${path}?${many}`)).status).toBe(422);
    expect((await call(emulator, "DELETE", `${path}?deployment_ids=chat`)).status).toBe(422);
  });
});
