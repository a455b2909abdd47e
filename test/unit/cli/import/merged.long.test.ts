/** What a manifest that an import added to declares, whatever its defaults say: exactly what the import file holds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManifestDeployment } from "../../../../schema/manifest";
import { check } from "../../../../provider/deployment/check";
import { parsePlanned } from "../../../../provider/deployment/stored";
import type { Values } from "../../../../schema/tree";
import { standard } from "../../../../provider/dialects/standard";
import { bulkFile } from "../../../../cli/import/bulk-file";
import { Existing } from "../../../../cli/import/existing";
import { withEntries } from "../../../../cli/import/insert";
import { manifestEntry } from "../../../../cli/import/manifest";
import { chooseImports } from "../../../../cli/import/choice";
import { checkManifest } from "../../../../provider/manifest/check-manifest";
import { SourceText } from "../../../../provider/manifest/source";
import { valueFromNode } from "../../../../provider/manifest/values";
import { escaped, toYaml } from "../../manifest/support";
import { validArguments } from "../../../support/arbitraries";
import { observedAs } from "../../../support/observed";
import { runs } from "../../../support/runs";

const sound = (text: string) => {
  const checked = checkManifest(new SourceText("deployments.yaml", text), {});
  return checked.problems.some(({ severity }) => severity === "error") ? undefined : checked;
};

/** What the program registers for a key. */
function declaredIn(text: string, key: string): Values {
  const { node } = sound(text)!.view!.deployments.get(key)!;
  const args = valueFromNode(node, ManifestDeployment, ({ parts }) => parts.join("")) as Values;
  return { name: key, ...args };
}

it("a manifest that an import added to declares what is in the import file, whatever its defaults are", () => {
  let compared = 0;
  fc.assert(
    fc.property(validArguments, validArguments, (there, { name: _, secretReferences: __, ...defaults }) => {
      const { revisionSource: _r, triggers: _t, adopt: _a, skipAwait: _s, ...own } = there;
      // No manifest takes such a key, and no service has it.
      fc.pre(!JSON.stringify(own).includes('"__proto__":'));
      const before = toYaml({ version: 1, defaults: escaped(defaults), deployments: {} });
      const checked = sound(before);
      if (checked === undefined) return;
      const existing = new Existing(checked.root, before);
      const { imported } = chooseImports([observedAs(own)], standard, existing);
      const after = withEntries(
        before,
        imported.map((each) => manifestEntry(each, existing.defaults)),
      )!;
      const [resource] = bulkFile(imported, standard).resources;
      const { name: key } = resource!;
      const { inputs } = check(undefined, declaredIn(after, key), standard);
      expect(inputs.arguments).toEqual(parsePlanned(resource!.inputs).arguments);
      compared++;
    }),
    runs(12),
  );
  expect(compared).toBeGreaterThan(3);
});

const plan = (text: string, names: readonly string[]) => {
  const existing = new Existing(sound(text)!.root, text);
  const found = names.map((name, index) =>
    observedAs({ name, source: "external_container" }, { id: `id-${index}`, secrets: { KEY: "hush" } }),
  );
  return chooseImports(found, standard, existing);
};

describe("what a manifest has already", () => {
  const image = "{ source: external_container }";

  it("is known by its name, whatever its key", () => {
    const text = `version: 1\ndeployments:\n  bot: { name: chat, source: external_container }\n  chat: { name: other, source: external_container }\n`;
    const { imported, kept } = plan(text, ["chat", "other", "bot"]);
    expect(kept.map(({ key, observed }) => [key, observed.name])).toEqual([
      ["bot", "chat"],
      ["chat", "other"],
    ]);
    expect(imported.map(({ key, observed }) => [key, observed.name])).toEqual([["bot-2", "bot"]]);
  });

  it("takes no key of an overlay, and no key of the configuration that is in use", () => {
    const text = `version: 1\n# \${config.searchKey}\ndeployments:\n  chat: ${image}\nstacks:\n  prod:\n    deployments: { search: { name: other, source: external_container } }\n`;
    const { imported } = plan(text, ["search"]);
    expect(imported).toMatchObject([{ key: "search-2", secrets: [{ configKey: "search2Key" }] }]);
    const taken = plan(`version: 1\n# \${config.searchKey}\ndeployments: {}\n`, ["search"]);
    expect(taken.imported).toMatchObject([{ secrets: [{ configKey: "searchKey-2" }] }]);
  });

  it.each([
    ["one stack alone has it", `deployments: {}\nstacks:\n  prod:\n    deployments: { chat: ${image} }\n`],
    [
      "a stack takes it away",
      `deployments: { chat: ${image} }\nstacks:\n  dev:\n    deployments: { chat: null }\n`,
    ],
    [
      "a reference makes its name",
      `deployments: { bot: { name: "ch\${stack}", source: external_container } }\n`,
    ],
  ])("is left out of both files and reported if %s", (_, text) => {
    const { imported, kept, skipped } = plan(`version: 1\n${text}`, ["chat"]);
    expect([imported, kept]).toEqual([[], []]);
    expect(skipped[0]!.reason).toMatch(/^may be the one that the manifest declares as (chat|bot): /);
  });
});

const named = (name: string) =>
  `version: 1\ndeployments:\n  bot: { name: "${name}", source: external_container }\n`;

it.each(["${env.X:-q}", "${config.name}", "${project}-${stack}", "${env.X:-q}-${stack}"])(
  "a name that is only known at run time is not compared, and prevents no import: %s",
  (name) => {
    const { imported, skipped } = plan(named(name), ["chat", "other-one"]);
    expect(imported.map(({ key }) => key)).toEqual(["chat", "other-one"]);
    expect(skipped).toEqual([]);
  },
);

it("of deployments with the same name, one is declared and the others are reported", () => {
  const { imported, skipped } = plan("version: 1\ndeployments: {}\n", ["same", "same", "other"]);
  expect(imported.map(({ observed }) => observed.id)).toEqual(["id-2", "id-0"]);
  expect(skipped).toEqual([
    { id: "id-1", name: "same", reason: "has the same name as id-0, and only one can be declared" },
  ]);
});
