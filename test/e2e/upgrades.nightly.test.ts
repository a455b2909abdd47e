/** What users see after an upgrade: stacks in `fixtures/upgrades` were written by earlier versions, which `test/tools/upgrades` recorded. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PreviewJson } from "../engine";
import { record } from "../tools/upgrades/record";
import { programs } from "../tools/upgrades/program";
import {
  adapters,
  earlierStacks,
  movedTo,
  readRecorded,
  serviceSettings,
  type EarlierStack,
  type RecordedFiles,
} from "../support/earlier-versions";
import { useProduct, type Product } from "./support";

const thisCheckout = "this checkout";

/** The stacks of released versions, and one that this checkout writes. */
const stacks: readonly EarlierStack[] = [
  ...earlierStacks(),
  ...adapters.map((adapter) => ({ version: thisCheckout, adapter })),
];

/** Values that the program passes as secrets. */
const secretValues = /sesame-opens|hidden-from-all/i;
describe.each(stacks)("a stack written by version $version of the $adapter provider", (earlier) => {
  const { product, program, finishWhenPolled } = useEarlier(earlier);

  it.each([
    { mode: "without a refresh", flags: [], asked: [] },
    { mode: "with --refresh", flags: ["--refresh"], asked: ["GET /v2/deployments 200"] },
  ])("shows no change in a preview $mode, apart from the wait that it resumes", async ({ flags, asked }) => {
    const { json, requests } = await product.preview({ json: true, args: flags });
    expect(changesIn(json)).toEqual({ late: ["update"] });
    expect(requests).toEqual(asked);
  });

  it("writes nothing to the service in an up, which waits for the unfinished rollout", async () => {
    finishWhenPolled("late");
    const { screen, writes } = await product.up();
    expect(screen).toContain("late: resumes waiting for its last rollout, no new revision");
    expect(screen).not.toContain("[diff:");
    expect(screen).toMatch(/~ 1 updated\n +5 unchanged$/);
    expect(writes).toEqual([]);
    const { id, revisions } = product.emulator.deployment("late")!;
    expect(revisions).toHaveLength(1);
    const outputs = { activeRevisionId: revisions[0]!.id, generation: 1 };
    expect(product.stack.resource("late")).toMatchObject({ id, outputs });
  });

  it("shows no changed property in a refresh, and no change from then on", async () => {
    const { screen, writes } = await product.refresh({ diff: true });
    expect(changedLinesIn(screen)).toEqual([]);
    expect(writes).toEqual([]);
    await product.preview({ args: ["--refresh", "--expect-no-changes", "--diff"] });
  });

  it("sends a later change alone, along with the parts that nobody declared", async () => {
    const changed = program.replace("{ cpu: 2,", "{ cpu: 3,").replace("sesame-opens-41", "sesame-opens-51");
    product.stack.write({ "index.js": changed });
    const { writes } = await product.up();
    const resource_spec = {
      cpu: 3,
      sidecars: [{ name: "log" }],
      annotations: { "example.com/by": "hand" },
      labels: { "mesh.example.com/injected": "true" },
    };
    const secrets = [
      { name: "DB_PASSWORD", value: "sesame-opens-42" },
      { name: "MODEL_API_KEY", value: "sesame-opens-51" },
    ];
    expect(writes).toHaveLength(2);
    expect(writes).toContainEqual({ method: "PATCH", body: { source_config: { resource_spec } } });
    expect(writes).toContainEqual({ method: "PATCH", body: { secrets } });
  });

  it("holds no secret in plain text in a state that this version wrote", () =>
    expectNoSecretInClear(product));

  it("is deleted completely by a destroy", () => expectDestroyed(product));
});

/** A stack with the program and the state of an earlier version, and the service as that version left it. */
function useEarlier(stack: EarlierStack) {
  const isRecorded = stack.version !== thisCheckout;
  let files: RecordedFiles;
  const program = isRecorded ? readRecorded(stack) : programs[stack.adapter];
  const state = join(tmpdir(), `service-${randomUUID()}.json`);
  beforeAll(async () => {
    files = isRecorded ? readRecorded(stack) : await record(resolve(__dirname, "../.."), stack.adapter);
    writeFileSync(state, files["service.json"]);
  });
  afterAll(() => rmSync(state));
  let unfinished: string | undefined;
  const product = useProduct({
    program: { "Pulumi.yaml": program["Pulumi.yaml"], "index.js": program["index.js"] },
    emulator: {
      ...serviceSettings,
      state,
      onRequest: () => {
        if (unfinished !== undefined) product.emulator.finish(unfinished);
        unfinished = undefined;
      },
    },
  });
  beforeAll(async () => {
    product.stack.write({ "state.json": movedTo(product.emulator, files["state.json"]) });
    await product.run(["stack", "import", "--file", "state.json"]);
  });
  return {
    product,
    program: program["index.js"],
    /** The first response still shows the rollout unfinished. */
    finishWhenPolled: (name: string) => {
      unfinished = name;
    },
  };
}

function expectNoSecretInClear({ stack }: Product): void {
  expect(stack.stateText()).not.toMatch(secretValues);
}

async function expectDestroyed(product: Product): Promise<void> {
  expect(product.emulator.deployments()).toHaveLength(5);
  const { writes } = await product.destroy();
  expect(writes).toEqual(Array.from({ length: 5 }, () => ({ method: "DELETE" })));
  expect(product.emulator.deployments()).toEqual([]);
}

/** The operation that a preview shows for each resource that changes, and the properties that it names as the reason. */
function changesIn(json: PreviewJson | undefined): Record<string, string[]> {
  const steps = json!.steps.filter(({ op }) => op !== "same" && op !== "refresh");
  return Object.fromEntries(
    steps.map(({ op, urn, diffReasons = [], replaceReasons = [], detailedDiff }) => [
      urn.split("::").at(-1)!,
      [op, ...new Set([...diffReasons, ...replaceReasons, ...Object.keys(detailedDiff ?? {})])],
    ]),
  );
}

/** The lines of properties that differ, in the output with `--diff`. */
function changedLinesIn(screen: string): string[] {
  return screen.split("\n").filter((line) => /^ *[-+~] +\S+ *: /.test(line) && !line.endsWith(" (update)"));
}
