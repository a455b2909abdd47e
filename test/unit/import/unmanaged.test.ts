import { describe, expect, it } from "vitest";
import { withUndeclared, unmanagedAfter } from "../../../provider/deployment/undeclared";
import type { Patch } from "../../../provider/deployment/service";
import type { Stored } from "../../../provider/deployment/state";
import { setUp } from "../../support/service";
import { observed } from "./support";

const state = {
  __private: { version: 1 as const, immutable: {}, takenOver: true, unmanagedSecrets: ["A", "B"] },
};

async function send(secrets: { name: string; value: string | null }[], patch: Patch, from: Stored = state) {
  const { context, service } = setUp({ read: [observed({ secrets })] });
  const sent = await withUndeclared(context, "id-1", patch, from, { secrets: patch.secrets ?? {} });
  return { patch: sent, methods: service.methods };
}

describe("secrets that an import left alone", () => {
  it("stay unmanaged until they are declared", () => {
    expect(unmanagedAfter(state, {})).toEqual(["A", "B"]);
    expect(unmanagedAfter(state, { secrets: { A: "1" } })).toEqual(["B"]);
    expect(unmanagedAfter({}, {})).toEqual([]);
  });

  it("are sent along with those that are declared", async () => {
    const secrets = [
      { name: "A", value: "old" },
      { name: "B", value: "kept" },
    ];
    const { patch } = await send(secrets, { secrets: { A: "new" } });
    expect(patch).toEqual({ secrets: { A: "new", B: "kept" } });
  });

  it("are not brought back when somebody removed them meanwhile", async () => {
    expect((await send([], { secrets: { A: "1" } })).patch).toEqual({ secrets: { A: "1" } });
  });

  it.each([null, "***", "REDACTED", "<sensitive>", "sk-...wxyz"])(
    "stop the update, by name, where the service shows %j for a value",
    async (value) => {
      await expect(send([{ name: "B", value }], { secrets: { A: "1" } })).rejects.toThrow(
        "does not show the values of B, which it has and the program does not declare",
      );
    },
  );
});
