/** The skill for coding agents. Its programs can be previewed, and its commands exist. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createStack, type Stack } from "../engine";
import { commands } from "../../cli/commands";
import { nowhere } from "../support/product";
import { helpOf } from "../../cli/parse-arguments";
import { fencesIn } from "./markdown";
import { read } from "./documents";

const page = "skills/pulumi-deployment-service/SKILL.md";
const text = read(page);
const programs = fencesIn(text).filter(({ language }) => language === "ts");
const agent = {
  "agent/langgraph.json": '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n',
  "agent/agent.py": "graph = None\n",
};

let stack: Stack;
beforeAll(async () => {
  const keys = [...text.matchAll(/requireSecret\("(\w+)"\)/g)];
  const config = Object.fromEntries(keys.map(([, key]) => [key!, { secret: "value" }]));
  const files = { "Pulumi.yaml": "name: skill\nruntime: nodejs\n", "index.ts": "", ...agent };
  stack = await createStack({ program: files, env: nowhere, config, keeps: "everything" });
});
afterAll(() => stack?.dispose());

describe("the skill", () => {
  it("begins with the name of its folder and with what it is for, as the format of skills wants it", () => {
    const [, head] = /^---\n([\s\S]*?)\n---\n/.exec(text)!;
    const { name, description, ...others } = parse(head!) as Record<string, string>;
    expect(name).toBe(dirname(page).split("/").at(-1));
    expect(description!.length).toBeLessThanOrEqual(1024);
    expect(others).toEqual({});
  });

  it.each(programs.map(({ text: program, line }) => ({ program, line })))(
    "has at line $line a program that previews",
    { timeout: 180_000 },
    async ({ program }) => {
      const dialect = program.includes("internal_source") ? "langsmith" : "standard";
      stack.write({ "index.ts": program });
      const { output } = await stack.preview({ env: { DEPLOYMENT_SERVICE_DIALECT: dialect } });
      expect(output).toContain("2 to create");
    },
  );

  it("names only commands and flags of the command line that exist", () => {
    const named = [...text.matchAll(/npx pulumi-deployment-service (\w+)([^`\n|#]*)/g)];
    expect(named.length).toBeGreaterThan(5);
    for (const [line, name, rest] of named) {
      expect(Object.keys(commands), line).toContain(name);
      const flags = [...rest!.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag);
      const known = helpOf(name!).flags;
      expect(
        flags.filter((flag) => !known.has(flag!)),
        line,
      ).toEqual([]);
    }
  });
});

it("docs/llms.txt links only to pages that exist, all of which are in the package", () => {
  const overview = readFileSync(resolve("docs/llms.txt"), "utf8");
  const links = [...overview.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => join("docs", target!));
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(resolve(link)))).toEqual([]);
});
