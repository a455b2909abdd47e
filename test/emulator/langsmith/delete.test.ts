import { describe, expect, it } from "vitest";
import { bodies, call, created, deployed, post, refusal, start } from "./support";

const nameIsTaken = refusal(
  "Deployments create a tracing project in LangSmith with the same name as the deployment. There already exists a " +
    "project in LangSmith named: chat.",
  409,
);

describe("DELETE (7.9, 7.10)", () => {
  it.each([
    [undefined, 1, 1],
    [{ polls: 2, finalPolls: 2 }, 2, 2],
  ])("with the script %j takes two steps", async (deletion, polls, finalPolls) => {
    const { id, remove, get } = await deployed(await start({ deletion }));
    expect((await remove()).status).toBe(204);
    const expectPolls = async (count: number, status: string) => {
      for (let poll = 0; poll < count; poll += 1) expect((await get()).body).toMatchObject({ status });
    };
    await expectPolls(polls, "AWAITING_DELETE");
    await expectPolls(finalPolls, "AWAITING_FINAL_DELETE");
    expect(await get()).toMatchObject(refusal(`Deployment ID ${id} not found.`, 404));
    expect(await remove()).toMatchObject(refusal(`Deployment ID ${id} not found.`, 404));
  });

  it("keeps the name until the deployment is gone", async () => {
    const emulator = await start({ deletion: "never" });
    const { remove, patch } = await deployed(emulator);
    await remove("?delete_tracing_project=true");
    const { status, body } = await post(emulator, bodies.external_docker);
    expect(status).toBe(409);
    expect(body["detail"]).toContain("is being deleted");
    expect((await patch({ secrets: [] })).status).toBe(409);
  });
});

it("a tracing project without a deployment takes the name, until it is removed; a deployment is named otherwise", async () => {
  const emulator = await start();
  emulator.tracingProjects.add("chat");
  expect(await post(emulator, bodies.external_docker)).toMatchObject(nameIsTaken);
  const path = "/_emulator/tracing-projects";
  expect((await call(emulator, "GET", path)).body).toEqual(["chat"]);
  expect((await call(emulator, "DELETE", `${path}/chat`)).status).toBe(204);
  expect((await call(emulator, "DELETE", `${path}/chat`)).status).toBe(404);
  await created(emulator, bodies.external_docker);
  expect(await post(emulator, bodies.external_docker)).toMatchObject(
    refusal("A deployment named 'chat' already exists.", 409),
  );
});
