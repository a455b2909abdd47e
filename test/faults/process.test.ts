import { beforeAll, describe, expect, it } from "vitest";
import { dynamic, packaged } from "../support/adapters";
import { secretValue } from "./faults";
import { lawOf } from "./laws";
import { Faulty, type Outcome } from "./process";
import { casesOf, sentenceOf, type FaultCase } from "./table";

const cases = casesOf("process");
const adapters = { dynamic, packaged };

/** What shares a process: the cases of one fault and one provider. */
const groups = [
  ...new Map(cases.map((faultCase) => [`${faultCase.fault.key} ${faultCase.adapter}`, faultCase])).values(),
].map(({ fault, adapter }) => cases.filter((each) => each.fault === fault && each.adapter === adapter));

describe("at the provider process (A05, E04, H04, H05, J09)", () => {
  const outcomes = new Map<FaultCase, Outcome>();
  beforeAll(async () => {
    const started: (readonly [readonly FaultCase[], Faulty])[] = [];
    // To start takes work, what comes then is mostly waiting.
    const left = [...groups];
    const startAll = async () => {
      for (let group = left.shift(); group !== undefined; group = left.shift()) {
        const { fault, adapter } = group[0]!;
        started.push([group, await Faulty.start(fault, adapters[adapter], "@pulumi/pulumi")]);
      }
    };
    await Promise.all([startAll(), startAll(), startAll()]);
    const trying = started.map(([group, faulty]) => tryAll(group, faulty).finally(() => faulty.stop()));
    for (const end of await Promise.allSettled(trying)) if (end.status === "rejected") throw end.reason;
  });

  async function tryAll(group: readonly FaultCase[], faulty: Faulty): Promise<void> {
    for (const faultCase of group) {
      const isPoll = faultCase.operation.key === "poll";
      outcomes.set(faultCase, await (isPoll ? faulty.poll(faultCase.name) : faulty.refresh(faultCase.name)));
      faulty.forget();
    }
  }

  it.each(cases.map((faultCase) => [sentenceOf(faultCase), faultCase] as const))("%s", (_, faultCase) => {
    const law = lawOf(faultCase.operation, faultCase.fault);
    const { error, isHeld, deployments, repaired, isRestless, output } = outcomes.get(faultCase)!;
    expect(error === undefined ? "well" : "badly", error?.message).toBe(law.ends);
    const text = error?.message ?? "";
    if (law.ends === "badly")
      expect(text).toMatch(new RegExp(`^[\\w-]+: ${faultCase.operation.label} failed: `));
    for (const pattern of law.says) expect(text).toMatch(pattern);
    expect(text + output).not.toContain(secretValue);
    expect(text).not.toMatch(/\p{Cc}|\bat .*:\d+:\d+/u);
    expect(deployments, "deployments on the service").toBe(law.leaves);
    expect(isHeld, "the state holds the resource").toBe(law.held);
    expect(repaired).toEqual({ deployments: 1, status: "READY", writes: [] });
    expect(isRestless, "a last comparison finds something to do").toBe(false);
  });
});
