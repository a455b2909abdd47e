/** Names of a manifest in a generated program. */
import { beforeAll, expect, it } from "vitest";
import { print } from "../../../cli/generate/code";
import { registrationsOf, standInForTheEngine } from "./engine-stand-in";
import { compile, generate } from "./generated";

beforeAll(standInForTheEngine);

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
