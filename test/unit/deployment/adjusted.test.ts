import { describe, expect, it } from "vitest";
import { create, read, update } from "../../../provider/deployment/lifecycle";
import { memoryOf } from "../../../provider/deployment/state";
import type { Values } from "../../../provider/deployment/values";
import { declare, served, setUp } from "../support/service";

const spec = (resourceSpec: Values) => ({ sourceConfig: { resourceSpec } });
const declared = declare(spec({ cpu: 0.55, maxScale: 20, memoryMb: 512 }));
/** The service rounds the one and limits the other. */
const taken = { sourceConfig: { resourceSpec: { cpu: 0.6, maxScale: 10, memoryMb: 512 } } };
const specIn = (state: Values | undefined) => (state?.["sourceConfig"] as Values)["resourceSpec"];

async function created() {
  const { context, said } = setUp({ create: [served(declared, taken)] });
  const { state } = await create(context, declared);
  return { state, said };
}

async function readAs(answer: Values, state: Values) {
  const { context, said } = setUp({ read: [served(declared, answer)] });
  return { state: await read(context, "d1", state), said };
}

describe("a number that the service makes another one of", () => {
  it("is told when it is sent", async () => {
    expect((await created()).said.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: chat: the service took sourceConfig.resourceSpec.maxScale as 10, not as 20",
      "warning: chat: the service took sourceConfig.resourceSpec.cpu as 0.6, not as 0.55",
    ]);
  });

  it("is no drift, however often the deployment is read", async () => {
    const { state: first } = await created();
    const { state: second } = await readAs(taken, first);
    const { state: third, said } = await readAs(taken, second!);
    expect(specIn(third)).toEqual(specIn(declared));
    expect(said).toEqual([]);
  });

  it("is drift when somebody changes it later", async () => {
    const { state } = await created();
    const { state: after } = await readAs(spec({ cpu: 2, maxScale: 10, memoryMb: 512 }), state);
    expect(specIn(after)).toEqual({ cpu: 2, maxScale: 20, memoryMb: 512 });
  });

  it("is not told again by a later change of something else", async () => {
    const { state } = await created();
    const next = declare({ ...spec({ cpu: 0.55, maxScale: 20, memoryMb: 1024 }) });
    const answer = served(next, spec({ cpu: 0.6, maxScale: 10, memoryMb: 1024 }));
    const { context, said } = setUp({ update: [answer] });
    const after = await update(context, "d1", state, next);
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([]);
    expect(memoryOf(after).adjusted).toEqual(memoryOf(state).adjusted);
  });

  it("is none when the answer only lags behind the change", async () => {
    const before = declare(spec({ cpu: 1 }));
    const { context: old } = setUp({ create: [served(before)] });
    const { state } = await create(old, before);
    const next = declare(spec({ cpu: 2 }));
    const { context, said } = setUp({ update: [served(before)] });
    const after = await update(context, "d1", state, next);
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([]);
    expect(memoryOf(after).adjusted).toBeUndefined();
  });
});
