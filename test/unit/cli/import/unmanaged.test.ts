import { describe, expect, it } from "vitest";
import { secretsOfOthers } from "../../../../provider/deployment/shown";
import type { State } from "../../../../provider/deployment/state";
import { update } from "../../../../provider/deployment/update";
import type { Values } from "../../../../schema/tree";
import { declare, setUp, stateAfter } from "../../../support/service";
import { observed } from "./support";

const before = declare({ secrets: undefined });
const own = stateAfter(before);
const shown = { ...own.private.shown, secrets: { A: "a", B: "b" } };
const state = { ...own, private: { ...own.private, shown } };

async function send(secrets: { name: string; value: string | null }[], change: Values, from: State = state) {
  const shown = observed({ secrets });
  const { context, service } = setUp({ read: [shown], update: [shown] });
  const next = declare({ secrets: undefined, ...change, skipAwait: true }, before);
  await update(context, "id-1", from, next);
  const [, , patch] = service.calls.find(([method]) => method === "update")!;
  return { patch, methods: service.methods };
}

describe("secrets that an import left alone", () => {
  it("stay unmanaged until they are declared", () => {
    expect(secretsOfOthers(state, {})).toEqual(["A", "B"]);
    expect(secretsOfOthers(state, { secrets: { A: "1" } })).toEqual(["B"]);
    expect(secretsOfOthers(own, {})).toEqual([]);
  });

  it("are sent along with those that are declared", async () => {
    const secrets = [
      { name: "A", value: "old" },
      { name: "B", value: "kept" },
    ];
    const { patch } = await send(secrets, { secrets: { A: "new" } });
    expect(patch).toEqual({ secrets: { A: "new", B: "kept" } });
  });

  it("are not restored if someone removed them meanwhile", async () => {
    expect((await send([], { secrets: { A: "1" } })).patch).toEqual({ secrets: { A: "1" } });
  });

  it.each([null, "***", "REDACTED", "<sensitive>", "sk-...wxyz"])(
    "stop the update, by name, if the service shows %j for a value",
    async (value) => {
      await expect(send([{ name: "B", value }], { secrets: { A: "1" } })).rejects.toThrow(
        "hides the values of B, which the program does not declare",
      );
    },
  );
});
