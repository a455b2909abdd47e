import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { stringify } from "yaml";
import { fromManifest } from "../../../provider";
import { dialects } from "../../../provider/dialects";
import { findingsOf, reasonText } from "../../../provider/dialects/service-rules";
import { checkManifest } from "../../../provider/manifest/check-manifest";
import { SourceText } from "../../../provider/manifest/source";
import { dialectNames } from "../../../schema/manifest";
import { cli } from "../cli/support";
import { validArguments } from "../../support/arbitraries";
import { outcomeOf, standInForTheEngine } from "./engine-stand-in";

const badName = "version: 1\ndeployments:\n  My_Chat: { source: internal_template }\n";
const ofDialect = (name: string, text = badName) =>
  text.replace("version: 1\n", `version: 1\ndialect: ${name}\n`);
/** Of two fields, the second is for another source. */
const foreignField = `version: 1
deployments:
  chat:
    source: external_container
    sourceConfig: { buildOnPush: true, resourceSpec: {} }
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" }
`;
const notOfSource = "sourceConfig.buildOnPush is not for source external_container";
const told = "must have at most 63 lowercase letters";

async function validate(stdin: string, words: string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await cli(["validate", "-", ...words], { stdin, env });
  return { code, text: stdout + stderr };
}

describe("the rules of the service", () => {
  it("have the names that the schema knows", () => {
    expect([...dialectNames].sort()).toEqual(Object.keys(dialects).sort());
  });

  const inEnvironment = (DEPLOYMENT_SERVICE_DIALECT: string) => ({ DEPLOYMENT_SERVICE_DIALECT });

  it.each([
    ["the flag", badName, ["--dialect", "langsmith"], {}],
    ["the file", ofDialect("langsmith"), [], {}],
    ["the environment", badName, [], inEnvironment("langsmith")],
    ["the flag, whatever else", ofDialect("standard"), ["--dialect", "langsmith"], {}],
    ["the file, whatever the environment", ofDialect("langsmith"), [], inEnvironment("standard")],
    ["a reference", ofDialect("${env.DIALECT}"), [], { DIALECT: "langsmith" }],
  ])("are chosen by %s", async (_, text, words, env) => {
    const { code, text: shown } = await validate(text, words, env);
    expect(shown).toContain(told);
    expect(code).toBe(1);
  });

  it("are those of dialect standard by default", async () => {
    for (const text of [badName, ofDialect("null")]) expect(await validate(text)).toMatchObject({ code: 0 });
  });

  const choice = "must be one of standard, langsmith";
  it.each([
    [["--dialect", "langsmth"], {}, `--dialect ${choice}; did you mean "langsmith"?`],
    [[], inEnvironment("none"), `DEPLOYMENT_SERVICE_DIALECT ${choice}`],
  ])("of no known service are wrong usage: %j %j", async (words, env, message) => {
    const { code, text } = await validate(badName, words, env);
    expect(text).toContain(message);
    expect(code).toBe(2);
  });

  it("are stricter at the address of a public host", async () => {
    const text = "version: 1\ndeployments: { chat: { source: internal_template, secrets: { PORT: '1' } } }\n";
    const env = { DEPLOYMENT_SERVICE_URL: "https://api.host.langchain.com" };
    expect(await validate(text, ["--dialect", "langsmith"])).toMatchObject({ code: 0 });
    const { code, text: shown } = await validate(text, ["--dialect", "langsmith"], env);
    expect(shown).toContain("secrets.PORT is a reserved name");
    expect(code).toBe(1);
  });

  it("are the same in a file as in a preview, except for warnings about new deployments", () => {
    fc.assert(
      fc.property(validArguments, fc.constantFrom(...dialectNames), (given, name) => {
        // A name with an escaped reference is not judged in a file.
        fc.pre(typeof given["name"] !== "string" || !given["name"].includes("${"));
        const dialect = dialects[name]!;
        const text = stringify({ version: 1, deployments: { key: given } }, { aliasDuplicateObjects: false });
        const source = new SourceText("file.yaml", Buffer.from(text.replaceAll("${", "$${")));
        const { problems } = checkManifest(source, { dialect: { name, is: "default" } });
        const said = problems.filter(({ rule }) => rule === "dialect").map(({ message }) => message);
        const expected = findingsOf({ name: "key", ...given }, dialect, given["adopt"] !== true)
          .filter(
            ({ kind, isWarning, isOnlyForCreation }) => kind !== "early" && !(isWarning && isOnlyForCreation),
          )
          .map((each) => {
            return `${each.property} ${reasonText(each)}${each.isOnlyForCreation && !each.isWarning ? hint : ""}`;
          });
        expect(said.sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe("a name that holds the stack's", () => {
  const named = (name: string, stacks: string) => `version: 1
dialect: langsmith
deployments:
  chat:
    name: ${name}
    source: external_container
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" }
stacks: { ${stacks} }
`;
  const own = { DEPLOYMENT_SERVICE_URL: "https://platform.example.com/api-host" };
  it("is shown as it comes out, at its own place and not at that of the stack's overlay", async () => {
    const changed = named(
      "conversations-${stack}",
      "production: { deployments: { chat: { adopt: false } } }",
    );
    for (const words of [[], ["--stack", "production"]]) {
      const { text: shown } = await validate(changed, words, own);
      expect(shown).toMatch(/^<stdin>:5:11: name "conversations-production" \(24 characters\) must have/);
    }
    expect((await validate(changed, ["--stack", "dev"], own)).code).toBe(0);
  });
});

const hint = "; use `adopt: true` to take over an existing one";

describe("fromManifest", () => {
  const folder = mkdtempSync(join(tmpdir(), "dialect-"));
  const file = join(folder, "deployments.yaml");
  const register = async (text: string, config: Record<string, string>) => {
    standInForTheEngine();
    pulumi.runtime.setAllConfig(config);
    writeFileSync(file, text);
    return outcomeOf(() => fromManifest(file));
  };
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    rmSync(file, { force: true });
  });

  it("applies the rules of the stack's service, with their places", async () => {
    const outcome = await register(foreignField, { "deployment-service:dialect": "langsmith" });
    expect(String(outcome)).toContain(`deployments.yaml:5:21: ${notOfSource}`);
    expect(await register(foreignField, {})).toHaveLength(1);
    vi.stubEnv("DEPLOYMENT_SERVICE_DIALECT", "langsmith");
    expect(String(await register(foreignField, {}))).toContain(notOfSource);
  });

  it("registers nothing of a file that is for another service", async () => {
    const outcome = await register(ofDialect("langsmith"), {});
    expect(String(outcome)).toContain(
      "deployments.yaml:2:10: dialect: the file is for dialect langsmith, but the stack's connection uses standard; " +
        "run `pulumi config set deployment-service:dialect langsmith`, or change the file",
    );
    const sound = ofDialect("langsmith", badName.replace("My_Chat", "chat"));
    expect(await register(sound, { "deployment-service:dialect": "langsmith" })).toHaveLength(1);
  });
});
