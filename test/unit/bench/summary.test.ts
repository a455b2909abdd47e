import { describe, expect, it } from "vitest";
import { summarize } from "../../tools/bench/summary";
import type { Sample } from "../../tools/bench/rounds";
import { asText } from "../../tools/bench/table";
import { fullTable, shortTable } from "../../tools/bench/views";

function sample(program: Sample["program"], round: number, more: Partial<Sample>): Sample {
  return {
    count: 10,
    phase: "refresh",
    program,
    round,
    wallSeconds: 1,
    processorSeconds: 2,
    requests: {},
    ...more,
  };
}

const samples = [
  sample("bare", 1, { processorSeconds: 2, peakMemory: 100e6, stateBytes: 400 }),
  sample("bare", 2, { processorSeconds: 2, peakMemory: 100e6, stateBytes: 400 }),
  sample("package", 1, { processorSeconds: 3, peakMemory: 120e6, stateBytes: 800, requests: { GET: 1 } }),
  sample("package", 2, { processorSeconds: 1, peakMemory: 120e6, stateBytes: 800, requests: { GET: 3 } }),
  sample("conventional", 1, { processorSeconds: 6, requests: { GET: 10, POST: 2 } }),
];

describe("summaries", () => {
  it("compare each program with the bare one of the same number and phase", () => {
    const ratios = summarize(samples).map(({ program, processorRatio, memoryRatio }) => [
      program,
      processorRatio,
      memoryRatio,
    ]);
    expect(ratios).toEqual([
      ["bare", 1, 1],
      ["package", 1, 1.2],
      ["conventional", 3, undefined],
    ]);
  });

  it("count requests by method, and together", () => {
    const [, own, conventional] = summarize(samples);
    expect(own?.requests["GET"]).toEqual({ median: 2, min: 1, max: 3 });
    expect(own?.requests["POST"]).toEqual({ median: 0, min: 0, max: 0 });
    expect(conventional?.allRequests.median).toBe(12);
  });
});

describe("the tables", () => {
  it("show the ratios first, a spread where the rounds differ, and nothing where nothing was measured", () => {
    expect(`\n${asText(fullTable(summarize(samples)))}`).toMatchInlineSnapshot(`
      "
      phase    program       processor   wall  memory  state        processor s  wall s  memory MB  state B       GET  POST  PATCH  DELETE
      -------  ------------  ---------  -----  ------  -----  -----------------  ------  ---------  -------  --------  ----  -----  ------
      refresh  bare              1.00x  1.00x   1.00x  1.00x               2.00    1.00        100      400         0     0      0       0
               package           1.00x  1.00x   1.20x  2.00x  2.00 (1.00..3.00)    1.00        120      800  2 (1..3)     0      0       0
               conventional      3.00x  1.00x                              6.00    1.00                            10     2      0       0
      "
    `);
  });

  it("have a row for each phase in the document", () => {
    const { headings, rows } = shortTable(summarize(samples));
    expect(rows).toEqual([
      [
        "10",
        "refresh",
        "2 (1..3)",
        "12",
        "1.00x, 2.00 (1.00..3.00) s",
        "",
        "3.00x, 6.00 s",
        "1.20x, 120 MB",
        "",
      ],
    ]);
    expect(headings).toHaveLength(rows[0]!.length);
  });
});
