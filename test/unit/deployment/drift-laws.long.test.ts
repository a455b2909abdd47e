/** Laws of drift for random programs, services and histories: each command of the engine is a process of its own. */
import fc, { type Arbitrary } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../../schema/tree";
import {
  langsmith,
  standard,
  type DeploymentRecord,
  type JsonObject,
  type Normalization,
  type ShownSecrets,
} from "../../../emulator";
import { startOne, type OneDeployment } from "../../support/one-deployment";

interface Spec extends Values {
  readonly url?: string;
  readonly image: number;
  readonly secret?: string;
}

type Step = { readonly spec: Spec } | { readonly edit: keyof typeof edits } | "refresh";

const log = { name: "log", image: "log:1" };

const specs: Arbitrary<Spec> = fc.record<Spec, "image">(
  {
    cpu: fc.constantFrom(0.5, 0.55, 0.58, 0.6, 2),
    maxScale: fc.constantFrom(3, 10, 20, 30),
    labels: fc.constantFrom<Record<string, string>>({ team: "a" }, { team: "b", tier: "1" }),
    sidecars: fc.constantFrom(
      [],
      [log],
      [
        { ...log, env: [] },
        { ...log, name: "own" },
      ],
    ),
    volumes: fc.constantFrom([{ name: "v", emptyDir: {} }], [{ name: "w" }]),
    url: fc.constantFrom("https://Chat.example.com/", "https://chat.example.com"),
    image: fc.nat({ max: 2 }),
    secret: fc.constantFrom("sk-first-1111", "sk-second-2222"),
  },
  { requiredKeys: ["image"], noNullPrototype: true },
);

const specOf = ({ source_config }: DeploymentRecord) => (source_config["resource_spec"] ??= {}) as JsonObject;

/** What somebody does behind our back; each is drift where the program declares the field. */
const edits = {
  cpu: (record: DeploymentRecord) => (specOf(record)["cpu"] = 7),
  labels: (record: DeploymentRecord) => (specOf(record)["labels"] = { team: "theirs" }),
  sidecars: (record: DeploymentRecord) => (specOf(record)["sidecars"] = [{ ...log, name: "theirs" }]),
  url: (record: DeploymentRecord) => (record.source_config["custom_url"] = "https://theirs.example.com"),
  image: (record: DeploymentRecord) =>
    (record.source_revision_config["image_uri"] = "registry.example.com/theirs:9"),
} as const;

const edit = fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[]));

const histories = fc.record({
  normalizations: fc.subarray<Normalization>(["rounds", "spells", "injects", "drops"]),
  secrets: fc.constantFrom<ShownSecrets>("clear", "masked", "omitted", "word", "tail", "chance"),
  // A service that lags further is noticed only by a later refresh.
  lag: fc.constantFrom(0, 0, 1),
  steps: fc.array(
    fc.oneof(fc.record({ spec: specs }), fc.record({ edit }), fc.constant("refresh" as const)),
    { maxLength: 5 },
  ),
  last: specs,
  edit,
});

function argsOf({ url, image, secret, ...resourceSpec }: Spec): Values {
  return {
    name: "chat",
    source: "external_container",
    sourceConfig: { resourceSpec, ...(url !== undefined && { customUrl: url }) },
    sourceRevisionConfig: { imageUri: `Registry.example.com/chat:${image}` },
    ...(secret !== undefined && { secrets: { API_KEY: secret } }),
  };
}

describe.each([
  ["standard", standard],
  ["langsmith", langsmith],
])("drift on a service of dialect %s", (dialect, rules) => {
  let one: OneDeployment;
  beforeAll(async () => {
    one = await startOne({ rules }, dialect);
  });
  afterAll(() => one.emulator.close());

  async function take(step: Step): Promise<void> {
    if (step === "refresh") await one.refresh();
    else if ("spec" in step) await one.up(argsOf(step.spec));
    else one.emulator.change("chat", edits[step.edit]);
  }

  /** A text of chance in place of a secret is seen to be one when it is sent for the second time. */
  async function comeToRest(args: Values): Promise<void> {
    await one.up(args);
    for (let round = 0; round < 2; round++) {
      await one.refresh();
      await one.up(args);
    }
  }

  async function expectRest(args: Values): Promise<void> {
    one.warnings.length = 0;
    expect(await one.refresh()).toBe(false);
    expect(one.preview(args)).toMatchObject({ kind: "nothing", warnings: [] });
    expect(await one.up(args)).toEqual([]);
    expect(one.warnings).toEqual([]);
  }

  it("is none after any history, then only what someone changed, and then none again", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { normalizations, secrets, lag, steps, last } = history;
        one.emulator.reset();
        one.emulator.configure({ normalizations, secrets, lag });
        Object.assign(one, { kept: undefined, said: [], warnings: [] });
        await one.up(argsOf({ image: 0 }));
        for (const step of steps) await take(step);
        const args = argsOf(last);
        await comeToRest(args);
        await expectRest(args);

        one.emulator.change("chat", edits[history.edit]);
        const isDeclared = history.edit === "image" || last[history.edit] !== undefined;
        expect(await one.refresh()).toBe(isDeclared);
        if (isDeclared) expect(["settings", "revision"]).toContain(one.preview(args).kind);
        await comeToRest(args);
        await expectRest(args);
      }),
      { numRuns: Number(process.env["MODEL_RUNS"] ?? 25) },
    );
  }, 120_000);
});
