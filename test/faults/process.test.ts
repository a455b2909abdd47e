import { beforeAll, describe, expect, it } from "vitest";
import { dynamic } from "../support/adapters";
import { sentenceOf } from "./sentences";
import { secretValue, type Fault } from "./faults";
import { lawOf } from "./laws";
import { inTurn } from "./in-turn";
import { Faulty, type Outcome } from "./process";
import { cellsOf, type Cell } from "./table";

const cells = cellsOf("process");
const faults = [...new Set(cells.map(({ fault }) => fault))];

describe("at the provider process", () => {
  const outcomes = new Map<Cell, Outcome>();
  beforeAll(async () => {
    const started = new Map<Fault, Faulty>();
    // To start takes work, what comes then is mostly waiting.
    await inTurn(3, faults, async (fault) => {
      started.set(fault, await Faulty.start(fault, dynamic, "@pulumi/pulumi"));
    });
    const trying = [...started].map(([fault, faulty]) => tryAll(fault, faulty).finally(() => faulty.stop()));
    for (const end of await Promise.allSettled(trying)) if (end.status === "rejected") throw end.reason;
  });

  async function tryAll(fault: Fault, faulty: Faulty): Promise<void> {
    for (const cell of cells.filter((each) => each.fault === fault)) {
      const isLook = cell.operation.key === "look";
      outcomes.set(cell, await (isLook ? faulty.look(cell.name) : faulty.refresh(cell.name)));
      faulty.forget();
    }
  }

  it.each(cells.map((cell) => [sentenceOf(cell), cell] as const))("%s", (_, cell) => {
    const law = lawOf(cell.operation, cell.fault);
    const { error, isHeld, deployments, repaired, isRestless, output } = outcomes.get(cell)!;
    expect(error === undefined ? "well" : "badly", error?.message).toBe(law.ends);
    const text = error?.message ?? "";
    if (law.ends === "badly") expect(text).toMatch(new RegExp(`^[\\w-]+: ${cell.operation.label} failed: `));
    for (const pattern of law.says) expect(text).toMatch(pattern);
    expect(text + output).not.toContain(secretValue);
    expect(text).not.toMatch(/\p{Cc}|\bat .*:\d+:\d+/u);
    expect(deployments, "deployments on the service").toBe(law.leaves);
    expect(isHeld, "the state holds the resource").toBe(law.held);
    expect(repaired).toEqual({ deployments: 1, status: "READY", writes: [] });
    expect(isRestless, "a last comparison finds something to do").toBe(false);
  });
});
