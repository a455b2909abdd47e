import { describe, expect, it } from "vitest";
import { standard } from "../../../../provider/dialects/standard";
import { Existing } from "../../../../cli/import/existing";
import { withEntries } from "../../../../cli/import/insert";
import { manifestEntry } from "../../../../cli/import/manifest";
import { chooseImports } from "../../../../cli/import/choice";
import { checkManifest } from "../../../../provider/manifest/check-manifest";
import { SourceText } from "../../../../provider/manifest/source";
import { observed } from "./support";

const withSecrets = {
  secrets: [{ name: "MODEL_API_KEY", value: "hush" }],
};
const found = [
  observed({
    id: "00000000-0000-4000-8000-0000000000a1",
    name: "docs",
    source: "codehost",
    source_config: {
      install_command: "echo a\n\n  echo b\n",
      resource_spec: { labels: { "<<": "not merged", "app.example.com/name": "a: b # c" } },
    },
    source_revision_config: { repo_ref: "main" },
    ...withSecrets,
  }),
  observed({ id: "00000000-0000-4000-8000-0000000000a2", name: "search" }),
];

function added(text: string): string | undefined {
  const source = new SourceText("deployments.yaml", text);
  const { root, problems } = checkManifest(source, {});
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const existing = new Existing(root, source.text);
  const { imported } = chooseImports(found, standard, existing);
  return withEntries(
    text,
    imported.map((each) => manifestEntry(each, existing.defaults)),
  );
}

/** Whether one text is the other with something put in at one place. */
function isInsertion(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  return after.endsWith(before.slice(start));
}

const chat = "source: external_container";

describe("deployments put into a manifest", () => {
  it.each([
    ["one deployment", `version: 1\ndeployments:\n  chat:\n    ${chat}\n`],
    [
      "comments everywhere",
      `# top\nversion: 1 # one\n\ndeployments: # all\n  # first\n  chat: # it\n    ${chat} # src\n    # secrets:\n    #   KEY: \${config.key}\n  # last\n\n# end\n`,
    ],
    [
      "stacks behind them",
      `version: 1\ndeployments:\n  chat:\n    ${chat}\n    # secrets:\n\n# overlays\nstacks:\n  prod:\n    deployments:\n      chat: { secrets: { A: b } }\n`,
    ],
    ["no line break at the end", `version: 1\ndeployments:\n  chat:\n    ${chat}`],
    [
      "a wider indentation",
      `version: 1\ndeployments:\n      chat:\n         ${chat}\n      other:\n         ${chat}\nstacks: {}\n`,
    ],
    [
      "line breaks of another system",
      `version: 1\r\ndeployments:\r\n  chat:\r\n    ${chat}\r\n\r\nstacks: {}\r\n`,
    ],
    [
      "a block of text at its end",
      `version: 1\ndeployments:\n  chat:\n    ${chat}\n    sourceConfig:\n      buildCommand: |+\n        make\n        # no comment\n\n\nstacks: {}\n`,
    ],
    [
      "a folded text at its end",
      `version: 1\ndeployments:\n  chat:\n    ${chat}\n    sourceConfig:\n      buildCommand: "a\n        b"  # c\n`,
    ],
    ["brackets within lines", `version: 1\ndeployments:\n  chat: { ${chat} } # c\n`],
    [
      "a list at its end",
      `version: 1\ndeployments:\n  a: { ${chat} }\n  chat:\n    ${chat}\n    options:\n      dependsOn:\n      - a\n`,
    ],
    ["a deployment that is nothing yet", `version: 1\ndefaults: { ${chat} }\ndeployments:\n  chat:\n`],
    ["one document with its marks", `---\nversion: 1\ndeployments:\n  chat: { ${chat} }\n...\n`],
    [
      "anchors and merge keys",
      `version: 1\ndefaults: &d { ${chat} }\ndeployments: &all\n  chat: &c\n    <<: *d\n    sourceConfig: {}\n  two: *c\n`,
    ],
    ["quoted keys", `"version": 1\n'deployments':\n  "chat":\n    ${chat}\n`],
    ["no deployments", `version: 1\nstacks:\n  prod:\n    deployments: { chat: { ${chat} } }\n# end\n`],
    ["deployments before the version", `deployments:\n  chat: { ${chat} }\nversion: 1\n`],
  ])("leave every byte as it was, next to %s", (_, text) => {
    const result = added(text)!;
    expect(result).toBeDefined();
    expect(isInsertion(text, result)).toBe(true);
    const source = new SourceText("deployments.yaml", result);
    const { root, view, problems } = checkManifest(source, {});
    expect(problems).toEqual([]);
    const { defaults, keys } = new Existing(root, result);
    expect([...keys]).toEqual(expect.arrayContaining(["docs", "search"]));
    const docs = view!.deployments.get("docs")!.node;
    expect(JSON.stringify(new Existing(root).find("docs")!.declared)).toContain('"<<":"not merged"');
    expect(docs.kind).toBe("map");
    expect(defaults).toEqual(new Existing(checkManifest(new SourceText("", text), {}).root).defaults);
    if (text.includes("\r")) expect(result).not.toMatch(/[^\r]\n/);
  });

  it.each([
    ["{}", "version: 1\ndeployments: {} # none yet\nstacks: {}\n"],
    ["nothing", "version: 1\ndeployments: # none yet\nstacks: {}\n"],
    ["null", "version: 1\ndeployments: null\n# none yet"],
    ["nothing at the end", "# none yet\nversion: 1\ndeployments:"],
  ])("take the place of %s", (_, text) => {
    const result = added(text)!;
    expect(result).toMatch(/deployments:.*\n {2}docs:\n/);
    expect(result).toContain("# none yet");
    expect(checkManifest(new SourceText("", result), {}).problems).toEqual([]);
  });

  it.each([
    `version: 1\ndeployments: { chat: { ${chat} } }\n`,
    `{"version":1,"deployments":{"chat":{"source":"external_container"}}}`,
    `{"version":1,"deployments":{}}`,
  ])("cannot be added between brackets: %s", (text) => {
    expect(added(text)).toBeUndefined();
  });

  it("cannot be added if the deployments are an alias", () => {
    const text = `version: 1\nstacks:\n  prod:\n    deployments: &d\n      chat: { ${chat} }\ndeployments: *d\n`;
    expect(added(text)).toBeUndefined();
  });
});
