import { describe, expect, it } from "vitest";
import type { Patch } from "../../../provider/deployment/service";
import { unmanagedAfter, withUnmanaged } from "../../../provider/deployment/unmanaged";
import { observed } from "./support";

const state = { __memory: { version: 1, fixed: {}, unmanagedSecrets: ["A", "B"] } };
const serving = (secrets: { name: string; value: string | null }[]) => {
  const asked: string[] = [];
  const read = (id: string) => {
    asked.push(id);
    return Promise.resolve(observed({ secrets }));
  };
  return { asked, read };
};
const send = (service: ReturnType<typeof serving>, patch: Patch, unmanaged: readonly string[]) =>
  withUnmanaged(service, "id-1", patch, unmanaged);

describe("secrets that an import left alone", () => {
  it("stay unmanaged until they are declared", () => {
    expect(unmanagedAfter(state, {})).toEqual(["A", "B"]);
    expect(unmanagedAfter(state, { secrets: { A: "1" } })).toEqual(["B"]);
    expect(unmanagedAfter({}, {})).toEqual([]);
  });

  it("are sent along with those that are declared", async () => {
    const service = serving([
      { name: "A", value: "old" },
      { name: "B", value: "kept" },
    ]);
    expect(await send(service, { secrets: { A: "new" } }, ["B"])).toEqual({
      secrets: { A: "new", B: "kept" },
    });
  });

  it("cost no request where no secrets are sent, or none is unmanaged", async () => {
    const service = serving([]);
    const patch = { sourceConfig: { buildOnPush: true } };
    expect(await send(service, patch, ["A"])).toBe(patch);
    await send(service, { secrets: { A: "1" } }, []);
    expect(service.asked).toEqual([]);
  });

  it("are not brought back when somebody removed them meanwhile", async () => {
    expect(await send(serving([]), { secrets: { A: "1" } }, ["B"])).toEqual({ secrets: { A: "1" } });
  });

  it.each([null, "***"])(
    "stop the update, by name, where the service shows %j for a value",
    async (value) => {
      const service = serving([{ name: "B", value }]);
      await expect(send(service, { secrets: { A: "1" } }, ["B"])).rejects.toThrow(
        "does not show the values of B, which it has and the program does not declare",
      );
    },
  );
});
