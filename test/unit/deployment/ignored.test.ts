/** The resource option `ignoreChanges`: what others may change is never sent as it once was. */
import { describe, expect, it } from "vitest";
import { update } from "../../../provider/deployment/update";
import { isCovered } from "../../../provider/deployment/plan";
import type { Values } from "../../../schema/tree";
import { declare, served, setUp, stateAfter } from "../../support/service";

const first = {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 1, maxScale: 3, labels: { "a.b": "c" } } },
  sourceRevisionConfig: { imageUri: "chat:1" },
  secrets: { A: "a-1", B: "b-1" },
};
/** What others have made of it. */
const others = {
  sourceConfig: { resourceSpec: { cpu: 1, maxScale: 9, labels: { "a.b": "d" } } },
  sourceRevisionConfig: { imageUri: "chat:2" },
  secrets: { A: "a-2", B: "b-2" },
};

async function sent(change: Values, ignoreChanges: string[], seen: Values = others) {
  const before = declare(first);
  const found = served(before, seen);
  const { context, service, said } = setUp({ read: [found], update: [found] }, { ignoreChanges });
  await update(context, "d1", stateAfter(before), declare({ ...first, ...change, skipAwait: true }, before));
  const [, , patch] = service.calls.find(([method]) => method === "update")!;
  const warnings = said.filter((line) => line.includes("`ignoreChanges`"));
  return { patch, reads: service.count("read"), ...(warnings.length > 0 && { warnings }) };
}

describe("a PATCH of a program that leaves something to others", () => {
  const spec = { cpu: 2, maxScale: 3, labels: { "a.b": "c" } };

  it.each([
    [
      "the image",
      { triggers: [1] },
      ["sourceRevisionConfig.imageUri"],
      { sourceRevisionConfig: { imageUri: "chat:2" } },
    ],
    [
      "all of the revision",
      { triggers: [1] },
      ["sourceRevisionConfig"],
      { sourceRevisionConfig: { imageUri: "chat:2" } },
    ],
    [
      "one number of the size",
      { sourceConfig: { resourceSpec: spec } },
      ["sourceConfig.resourceSpec.maxScale"],
      { sourceConfig: { resourceSpec: { ...spec, maxScale: 9 } } },
    ],
    [
      "a label",
      { sourceConfig: { resourceSpec: spec } },
      ['sourceConfig.resourceSpec.labels["a.b"]'],
      { sourceConfig: { resourceSpec: { ...spec, labels: { "a.b": "d" } } } },
    ],
    ["a secret", { secrets: { A: "a-1", B: "new" } }, ["secrets.A"], { secrets: { A: "a-2", B: "new" } }],
  ])("carries %s as the service has it (G16)", async (_, change, ignoreChanges, patch) => {
    expect(await sent(change, ignoreChanges)).toEqual({ patch, reads: 1 });
  });

  it("carries no secret that others have removed, and the last known value of one that is not shown, with a warning", async () => {
    const change = { secrets: { A: "a-1", B: "new" } };
    const removed = await sent(change, ["secrets.A"], { ...others, secrets: { B: "b-1" } });
    expect(JSON.parse(JSON.stringify(removed.patch))).toEqual({ secrets: { B: "new" } });
    const hidden = await sent(change, ["secrets.A"], { ...others, secrets: { A: null, B: null } });
    expect(hidden.patch).toEqual({ secrets: { A: "a-1", B: "new" } });
    expect(hidden.warnings).toEqual([
      "warning: chat: `ignoreChanges` leaves the secret A to others, but the service does not show its value: the last known " +
        "value is sent",
    ]);
  });
});

it.each([
  [["secrets", "AB"], "secrets.A", false],
  [["secrets", "A"], "secrets.A", true],
  [["secrets", "A.B"], "secrets", true],
  [["triggers"], "*", true],
])("%j lies within %s: %s", (path, option, isWithin) => {
  expect(isCovered(path, [option])).toBe(isWithin);
});
