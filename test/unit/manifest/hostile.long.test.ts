/** Manifests by someone who means harm: what is data stays data, and nothing takes for ever. */
import fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { problemsToText } from "../../../provider/manifest/render";
import { toGithub, toJson } from "../../../cli/files/problem-formats";
import { check } from "./checked";
import { generate } from "./generated";
import { isLong, runs } from "../../support/runs";

/** What ends a text or a template in TypeScript, or is not seen. */
const tricks = fc.constantFrom(
  ...["\r", "\u2028", "\u2029", "\u0085", "\u202e", "\u2066", "\u200b", "\u009b"],
  ..."*/ /* // ` ${ $${ \\ ' \" </script> owned()".split(" "),
  ...["; owned(); ", "\n# owned()"],
);
const texts = fc
  .array(fc.oneof(tricks, fc.string({ maxLength: 5 })), { maxLength: 8 })
  .map((parts) => parts.join(""));
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** As the manifest reads it back. */
const literal = (text: string) => text.replaceAll("${", () => "$${");

/** Every name that the program's code uses. */
function namesIn(program: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  const { diagnostics = [] } = ts.transpileModule(program, { reportDiagnostics: true });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  visit(ts.createSourceFile("index.ts", program, ts.ScriptTarget.ES2022));
  return names;
}

describe("a program made from a manifest", () => {
  it("holds its texts as texts, all of them seen", () => {
    fc.assert(
      fc.property(texts, texts, (text, name) => {
        const quoted = JSON.stringify(literal(text));
        const mixed = JSON.stringify(`${literal(text)}-\${env.HOME}`);
        const key = JSON.stringify(name);
        const program = generate(`version: 1
deployments:
  chat:
    source: external_container
    sourceConfig: { installCommand: ${quoted}, buildCommand: ${mixed}, resourceSpec: { labels: { ${key}: ${quoted} } } }
    secrets: { A: "\${env.B:-}" }
`);
        expect(namesIn(program)).not.toContain("owned");
        expect(program).not.toMatch(unseen);
      }),
      runs(40),
    );
  });
});

/** The problems of a manifest in each format. */
function shownOf(text: string): string[] {
  const { source, problems, mask } = check(text, { env: {} });
  return [problemsToText(source, problems, { mask }), toJson(source, problems), toGithub(source, problems)];
}

/** Of computing: however busy the machine is with something else. */
function secondsSince(began: NodeJS.CpuUsage): number {
  return process.cpuUsage(began).user / 1e6;
}

describe("a file that is nested or repeated without end", () => {
  const head = "version: 1\ndeployments:\n  chat:\n    source: internal_source\n    triggers: ";
  /** The time would grow with its square. */
  const many = isLong ? 100_000 : 25_000;

  it.each<[string, string]>([
    ["lists", "[".repeat(many)],
    ["closed lists", "[".repeat(many) + "]".repeat(many)],
    ["objects", "{a: ".repeat(many)],
    ["lists of a block", "- ".repeat(5_000)],
    ["explicit keys", "? ".repeat(5_000)],
    ["anchors", "&a ".repeat(many)],
    ["tags", "!!map ".repeat(many)],
    ["quotes", '"'.repeat(many)],
    ["references", "${".repeat(many)],
    ["references that end", `"${"${env.A:-".repeat(many)}}"`],
    ["spaces", `KEY:${" ".repeat(many)}`],
    ["names of credentials", "[SECRET ".repeat(many)],
    ["one long word", "a".repeat(10 * many)],
  ])("is refused within seconds, without an internal error: %s", (_, text) => {
    const began = process.cpuUsage();
    for (const shown of shownOf(head + text)) expect(shown.length).toBeLessThan(1_000_000);
    expect(secondsSince(began)).toBeLessThan(many / 10_000);
  });

  it("expands aliases to a limit, through merge keys too", () => {
    const laughs = Array.from(
      { length: 30 },
      (_, at) => `  l${at}: &l${at} { a: *l${at - 1}, b: *l${at - 1} }`,
    );
    const merges = Array.from(
      { length: 30 },
      (_, at) => `  m${at}: &m${at} { <<: [*m${at - 1}, *m${at - 1}], k${at}: 1 }`,
    );
    for (const lines of [laughs, merges]) {
      const began = process.cpuUsage();
      const { problems } = check(`x:\n${lines.join("\n").replace(/\*([lm])-1/g, "1")}\n`);
      expect(problems.length).toBeGreaterThan(0);
      expect(secondsSince(began)).toBeLessThan(5);
    }
  });
});

it("a problem of a manifest has nothing that a terminal or a code host obeys", () => {
  for (const shown of shownOf('"a\\u001b[2J\\n::error::x": 1\n"b\\u202e": 2\n')) {
    expect(shown).not.toMatch(unseen);
    for (const line of shown.split("\n").filter((text) => text.startsWith("::"))) {
      expect(line).toMatch(/^::error file=deployments\.yaml,line=\d+,col=\d+,title=[\w-]+::/);
    }
  }
});
