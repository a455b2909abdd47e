import fc, { type Arbitrary } from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { toGithub, toJson, toText } from "../../../provider/manifest/render";
import { check, manifests, bindings, toYaml } from "./support";

/** What makes YAML something else. */
const pieces = fc.oneof(
  fc.constantFrom(
    ..."\t \n\r:,[]{}\"'#&*!|>%@`?-~$\0\u2028\ufeff\ud800",
    ...[
      "---\n",
      "<<: ",
      "&a ",
      "*a",
      "!!int ",
      "${",
      "$${",
      "${env.",
      "}",
      "\r\n",
      "null",
      "- ",
      "? ",
      "__proto__: ",
    ],
    ...[
      "deployments",
      "secrets: ",
      "${deployments.chat.url}",
      "dependsOn: [chat]",
      "|\n",
      ">-\n",
      ".inf",
      "0x1F",
      "%YAML 1.1\n---\n",
    ],
  ),
  fc.string(),
);

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const edits: Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.nat({ max: 10_000 }),
    length: fc.oneof(fc.constant(0), fc.nat({ max: 30 })),
    text: pieces,
  }),
  { minLength: 1, maxLength: 6 },
);

function applied(text: string, list: readonly Edit[]): string {
  return list.reduce((result, { at, length, text: inserted }) => {
    const start = at % (result.length + 1);
    return result.slice(0, start) + inserted + result.slice(start + length);
  }, text);
}

describe("a mutated manifest", { timeout: 60_000 }, () => {
  it("is told about or generated, and never crashes anything", () => {
    let sound = 0;
    fc.assert(
      fc.property(manifests, edits, (manifest, list) => {
        const checked = check(applied(toYaml(manifest), list), { env: bindings.env });
        const { source, problems, mask, root, view } = checked;
        const shown = toText(source, problems, { mask });
        expect(shown.split("\n").length).toBe(problems.length * 3 + 1);
        expect(JSON.parse(toJson(source, problems))).toHaveProperty("problems");
        expect(toGithub(source, problems).split("\n")).toHaveLength(problems.length + 1);
        for (const { at } of problems) {
          expect(at.start).toBeGreaterThanOrEqual(0);
          expect(at.start).toBeLessThanOrEqual(source.text.length);
        }
        expect([...problems].sort((a, b) => a.at.start - b.at.start)).toEqual(problems);
        if (problems.some(({ severity }) => severity === "error")) return;
        sound++;
        const program = generateProgram(source, root!, view!);
        expect(ts.transpileModule(program, { reportDiagnostics: true }).diagnostics).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(sound).toBeGreaterThan(0);
  });

  it("is told about in moderate time, whatever it repeats", () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom("", "version: 1\ndeployments:\n  a: "), (piece, before) => {
        const start = process.cpuUsage();
        check(before + piece.repeat(3_000), { env: {} });
        expect(process.cpuUsage(start).user / 1e6).toBeLessThan(5);
      }),
      { numRuns: 60 },
    );
  });
});
