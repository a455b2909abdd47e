import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/deployment/check";
import { demandOf, demandText, sumOfDemands } from "../../../provider/deployment/demand";
import { diff } from "../../../provider/deployment/diff";
import { readExplanation } from "../../../provider/deployment/explanation";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { unknownValue, type Values } from "../../../schema/tree";
import { runs } from "../../support/runs";
import { declare, stateAfter } from "../../support/service";

const spec = (resourceSpec: Values): Values => ({ sourceConfig: { resourceSpec } });
const sized = (args: Values, before?: Values) =>
  demandText(
    demandOf(args, standard, false),
    before === undefined ? undefined : demandOf(before, standard, false),
  );
const whole = { minScale: 1, maxScale: 3, cpu: 1, memoryMb: 2048 };

describe("what a deployment takes to run", () => {
  it.each<[string, Values, string | undefined]>([
    ["the queue counts as the agent", whole, "takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)"],
    [
      "a queue of its own size",
      { ...whole, queueCpu: 0.5, queueMaxScale: 1 },
      "takes 1.5 to 3.5 vCPU, 4 to 8 GiB (agent and queue)",
    ],
    ["one scale", { ...whole, maxScale: 1 }, "takes 2 vCPU, 4 GiB (agent and queue)"],
    ["scale to zero", { ...whole, minScale: 0 }, "takes 0 to 6 vCPU, 0 to 12 GiB (agent and queue)"],
    ["no memory", { minScale: 1, maxScale: 2, cpu: 0.1 }, "takes 0.2 to 0.4 vCPU (agent and queue)"],
    [
      "no largest scale",
      { minScale: 1, cpu: 1, memoryMb: 1024 },
      "takes at least 2 vCPU, at least 2 GiB (agent and queue)",
    ],
    ["no smallest scale", { maxScale: 3, cpu: 1 }, "takes up to 6 vCPU (agent and queue)"],
    ["no scale", { cpu: 1, memoryMb: 1024 }, undefined],
    ["scales that contradict each other", { minScale: 3, maxScale: 1, cpu: 1 }, undefined],
    ["nothing", {}, undefined],
    [
      "other components",
      { ...whole, redisCpu: 0.5, dbCpu: 2, dbMemoryMb: 4096 },
      "takes 4.5 to 8.5 vCPU, 8 to 16 GiB (agent, queue, redis and db)",
    ],
    ["another component alone", { dbCpu: 2 }, "takes at least 2 vCPU (db)"],
    [
      "an orchestrator",
      { ...whole, orchestratorCpu: 1, orchestratorMinScale: 1, orchestratorMaxScale: 2 },
      "takes 3 to 8 vCPU, 4 to 12 GiB (agent, queue and orchestrator)",
    ],
    [
      "a component that is not known",
      { ...whole, dbCpu: unknownValue },
      "takes at least 2 vCPU, 4 to 12 GiB (agent, queue and db)",
    ],
    [
      "a queue that is not known",
      { ...whole, queueCpu: unknownValue },
      "takes at least 1 vCPU, 4 to 12 GiB (agent and queue)",
    ],
    ["a limit alone", { minScale: 1, maxScale: 2, cpuLimit: 4 }, undefined],
  ])("with %s", (_, resourceSpec, text) => {
    expect(sized(spec(resourceSpec))).toBe(text);
  });

  it.each<[Values, Values, string | undefined]>([
    [
      { ...whole, cpu: 0.5, memoryMb: 1024 },
      whole,
      "takes 2 to 6 vCPU, 4 to 12 GiB; was 1 to 3, 2 to 6 (agent and queue)",
    ],
    [
      { ...whole, maxScale: 40 },
      whole,
      "takes 2 to 6 vCPU, 4 to 12 GiB; was 2 to 80, 4 to 160 (agent and queue)",
    ],
    [
      { minScale: 1, maxScale: 3, cpu: 2 },
      whole,
      "takes 2 to 6 vCPU, 4 to 12 GiB; was 4 to 12 vCPU (agent and queue)",
    ],
    [whole, whole, "takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)"],
    [{}, whole, "takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)"],
    [whole, {}, undefined],
  ])("before and after: %j", (before, after, text) => {
    expect(sized(spec(after), spec(before))).toBe(text);
  });

  it.each<[Values, Values | undefined, string | undefined]>([
    [
      { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_M" },
      undefined,
      "scales to zero, SERVERLESS_M",
    ],
    [{ deploymentType: "prod" }, undefined, "always runs"],
    [{ deploymentType: "dev" }, undefined, undefined],
    [{ deploymentType: "something-new", deploymentTier: "HUGE" }, undefined, undefined],
    [
      { deploymentType: "prod", deploymentTier: "DEDICATED_M" },
      { deploymentType: "prod", deploymentTier: "DEDICATED_S" },
      "always runs, DEDICATED_M; was DEDICATED_S",
    ],
    [
      { deploymentType: "prod" },
      { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_S" },
      "always runs; was scaling to zero, SERVERLESS_S",
    ],
  ])("is its type in a dialect with types: %j after %j", (now, before, text) => {
    const of = (sourceConfig: Values) =>
      demandOf({ source: "internal_source", sourceConfig }, langsmith, false);
    expect(demandText(of(now), before && of(before))).toBe(text);
    expect(sized({ sourceConfig: now })).toBe(undefined);
  });

  it("never exceeds what is known, and is never shown for a secret", () => {
    const number = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined });
    const specs = fc.record({
      minScale: number,
      maxScale: number,
      cpu: number,
      queueCpu: number,
      dbCpu: number,
    });
    fc.assert(
      fc.property(
        specs,
        fc.constantFrom("minScale", "maxScale", "cpu", "queueCpu", "dbCpu"),
        (all, hidden) => {
          const { cpu } = demandOf(spec(all), standard, false);
          if (cpu.least !== undefined && cpu.most !== undefined)
            expect(cpu.least).toBeLessThanOrEqual(cpu.most);
          // What is not known can only be more than what is left.
          const { cpu: rest } = demandOf(spec({ ...all, [hidden]: unknownValue }), standard, false);
          if (cpu.most !== undefined && rest.least !== undefined)
            expect(rest.least).toBeLessThanOrEqual(cpu.most);
          const paths = [["sourceConfig", "resourceSpec", hidden]];
          const value = all[hidden] === undefined ? undefined : unknownValue;
          expect(demandOf(spec(all), standard, false, paths).cpu).toEqual(
            demandOf(spec({ ...all, [hidden]: value ?? unknownValue }), standard, false).cpu,
          );
        },
      ),
      runs(200),
    );
  });

  it("the demands of several deployments add up", () => {
    const all = [whole, { ...whole, maxScale: 1 }, { minScale: 1, cpu: 1 }].map((each) =>
      demandOf(spec(each), standard, false),
    );
    expect(sumOfDemands(all.slice(0, 2)).cpu).toEqual({ least: 4, most: 8 });
    expect(sumOfDemands(all).cpu).toEqual({ least: 6, most: undefined });
  });
});

describe("a preview says what a deployment takes to run", () => {
  const image = { source: "external_container", sourceRevisionConfig: { imageUri: "x:1" } };

  it("a preview says what a new deployment takes to run", () => {
    const args = { name: "chat", ...image, ...spec(whole) };
    expect(check(undefined, args, standard).demand).toBe("takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)");
    expect(check({ arguments: args, generation: 1 }, args, standard).demand).toBeUndefined();
    expect(check(undefined, { name: "chat", ...image }, standard).demand).toBeUndefined();
  });

  it("with the word to write, when the service makes it dedicated because no type is declared", () => {
    const args = { name: "chat", source: "internal_source" };
    const { demand } = check(undefined, args, langsmith);
    expect(demand).toBe(
      "always runs, because no sourceConfig.deploymentType is declared: write `serverless` for one that scales to zero",
    );
    const declared = { ...args, sourceConfig: { deploymentType: "dedicated" } };
    expect(check(undefined, declared, langsmith).demand).toBe("always runs");
    expect(
      check(undefined, { ...args, sourceConfig: { deploymentType: "serverless" } }, langsmith).demand,
    ).toBe("scales to zero");
    for (const silent of [
      { ...args, adopt: true },
      { ...args, sourceConfig: unknownValue },
      { name: "a", ...image },
    ])
      expect(check(undefined, silent, langsmith).demand).toBeUndefined();
    expect(check(undefined, args, standard).demand).toBeUndefined();
  });

  it("when its size changes, after what changes, and `summary` still reads the line", () => {
    const before = declare({ ...image, ...spec(whole) });
    const explain = (change: Values) =>
      diff(stateAfter(before), declare({ ...image, ...spec(whole), ...change }, before), standard)
        .explanation;
    const line = explain(spec({ ...whole, maxScale: 40 }));
    expect(line).toBe(
      "updates settings, no new revision (sourceConfig.resourceSpec.maxScale); " +
        "takes 2 to 80 vCPU, 4 to 160 GiB; was 2 to 6, 4 to 12 (agent and queue)",
    );
    expect(readExplanation(`chat: ${line}`)).toMatchObject({
      kind: "settings",
      reasons: [{ path: "sourceConfig.resourceSpec.maxScale" }],
      besides: [],
    });
    expect(explain({ triggers: 2 })).toBe("creates a new revision (triggers)");
    expect(explain({ source: "internal_container" })).toBe(
      "replaces the deployment (source); its id changes, and usually its address; its data is not carried over; " +
        "takes 2 to 6 vCPU, 4 to 12 GiB (agent and queue)",
    );
  });
});
