import type * as Fs from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fromManifest } from "../../../provider";
import { toGithub, toJson } from "../../../cli/files/problem-formats";
import { checkManifest } from "../../../provider/manifest/check-manifest";
import type { Bindings } from "../../../provider/manifest/bindings";
import { problemsToText } from "../../../provider/manifest/render";
import { SourceText } from "../../../provider/manifest/source";
import { cli } from "../cli/support";
import { edited, edits, encodings, secretFiles, secretsIn } from "./secret-files";
import { standInForTheEngine } from "./engine-stand-in";
import { runs } from "../../support/runs";

const file = "secrets.yaml";
const files = vi.hoisted(() => new Map<string, Buffer>());
// A program reads it in one way, and commands in another.
vi.mock("../../../provider/files/regular-file", () => ({
  readRegularFile: (path: string) => files.get(path)!,
}));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const readFileSync = ((path: string, ...rest: never[]) =>
    files.get(path) ?? fs.readFileSync(path, ...rest)) as typeof fs.readFileSync;
  return { ...fs, readFileSync };
});

beforeAll(standInForTheEngine);

/** What `validate`, `generate` and `fromManifest` ask of a file. */
const questions = fc.constantFrom<Bindings>(
  { env: {} },
  { stack: "prod", env: {} },
  { stack: "prod" },
  { stack: "dev", env: {}, config: () => undefined },
);

/** What a check finds, in the three formats. */
function foundIn(bytes: Buffer, known: Bindings): string {
  const source = new SourceText(file, bytes);
  const { problems, mask } = checkManifest(source, known);
  return [
    problemsToText(source, problems, { mask }),
    toJson(source, problems),
    toGithub(source, problems),
  ].join("\n");
}

/** All that this package says of a file. A program holds the literals of its file, so that of it nothing is said. */
async function saidOf(bytes: Buffer): Promise<string> {
  files.set(resolve(file), bytes);
  const formats = ["text", "json", "github"].map((format) => cli(["validate", file, "--format", format]));
  const shown = (await Promise.all([...formats, cli(["generate", file, "--stack", "prod"])])).map(
    ({ stdout, stderr }, index) => (index < formats.length ? stdout + stderr : stderr),
  );
  return [...shown, errorOf(() => fromManifest(file, { stack: "prod" }))].join("\n");
}

function errorOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return `${(error as Error).message}\n${(error as Error).stack}`;
  }
}

describe(
  "a file with secrets in plain text, whatever happened to it in an editor",
  { timeout: 3_600_000 },
  () => {
    it("shows none of them in its problems", () => {
      const seen = new Set<string>();
      fc.assert(
        fc.property(secretFiles, edits, encodings, questions, (text, edit, encode, known) => {
          const said = foundIn(encode(edited(text, edit)), known);
          for (const [, rule] of said.matchAll(/ \[([a-z-]+)\]$/gm)) seen.add(rule!);
          expect(secretsIn(said), said).toEqual([]);
        }),
        runs(400, 2),
      );
      expect([...seen]).toEqual(
        expect.arrayContaining(["syntax", "encoding", "type", "unknown-key", "credential", "alias"]),
      );
    });

    it("shows none of them in a command or an error", async () => {
      await fc.assert(
        fc.asyncProperty(secretFiles, edits, encodings, async (text, edit, encode) => {
          const said = await saidOf(encode(edited(text, edit)));
          expect(said).toContain(file);
          expect(secretsIn(said)).toEqual([]);
        }),
        runs(8, 1),
      );
    });
  },
);

/** The excerpts among the problems, each with its line's number, and what is marked in it. */
function excerptsIn(said: string): { line: number; shown: string; column: number; marks: string }[] {
  const lines = said.split("\n");
  return lines.flatMap((text, index) => {
    const [, line, column] = /^secrets\.yaml:(\d+):(\d+): /.exec(text) ?? [];
    if (line === undefined) return [];
    return [
      { line: Number(line), column: Number(column), shown: lines[index + 1]!, marks: lines[index + 2]! },
    ];
  });
}

describe("a diagnostic", { timeout: 3_600_000 }, () => {
  const part = fc.oneof(
    fc.stringMatching(/^[a-z][a-z0-9 .:/-]{0,20}[a-z]$/).map((text) => ({ text, shown: "***" })),
    fc
      .constantFrom("${config.key}", "${env.NAME}", "${stack}", "${deployments.serch.url}", "${confg.key}")
      .map((text) => ({ text, shown: text })),
    fc.stringMatching(/^[a-z]{1,9}$/).map((text) => ({ text: `\${env.A:-${text}}`, shown: "${env.A:-***}" })),
  );
  const below = fc.constantFrom(
    ["    secrets:", "      KEY: "],
    ["    secrets: { KEY: ", " }"],
    ["    secret: { KEY: ", " }"],
    ["    sourceConfig: { resourceSpec: { sidecars: [{ image: 1, env: [{ name: A, value: ", " }] }] } }"],
  );

  it("shows the references of a secret, and each of its literal texts as ***", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), below, (list, [before, after]) => {
        // Two literal texts next to each other are one.
        const parts = list.filter(({ shown }, at) => shown !== "***" || list[at - 1]?.shown !== "***");
        const isLiteral = parts.every(({ shown }) => shown === "***");
        const line = (value: string) =>
          before!.endsWith(":") ? `${after}${value}` : `${before}${value}${after}`;
        const written = line(`"${parts.map(({ text }) => text).join("")}"`);
        const expected = line(isLiteral ? "***" : `"${parts.map(({ shown }) => shown).join("")}"`);
        const frame = `version: 1\ndeployments:\n  search: { source: codehost }\n  chat:\n    source: codehost\n`;
        const text = `${frame}${before!.endsWith(":") ? `${before}\n` : ""}${written}\n`;
        const said = foundIn(Buffer.from(text), { env: {}, config: () => undefined, stack: "dev" });
        for (const { line: at, shown, marks } of excerptsIn(said)) {
          if (at < 6) continue;
          expect(shown).toBe(expected);
          expect(expected.slice(marks.indexOf("^"))).toMatch(/^("|\*|\d|secret)/);
        }
      }),
      runs(100, 1),
    );
  });
});

describe("a secret in an unusual place", () => {
  const value = "sk-live-canary-0123";
  const chat = "version: 1\ndeployments:\n  chat:\n    source: internal_template\n";
  const secrets = `${chat}    secrets:\n`;
  const inContainer = (text: string) =>
    `${chat}    sourceConfig: { resourceSpec: { sidecars: [{ ${text}, image: 1 }] } }`;
  const inConfig = (text: string) => `${chat}    sourceConfig: { ${text}, buildOnPush: 1 }\n`;

  it.each([
    // An alias repeats it where texts are quoted.
    `${secrets}      A: &x ${value}\n    options:\n      dependsOn: [*x]\n`,
    `${secrets}      A: &x ${value}\n    sourceConfig:\n      *x : 4\n`,
    `${secrets}      A: &x ${value}\n      *x : 3\n      *x : 4\n`,
    `${secrets}      A: &x ${value}\n  *x : {source: codehost, options: {dependsOn: [*x ]}}\n`,
    // It begins like an alias, an anchor, a tag.
    `${secrets}      A: *${value}\n`,
    `${secrets}      A: &${value}\n`,
    `${secrets}      A: !${value}\n`,
    // It lost its indentation, its key or its colon.
    `${secrets}    A: ${value}\n`,
    `${secrets}  A: ${value}\n`,
    `${secrets}A: ${value}\n`,
    `${chat}    secretReferences:\n      DB_URL: ${value}\n`,
    `${chat}    secrets: { A ${value} }\n`,
    `${chat}    secrets: { A: b,${value} }\n`,
    `${secrets}      A ${value}\n`,
    `${secrets}      A:\n        ${value}:\n`,
    `A=${value}\n`,
    // The place's name is wrong.
    `${chat}    secretReference: { DB_URL: ${value} }\n`,
    `${chat}    sourceConfig: { secrets: { DB_URL: ${value} } }\n`,
    `${chat}    sourceConfig: { secretReferences: { DB_URL: ${value} } }\n`,
    `${chat}    triggers: { secrets: { A: ${value} }, a: "\${foo}" }\n`,
    inContainer(`env: [{ name: DATABASE, vlaue: ${value} }]`),
    inContainer(`env: { DATABASE: ${value} }`),
    inContainer(`env: { name: DATABASE, value: ${value} }`),
    inContainer(`args: [a, { name: DATABASE, value: ${value} }]`),
    inContainer(`env: [{ name: DATABASE, value: ${value} }]`),
    inContainer(`env: [{ name: DATABASE, value: a, value: ${value} }]`),
    inContainer(`env: [{ name: DATABASE, value: pass,${value} }]`),
    // Addresses.
    inConfig(`repoUrl: "https://me:${value}@example.com/a"`),
    inConfig(`repoUrl: https://${value}@example.com/a`),
    inConfig(`repoUrl: "https://me:p/${value}@example.com/a"`),
    inConfig(`repoUrl: "https://me:p@${value}@example.com/a"`),
    inConfig(`installCommand: "pip install git+https://me:${value}@example.com"`),
    `${chat}    options: { dependsOn: ["https://me:${value}@example.com"] }\n`,
    // Comments.
    `${chat}    adopt: maybe # ${value}\n`,
  ])("is not shown: %s", (text) => {
    const said = foundIn(Buffer.from(text), { stack: "dev", env: {}, config: () => undefined });
    expect(said).toMatch(/^secrets\.yaml:\d+:\d+: /m);
    expect(said).not.toMatch(/canary|sk.live/);
  });

  it.each([
    [
      inConfig("repoUrl: https://me:pa55@example.com:8443/a@b"),
      "repoUrl: https://me:***@example.com:8443/a@b,",
    ],
    [inConfig("repoUrl: ssh://git@example.com:22/a"), "repoUrl: ssh://git@example.com:22/a,"],
    [inConfig("customUrl: http://example.com:80/me@b"), "customUrl: http://example.com:80/me@b,"],
    [inConfig("customUrl: 'https://me:${config.key}@b'"), "customUrl: 'https://me:${config.key}@b',"],
    [
      inContainer("name: db.example.com:5000/chat:1@sha256:12"),
      "name: db.example.com:5000/chat:1@sha256:12,",
    ],
    [inContainer("args: [--token, abc]"), "args: [--token, abc],"],
  ])("is taken for one only in a place of secrets: %s", (text, shown) => {
    expect(foundIn(Buffer.from(text), {})).toContain(shown);
  });

  it("lets an alias of an ordinary text be a key", () => {
    const text = `version: 1\ndeployments:\n  chat: { source: &s codehost, name: &n search }\n  *n : { source: *s }\n`;
    expect(foundIn(Buffer.from(text), {})).toContain('"search" has the same name as "chat"');
  });
});
