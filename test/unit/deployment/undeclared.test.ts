import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bulkFile } from "../../../provider/import/bulk-file";
import { planImport } from "../../../provider/import/plan";
import type { State } from "../../../provider/deployment/state";
import { isObject, withValueAt, type Values } from "../../../provider/values";
import { standard as dialect } from "../../../provider/dialects/standard";
import { standard, type JsonObject, type Rules } from "../../../emulator";
import { startOne, type OneDeployment } from "../../support/one-deployment";

/** A service that has learnt more: a class of its own, and what a container does before it stops. */
function newer(rules: Rules): Rules {
  const learn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(learn);
    if (!isObject(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, learn(member)]));
    const more = {
      ...("min_scale" in all && "sidecars" in all && { priority_class: { kind: "string" } }),
      ...("imagePullPolicy" in all && { lifecycle: { kind: "free" } }),
    };
    return { ...all, ...more };
  };
  return { ...rules, requests: learn(rules.requests) as Rules["requests"] };
}

let one: OneDeployment;
beforeAll(async () => {
  one = await startOne({ rules: newer(standard) });
});
afterAll(() => one.emulator.close());
beforeEach(() => {
  one.emulator.reset();
  Object.assign(one, { kept: undefined, said: [], warnings: [] });
});

const lifecycle = { preStop: { exec: {} } };
const sidecars = [{ name: "log", image: "log:1", lifecycle }];
const found = {
  cpu: 1.5,
  memory_mb: 512,
  priority_class: "high",
  labels: { team: "a", tier: null },
  sidecars,
};
const exists = (resource_spec: JsonObject, more: JsonObject = {}) =>
  one.emulator.create({
    name: "chat",
    source: "external_container",
    source_config: { resource_spec },
    source_revision_config: { image_uri: "registry.example.com/chat:1" },
    secrets: [],
    ...more,
  });

/** As `deployment-service import` and `pulumi import --file` leave it. */
async function imported(): Promise<Values> {
  const plan = planImport(await one.list(), dialect);
  const { id, outputs } = bulkFile(plan.imported, dialect).resources[0]!;
  const { args } = plan.imported[0]!;
  one.kept = { id, inputs: { ...args, generation: 1 }, outputs: outputs as unknown as State };
  return args;
}

const sized = (args: Values, path: string, value: unknown) =>
  withValueAt(args, ["sourceConfig", "resourceSpec", path], value);
const without = (args: Values, name: string) => {
  const { resourceSpec, ...config } = args["sourceConfig"] as { resourceSpec: Values };
  const { [name]: _, ...rest } = resourceSpec;
  return { ...args, sourceConfig: { ...config, resourceSpec: rest } };
};
const sent = (resource_spec: Values) => [{ method: "PATCH", body: { source_config: { resource_spec } } }];

describe("a part of an imported deployment that the program does not declare", () => {
  it("is sent along with a change beside it, time and again", async () => {
    exists(found);
    const args = await imported();
    const log = { name: "log", image: "log:1" };
    const declared = { cpu: 1.5, memoryMb: 512, labels: { team: "a" }, sidecars: [log] };
    expect(args["sourceConfig"]).toEqual({ resourceSpec: declared });
    expect(one.preview(args).kind).toBe("nothing");
    expect(await one.up(sized(args, "cpu", 2))).toEqual(sent({ ...found, cpu: 2 }));
    expect(await one.refresh()).toBe(false);
    expect(await one.up(sized(args, "cpu", 3))).toEqual(sent({ ...found, cpu: 3 }));
    const relabelled = sized(sized(args, "labels", { team: "b" }), "sidecars", [{ ...log, image: "log:2" }]);
    expect(await one.up(relabelled)).toEqual(
      sent({ ...found, labels: { team: "b", tier: null }, sidecars: [{ ...sidecars[0], image: "log:2" }] }),
    );
    expect(await one.refresh()).toBe(false);
    expect(one.preview(relabelled).kind).toBe("nothing");
  });

  it("does not keep what the program has taken out", async () => {
    exists(found);
    const args = await imported();
    const { memory_mb: _, ...rest } = found;
    expect(await one.up(without(args, "memoryMb"))).toEqual(sent(rest));
    expect(await one.up({ ...args, sourceConfig: {} })).toEqual(
      sent({ priority_class: "high", labels: { tier: null } }),
    );
  });

  it("stays with its container, also where containers have no names", async () => {
    exists({ cpu: 1.5, sidecars: [{ image: "log:1", lifecycle }] });
    const args = await imported();
    const next = sized(args, "sidecars", [{ image: "log:2" }]);
    expect(one.preview(next).warnings).toEqual([]);
    expect(await one.up(next)).toEqual(sent({ cpu: 1.5, sidecars: [{ image: "log:2", lifecycle }] }));
  });

  it("goes with a container that the program gives up, and the preview says so", async () => {
    exists(found);
    const args = await imported();
    const told = "sourceConfig.resourceSpec.sidecars[0].lifecycle is on the service and not declared";
    for (const next of [sized(args, "sidecars", [{ name: "other" }]), without(args, "sidecars")]) {
      expect(one.preview(next).warnings).toEqual([expect.stringContaining(told)]);
    }
    const { sidecars: _, ...rest } = found;
    expect(await one.up(without(args, "sidecars"))).toEqual(sent(rest));
  });

  it("costs no request where a change does not touch what is around it", async () => {
    exists(found);
    const args = await imported();
    const revised = { ...args, sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };
    expect((await one.up(revised)).map(({ method }) => method)).toEqual(["PATCH"]);
    one.emulator.clearRequests();
    await one.up(withValueAt(revised, ["sourceConfig", "buildOnPush"], true));
    expect(one.reads).toBe(0);
  });

  it("is none where all is declared, or only the service's defaults are beside it", async () => {
    exists({ cpu: 1.5 });
    const args = await imported();
    expect(one.kept?.outputs.__private.undeclared).toBeUndefined();
    expect(await one.up(sized(args, "cpu", 2))).toEqual(sent({ cpu: 2 }));
    expect(one.reads).toBe(0);
  });
});

describe("a part of an adopted deployment that the program does not declare", () => {
  const adopting = (more: Values = {}): Values => ({
    name: "chat",
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 2 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    adopt: true,
    ...more,
  });

  it("is kept, told, and sent along from then on", async () => {
    exists(found);
    expect(await one.up(adopting())).toEqual(sent({ ...found, cpu: 2 }));
    expect(one.said).toContainEqual(
      expect.stringContaining(
        "; keeps sourceConfig.resourceSpec.priority_class, sourceConfig.resourceSpec.memoryMb, " +
          "sourceConfig.resourceSpec.labels, sourceConfig.resourceSpec.sidecars, which are not declared",
      ),
    );
    expect(await one.refresh()).toBe(false);
    expect(await one.up(sized(adopting(), "cpu", 3))).toEqual(sent({ ...found, cpu: 3 }));
  });

  it("may be a list: the preview says when one that is declared takes its place", async () => {
    exists(found);
    await one.up(adopting());
    const next = sized(adopting(), "sidecars", [{ name: "other" }]);
    expect(one.preview(next).warnings).toEqual([
      "chat: sourceConfig.resourceSpec.sidecars is on the service and not declared: what the program leaves out there " +
        "will be lost",
    ]);
    expect(await one.up(next)).toEqual(sent({ ...found, cpu: 2, sidecars: [{ name: "other" }] }));
    expect(one.preview(next)).toMatchObject({ kind: "nothing", warnings: [] });
  });

  it("may be a reference to a secret of the cluster", async () => {
    const own = { name: "B", secret_name: "b", secret_key: "k" };
    exists({ cpu: 2 }, { secret_references: [own] });
    const secretReferences = { A: { secretName: "a", secretKey: "k" } };
    const [patch] = await one.up(adopting({ secretReferences }));
    const a = { name: "A", secret_name: "a", secret_key: "k" };
    expect(patch?.body).toEqual({ secret_references: [a, own] });
    const next = { A: { secretName: "a2", secretKey: "k" } };
    const [second] = await one.up(adopting({ secretReferences: next }));
    expect(second?.body).toEqual({ secret_references: [{ ...a, secret_name: "a2" }, own] });
  });
});
