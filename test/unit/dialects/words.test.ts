/** `serverless` and `dedicated`: words for what the public service calls `dev_zero` and `prod`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/deployment/check";
import { langsmith } from "../../../provider/dialects/langsmith";
import { bulkFile } from "../../../cli/import/bulk-file";
import { chooseImports } from "../../../cli/import/choice";
import { newManifest } from "../../../cli/import/imported-manifest";
import { checkManifest } from "../../../provider/manifest/check-manifest";
import { SourceText } from "../../../provider/manifest/source";
import { unknownValue, type Values } from "../../../schema/tree";
import { langsmith as rules } from "../../../emulator";
import { ask, create, start } from "../cli/service-commands";
import { observed } from "../cli/import/support";

const words = { serverless: "dev_zero", dedicated: "prod" };
const pairs = Object.entries(words);
const typed = (deploymentType: unknown, more: Values = {}) => ({
  name: "chat",
  source: "internal_template",
  sourceConfig: { deploymentType, ...more },
});
const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith", DEPLOYMENT_SERVICE_POLL_INTERVAL: "1ms" };

describe("check", () => {
  it("makes the same of both words, and of what it made itself", () => {
    const word = fc.oneof(fc.constantFrom(...Object.keys(words), ...Object.values(words)), fc.string());
    fc.assert(
      fc.property(word, fc.option(fc.constantFrom("SERVERLESS_S", "DEDICATED_M")), (given, tier) => {
        const more = tier === null ? {} : { deploymentTier: tier };
        const service = Object.hasOwn(words, given) ? words[given as keyof typeof words] : given;
        const { inputs, ...rest } = check(undefined, typed(given, more), langsmith);
        expect({ inputs, ...rest }).toEqual(check(undefined, typed(service, more), langsmith));
        expect(check(inputs, inputs.arguments, langsmith).inputs).toEqual(inputs);
      }),
    );
  });

  it("leaves a word that is not known yet, and an unknown object around it, as it is", () => {
    for (const given of [typed(unknownValue), { ...typed("dev"), sourceConfig: unknownValue }])
      expect(check(undefined, given, langsmith).inputs.arguments).toEqual(given);
  });

  it.each(["Serverless", "zero", "constructor"])(
    "names another text, %s, in a warning, and sends it",
    (word) => {
      const { inputs, failures, warnings } = check(undefined, typed(word), langsmith);
      expect([failures, inputs.arguments]).toEqual([[], typed(word)]);
      expect(warnings).toEqual([
        {
          property: "sourceConfig.deploymentType",
          reason: expect.stringMatching(
            `^"${word}" is not one .* \\(serverless, dedicated, dev_free,`,
          ) as string,
        },
      ]);
    },
  );

  it("refuses a tier of the other family in the words that users know", () => {
    const { failures } = check(undefined, typed("serverless", { deploymentTier: "DEDICATED_S" }), langsmith);
    expect(failures[0]?.reason).toMatch(/^must be one of SERVERLESS_S, .* serverless \(dev_zero\), /);
  });
});

describe("an import", () => {
  it.each(["dev_zero", "prod"])(
    "of %s writes the word into the manifest, and the service's into the state",
    (type) => {
      const dialect = { ...langsmith, defaults: {} };
      const shown = observed({ source: "internal_source", source_config: { deployment_type: type } });
      const { imported } = chooseImports([shown], dialect);
      const [word] = pairs.find(([, each]) => each === type)!;
      expect(newManifest(imported, dialect)).toContain(`deploymentType: ${word}\n`);
      const [{ inputs, outputs } = {}] = bulkFile(imported, dialect).resources;
      expect([inputs, outputs].map((each) => (each as Values | undefined)?.["sourceConfig"])).toEqual([
        expect.objectContaining({ deploymentType: type }),
        expect.objectContaining({ deploymentType: type }),
      ]);
    },
  );
});

describe("a command", () => {
  it("filters by both words, and shows the one that users know", async () => {
    const emulator = await start({ rules });
    const config = (type: string) => ({
      source: "internal_template",
      source_config: { deployment_type: type },
    });
    for (const [name, type] of [
      ["zero", "dev_zero"],
      ["always", "prod"],
      ["small", "dev"],
    ] as const)
      create(emulator, name, config(type));
    for (const [word, type] of pairs) {
      const lists = [];
      for (const each of [word, type])
        lists.push((await ask(emulator, ["list", "--deployment-type", each], { env })).stdout);
      expect(lists[0]).toBe(lists[1]);
      expect(lists[0]).toMatch(new RegExp(`TYPE .*\\n\\w+ +.* ${word} `));
      expect(lists[0]).not.toContain("small");
    }
    for (const command of ["list", "status"]) {
      const { stdout } = await ask(emulator, [command, "--json"], { env });
      const types = (JSON.parse(stdout) as { type: string }[]).map(({ type }) => type);
      expect(types.sort()).toEqual(["dedicated", "dev", "serverless"]);
    }
  });
});

describe("a manifest", () => {
  const problemsOf = (type: string, tier: string, dialect = "langsmith") => {
    const config = `{ deploymentType: "${type}", deploymentTier: ${tier} }`;
    const text = `version: 1\ndialect: ${dialect}\ndeployments:\n  chat:\n    source: internal_template\n    sourceConfig: ${config}\n`;
    const source = new SourceText("deployments.yaml", text);
    return checkManifest(source, { env: { TYPE: "serverless" } }).problems.map(({ message }) => message);
  };

  it.each(["serverless", "dev_zero", "${env.TYPE}", "${env.NONE:-serverless}"])("takes %s", (type) => {
    expect(problemsOf(type, "SERVERLESS_S")).toEqual([]);
    expect(problemsOf(type, "DEDICATED_S")).toEqual([expect.stringContaining("serverless (dev_zero)")]);
  });
});
