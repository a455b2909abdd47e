/** What users see after an upgrade: stacks in `fixtures/upgrades` were written by earlier versions. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PreviewJson, StateResource } from "../engine";
import {
  earlierStacks,
  movedTo,
  readRecorded,
  serviceSettings,
  type EarlierStack,
} from "../support/earlier-versions";
import { useProduct, type Product } from "./support";

/**
 * Commits before the first release. Their dynamic resources have internal inputs that no longer exist. At 5de3132 there was
 * no packaged provider yet, so it has no stack of one.
 */
const withFormerInputs = ["5de3132 dynamic", "84dd85f dynamic"];

const hasFormerInputs = ({ version, adapter }: EarlierStack) =>
  withFormerInputs.includes(`${version} ${adapter}`);
const stacks = earlierStacks();

/** Values that the program passes as secrets. */
const secretValues = /sesame-opens|hidden-from-all/i;
/** How the private state of an earlier version holds digests of such values. */
const secretDigests = /\["(secrets","\w+|sourceConfig","customUrl)"\],"sent":"/;

describe.each(stacks.filter((stack) => !hasFormerInputs(stack)))(
  "a stack written by version $version of the $adapter provider",
  (earlier) => {
    const { product, program, finishWhenPolled } = useEarlier(earlier);

    it.each([
      { mode: "without a refresh", flags: [], asked: [] },
      { mode: "with --refresh", flags: ["--refresh"], asked: ["GET /v2/deployments 200"] },
    ])(
      "shows no change in a preview $mode, apart from the wait that it resumes",
      async ({ flags, asked }) => {
        const { json, requests } = await product.preview({ json: true, args: flags });
        expect(changesIn(json)).toEqual({ late: ["update"] });
        expect(requests).toEqual(asked);
      },
    );

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

    it("holds no secret in clear, and no digest of one, in a state that this version wrote", () =>
      expectNoSecretInClear(product));

    it("is deleted completely by a destroy", () => expectDestroyed(product));
  },
);

describe.each(stacks.filter(hasFormerInputs))(
  "a stack written by commit $version of the $adapter provider, before the first release",
  (earlier) => {
    const { product } = useEarlier(earlier);

    it("shows only changes of internal inputs", async () => {
      const { json, requests } = await product.preview({ json: true });
      const changed = Object.values(changesIn(json)).flatMap(([, ...properties]) => properties);
      expect(changed.filter((property) => !/^__(context|options|provider)\b/.test(property))).toEqual([]);
      expect(json?.changeSummary).not.toHaveProperty("replace");
      expect(requests).toEqual([]);
    });

    it("writes nothing to the service in an up, and shows no change after it", async () => {
      product.emulator.finish("late");
      expect((await product.up()).writes).toEqual([]);
      const { requests } = await product.preview({ args: ["--expect-no-changes"] });
      expect(requests).toEqual([]);
      expectNoSecretInClear(product);
    });

    it("is deleted completely by a destroy", () => expectDestroyed(product));
  },
);

/** A stack with the program and the state of an earlier version, and the service as that version left it. */
function useEarlier(stack: EarlierStack) {
  const files = readRecorded(stack);
  const state = join(tmpdir(), `service-${randomUUID()}.json`);
  beforeAll(() => writeFileSync(state, files["service.json"]));
  afterAll(() => rmSync(state));
  let unfinished: string | undefined;
  const product = useProduct({
    program: { "Pulumi.yaml": files["Pulumi.yaml"], "index.js": files["index.js"] },
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
    program: files["index.js"],
    /** The first response still shows the rollout unfinished. */
    finishWhenPolled: (name: string) => {
      unfinished = name;
    },
  };
}

function expectNoSecretInClear({ stack }: Product): void {
  expect(stack.stateText()).not.toMatch(secretValues);
  // Neither matches an encrypted private state, which is a ciphertext alone.
  const { checkpoint } = JSON.parse(stack.stateText()) as Checkpoint;
  const { outputs } = checkpoint.latest.resources.find(({ urn }) => urn.endsWith("::secret"))!;
  expect(JSON.stringify(outputs!["__private"])).not.toMatch(secretDigests);
}

interface Checkpoint {
  readonly checkpoint: { readonly latest: { readonly resources: readonly StateResource[] } };
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
