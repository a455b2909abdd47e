import { describe, expect, it } from "vitest";
import type { Bindings } from "../../../provider/manifest/bindings";
import { check } from "./checked";
import { outcomeOf, standInForTheEngine } from "./engine-stand-in";
import { compile, generate } from "./generated";

/** `LINE: message` of each problem. */
function said(text: string, known: Bindings = {}): string[] {
  const { source, problems } = check(text, known);
  return problems.map(({ at, message }) => `${source.positionOf(at.start).line}: ${message}`);
}

const overridden = `version: 1
defaults: { adopt: maybe }
deployments:
  chat: { source: codehots, adopt: true, secrets: { A: "\${env.NONE}" } }
stacks:
  prod:
    deployments:
      chat: { source: codehost, secrets: { A: a } }
  dev:
    deployments:
      chat: { source: nothing }
`;

describe("a selected stack", () => {
  it("is not judged by what it overrides, and the overlays of others are judged by themselves", () => {
    const problems = said(overridden, { stack: "prod", env: {} });
    expect(problems).toEqual([expect.stringMatching(/^11: source: expected one of/)]);
  });

  it.each([
    ["below its overlay, if it is wrong without the overlay", "codehost", "buildOnPush: true", 5],
    ["in its overlay, if only the merge is wrong", "codehost", "resourceSpec: { cpu: 2 }", 10],
    ["in its overlay, if the overlay's source is what is wrong", "external_container", "{}", 9],
  ])("has a problem %s", (_, source, config, line) => {
    const size = line === 10 ? "" : ", resourceSpec: { cpu: 1 }";
    const [overlay, sourceConfig] = config === "{}" ? ["codehost", "{}"] : [source, `{ ${config} }`];
    const text = `version: 1
deployments:
  chat:
    source: ${source}
    sourceConfig: { repoUrl: "https://code.example.com/chat"${size} }
stacks:
  prod:
    deployments:
      chat: { source: ${overlay},
        sourceConfig: ${sourceConfig} }
`;
    const problems = said(text, { stack: "prod", dialect: { is: "chosen", name: "langsmith" } });
    const aboutSize = problems.filter((each) => each.includes("sourceConfig.resourceSpec "));
    expect(aboutSize).toEqual([
      `${line}: sourceConfig.resourceSpec is not for source codehost, only for external_container: set its size with sourceConfig.deploymentTier`,
    ]);
  });

  it("is judged by what it does not override", () => {
    const problems = said(overridden, { stack: "other", env: {} });
    expect(problems).toEqual([
      expect.stringMatching(/^4: source: expected one of .*did you mean "codehost"/),
      expect.stringMatching(/^4: environment variable NONE is not set/),
      expect.stringMatching(/^11: source: expected one of/),
    ]);
  });

  it.each([
    ["is not a problem if every deployment overrides it", ", adopt: false", []],
    [
      "is one if a deployment of any stack uses it",
      "",
      [expect.stringMatching(/^2: adopt: expected true or false/)],
    ],
  ])("may go unselected: then a wrong default %s", (_, overlay, expected) => {
    const text = `version: 1
defaults: { adopt: maybe }
deployments:
  chat: { source: codehost, adopt: true }
stacks:
  prod: { deployments: { shop: { source: codehost${overlay} } } }
`;
    expect(said(text)).toEqual(expected);
  });

  it("is not judged by deployments that it removes", () => {
    const text = `version: 1
deployments:
  chat: { source: codehost }
  old: { source: svn, name: chat, secrets: { A: "\${deployments.none.url}" } }
stacks:
  prod: { deployments: { old: null } }
`;
    expect(said(text, { stack: "prod" })).toEqual([]);
    expect(said(text)).toHaveLength(3);
  });
});

describe("a stack's name", () => {
  const text = `version: 1
deployments:
  chat: { source: external_container, name: "chat-\${stack}" }
  talk: { source: external_container, name: chat-prod }
stacks:
  codehost: { deployments: { shop: { source: "\${stack}" } } }
  prod: { deployments: { shop: { source: "\${stack}" } } }
`;

  it("is the name of each overlay's stack, whichever is selected", () => {
    expect(said(text, { stack: "dev" })).toEqual([expect.stringMatching(/^7: source: expected one of/)]);
  });

  it("may be wrong in one stack and right in all others, and the problem names the stack", () => {
    expect(said(text)).toEqual([
      '4: "talk" has the same name as "chat": change the `name` of one of them (in stack prod)',
      expect.stringMatching(/^7: source: expected one of/),
    ]);
  });
});

describe("a stack's key with a star", () => {
  const text = (keys: readonly string[]) => `version: 1
deployments: { chat: { source: codehost } }
stacks:
${keys.map((key) => `  "${key}": { deployments: { chat: { name: "${key.replaceAll("*", "x")}" } } }`).join("\n")}
`;
  const nameIn = (stack: string, ...keys: string[]) => /name: "(.*)"/.exec(generate(text(keys), stack))?.[1];

  it.each<[string, string[], string | undefined]>([
    ["pr-12", ["pr-*", "prod"], "pr-x"],
    ["prod", ["pr*", "prod"], "prod"],
    ["pr-12-eu", ["pr-*", "*-eu", "pr-*-eu"], "pr-x-eu"],
    ["pr-12-eu", ["*", "pr-*"], "pr-x"],
    ["dev", ["pr-*"], undefined],
    ["aba", ["ab*ba"], undefined],
    ["pr-", ["pr-*"], "pr-x"],
    ["pr-1-eu", ["pr-*", "*-eu", "*r-1-eu"], "xr-1-eu"],
    ["pr-1-eu", ["*-eu", "pr-*"], "x-eu"],
    ["pr-1-europe", ["*-eu"], undefined],
    ["axbyc", ["a*b*c", "*b*a*"], "axbxc"],
    [`${"a".repeat(100)}c`, ["*a*a*a*a*a*a*a*a*ab"], undefined],
  ])("is for %s of %j the one with the longest literal part, of several the first", (stack, keys, name) => {
    expect(nameIn(stack, ...keys)).toBe(name);
  });
});

describe("the program generated for a stack, run in the stack dev,", () => {
  standInForTheEngine();
  const text = (overlays: string) =>
    `version: 1\ndeployments: { chat: { source: internal_template } }\nstacks: { ${overlays} }\n`;
  const programFor = async (stack: string, overlays: string) => compile(generate(text(overlays), stack));

  it.each([
    ["its own", "dev", "dev: {}, prod: {}"],
    ["none", "prod", "dev: {}"],
    ["that of a pattern", "dev", "d*v: {}"],
  ])("declares the deployments if the overlay is %s", async (_, stack, overlays) => {
    expect(await outcomeOf(await programFor(stack, overlays))).toMatchObject([{ name: "chat" }]);
  });

  it.each(["prod", "pr-*"])("says in its first line that the overlay is that of %s", (name) => {
    const program = generate(text(`${name}: {}`), name.replace("*", "1"));
    expect(program).toMatch(/^\/\/ Generated by .+; remove this line to keep your edits/);
    expect(program.split(";")[0]).toContain(` for stack ${name}`);
  });
});
