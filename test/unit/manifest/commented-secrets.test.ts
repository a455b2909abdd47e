/** What an import leaves commented is code in a generated program: uncommented, it declares the secrets. */
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { standard } from "../../../provider/dialects/standard";
import { chooseImports } from "../../../cli/import/choice";
import { newManifest } from "../../../cli/import/imported-manifest";
import { print } from "../../../cli/generate/code";
import { runs } from "../../support/runs";
import { observed } from "../cli/import/support";
import { registrationsOf, standInForTheEngine } from "./engine-stand-in";
import { compile, generate } from "./generated";

beforeAll(standInForTheEngine);

const name = fc.stringMatching(/^[\w.-]{1,12}$/).filter((each) => each !== "__proto__");

it("for every name of a variable", async () => {
  const special = [
    "null",
    "A-B",
    "constructor",
    // The SDK fails for an argument with a member of this name, if it is not sealed.
    "toString",
    "1",
    "true",
    "it's",
    'quo"te',
    "back\\slash",
    "a b",
    "a: b",
    "#",
  ];
  const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom(...special)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const { imported } = chooseImports(
        [observed({ secrets: all.map((each) => ({ name: each, value: "hush" })) })],
        standard,
      );
      const keys = imported[0]!.secrets.map(({ configKey }) => [`shop:${configKey}`, configKey]);
      pulumi.runtime.setAllConfig(Object.fromEntries(keys));
      const program = generate(newManifest(imported, standard));
      const block = /^ *\/\/ secrets: \{\n(?: *\/\/ .*\n)* *\/\/ \},\n/m;
      expect(program).toMatch(block);
      const uncommented = program.replace(block, (text) => text.replace(/^ *\/\/ /gm, ""));
      const [chat] = await registrationsOf(await compile(uncommented));
      const { secrets } = chat!.inputs as { secrets: { value: object } };
      expect(JSON.stringify(Object.keys(secrets.value ?? secrets).sort())).toBe(
        JSON.stringify([...all].sort()),
      );
      // Nothing is declared before.
      expect((await registrationsOf(await compile(program)))[0]!.inputs).not.toHaveProperty("secrets");
    }),
    runs(30),
  );
});

it("a key `__proto__` in generated code is a key like any other", () => {
  const text = print({ members: [{ key: "__proto__", value: '"a"' }] }, "", 0);
  expect(Object.keys(new Function(`return ${text}`)() as object)).toEqual(["__proto__"]);
});

it.each(["undefined", "globalThis", "class", "await", "a.b-", "Deployment", "config", "pulumi"])(
  "a program with the deployment %s compiles",
  async (key) => {
    const program = generate(`version: 1\ndeployments: { ${key}: { source: internal_template } }\n`);
    expect(program).not.toMatch(/^const (undefined|globalThis|class|await|config|pulumi) /m);
    expect((await registrationsOf(await compile(program))).map((each) => each.name)).toEqual([key]);
  },
);
