/** Sequences that once broke a law, in their shortest form. */
import { it, vi } from "vitest";
import type { Clock } from "../../provider/time/clock";
import { packagedProviders } from "./support/engine/packaged";
import { dynamicProviders } from "./support/engine/process";
import type { Spec } from "./support/program";
import { play, type Edit, type Step } from "./support/script";
import { useStage } from "./support/stage";
import { calm, type Machine } from "./support/world";
import { isLong } from "../support/runs";

vi.mock("../../provider/time/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

const stage = useStage();
const publicStage = useStage("langsmith");

const container: Spec = { source: "external_container", edition: 0, version: 0 };
const up = (edits: readonly Edit[] = [], more: object = {}): Step => ({
  do: "up",
  edits,
  chances: calm,
  ...more,
});
const refresh = (machine: Machine = {}): Step => ({ do: "refresh", chances: calm, machine });
const destroy = (machine: Machine = {}): Step => ({ do: "destroy", chances: calm, machine });
const two: readonly Edit[] = [
  { at: 0, spec: container },
  { at: 1, spec: container },
];

const sequences: readonly [law: string, steps: readonly Step[]][] = [
  [
    "a deployment that is renamed and adopted is not deleted under its old name",
    [up([{ at: 0, spec: container }]), up([{ at: 0, patch: { rename: 1, adopt: true } }])],
  ],
  [
    "a deployment that is renamed is not deleted when the run that adopts it is killed",
    [
      up([{ at: 0, spec: container }]),
      up([{ at: 0, patch: { rename: 1, adopt: true } }], {
        chances: { ...calm, kill: { request: 2, isDone: true } },
      }),
    ],
  ],
  [
    "a tainted deployment that the program may adopt is adopted, and not deleted afterwards",
    [up([{ at: 0, spec: { ...container, adopt: true } }]), { do: "taint", at: 0 }, up()],
  ],
  [
    "what a killed run has made does not stand in the way of another source for good",
    [
      up([{ at: 0, spec: { source: "codehost", edition: 0, version: 0, repo: 0 } }], {
        chances: { ...calm, kill: { request: 1, isDone: true } },
      }),
      up([{ at: 0, spec: container }]),
    ],
  ],
  [
    "a dialect that is missing on one machine replaces nothing",
    [
      up(two),
      refresh({ dialect: "langsmith" }),
      up([], { refresh: true, machine: { dialect: "langsmith" } }),
    ],
  ],
  [
    "a wrong path at the service deletes nothing and forgets nothing",
    [up(two), refresh({ address: "us with a wrong path" }), destroy({ address: "us with a wrong path" })],
  ],
  [
    "what moves to another provider is made there and deleted where it was",
    [up([{ at: 0, spec: { ...container, provider: "us" } }]), up([{ at: 0, patch: { provider: "eu" } }])],
  ],
  [
    "another key of a refresh or a destroy deletes nothing and forgets nothing",
    [up(two), refresh({ isOtherTenant: true }), destroy({ isOtherTenant: true })],
  ],
  [
    "another key deletes nothing when one deployment leaves the program and another stays",
    [up(two), up([{ at: 0, spec: null }], { machine: { isOtherTenant: true } })],
  ],
  [
    "another key deletes nothing and forgets nothing of a stack with one deployment",
    [up([{ at: 0, spec: container }]), refresh({ isOtherTenant: true }), destroy({ isOtherTenant: true })],
  ],
  [
    "a replacement with another key leaves one deployment, whether it is created or deleted first",
    [
      up(two),
      up([{ at: 0, patch: { tier: "dev" } }], { machine: { isOtherTenant: true } }),
      up([{ at: 1, patch: { edition: 1 } }], { machine: { isOtherTenant: true } }),
    ],
  ],
  [
    "another provider of the same service is written down, so that a refresh finds nothing changed",
    [
      up([{ at: 0, spec: { ...container, provider: "us" } }]),
      up([{ at: 0, patch: { provider: undefined } }]),
    ],
  ],
  [
    "another address of the same service is taken over by a refresh there",
    [up(two), up([], { machine: { address: "us by another name" } })],
  ],
];

/** A plain run plays each with one provider, in turn, and with one kind of configuration. */
it.each(sequences.map(([law, steps], at) => ({ law, steps, at })))("$law", async ({ steps, at }) => {
  for (const [turn, providers] of [dynamicProviders, packagedProviders].entries()) {
    if (!isLong && at % 2 !== turn) continue;
    for (const isConfigured of isLong ? [false, true] : [at % 4 < 2]) {
      await play({ ...stage(), providers }, { secrets: "clear", isConfigured, steps });
    }
  }
});

it("the size of what a killed run created follows its first rollout, which continues when it is adopted", async () => {
  const sized: Spec = {
    ...{ source: "internal_template", tier: "dev_zero", edition: 0, version: 0 },
    ...{ adopt: true, deploymentTier: 1, secrets: { ALPHA: 0 } },
  };
  const killed = {
    ...calm,
    seed: 1237485612,
    rollouts: "mixed",
    kill: { request: 2, isDone: true },
  } as const;
  const steps = [up([{ at: 0, spec: sized }], { chances: killed }), up()];
  const script = { secrets: "clear", isConfigured: false, steps } as const;
  await play({ ...publicStage(), providers: dynamicProviders }, script);
});

it("an update that begins later keeps what others added while the run was waiting for another deployment", async () => {
  const three = [0, 1, 2].map((at) => ({ at, spec: { ...container, secrets: { ALPHA: 0 } } }));
  const later = [3, 4, 5, 6, 7, 8, 9].map((adds) => {
    const edits = three.map(({ at }) => ({ at, patch: { version: adds % 2, secrets: { ALPHA: adds } } }));
    return up(edits, { chances: { ...calm, adds }, parallel: 1 });
  });
  const script = { secrets: "clear", isConfigured: false, steps: [up(three), ...later] } as const;
  await play({ ...stage(), providers: dynamicProviders }, script);
});
