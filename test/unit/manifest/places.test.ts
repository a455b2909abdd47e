/** Where problems are said to be: lines and columns from 1, in UTF-16 units, a byte order mark not counted. */
import { describe, expect, it } from "vitest";
import { cli } from "../cli/support";

const smile = "\u{1f600}";

/** `~` stands before each place where a problem is to be told. */
const marked = [
  "# caf\u00e9 " + smile,
  "version: 1",
  `defaults: { sourceConfig: { installCommand: "${smile}${smile}", buildOnPush: ~5 } }`,
  "deployments:",
  "  chat:",
  "    source:\t~svn",
  `    ~${smile}: 1`,
  `    triggers: ["${smile}", "\u00e9"]\t# ${smile}`,
  `    name: ~"\${${smile}}"`,
  "    ~adopted: true",
  '    sourceRevisionConfig: { repoRef: "a\tb", ~repoRef: c }',
  "stacks: { prod: { deployments: { chat: { adopt: ~maybe } } } }",
];

const lines = marked.map((line) => line.replaceAll("~", ""));
const places = marked.flatMap((line, index) => {
  const at = line.indexOf("~");
  return at === -1 ? [] : [{ line: index + 1, column: at + 1 }];
});

const spellings: [string, string][] = [
  ["line feeds", lines.join("\n")],
  ["carriage returns and line feeds", lines.join("\r\n")],
  ["a byte order mark", `\ufeff${lines.join("\n")}\n`],
  ["all of them", `\ufeff${lines.join("\r\n")}\r\n`],
];

describe.each(spellings)("a problem in a file with %s", (_, text) => {
  const told = async (format: string) =>
    (await cli(["validate", "-", "--format", format], { stdin: Buffer.from(text) })).stdout;
  const placesIn = (found: Iterable<RegExpMatchArray>) =>
    [...found].map(([, line, column]) => ({ line: Number(line), column: Number(column) }));

  it("has its line and column in JSON, in the commands of a code host, and in text", async () => {
    const { problems } = JSON.parse(await told("json")) as { problems: { line: number; column: number }[] };
    expect(problems.map(({ line, column }) => ({ line, column }))).toEqual(places);
    expect(placesIn((await told("github")).matchAll(/,line=(\d+),col=(\d+),/g))).toEqual(places);
    expect(placesIn((await told("text")).matchAll(/^<stdin>:(\d+):(\d+): /gm))).toEqual(places);
  });

  it("has a caret below the character", async () => {
    const carets = [...(await told("text")).matchAll(/^<stdin>:\d+:(\d+): .*\n.*\n([ \t]*)\^/gm)];
    expect(carets).toHaveLength(places.length);
    for (const [, column, before] of carets) expect(before).toHaveLength(Number(column) - 1);
  });
});
