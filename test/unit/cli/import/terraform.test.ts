import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTerraformState } from "../../../../cli/import/terraform";
import { keysFor } from "../../../../cli/import/keys";
import { codePoint } from "../../../support/arbitraries";
import { canary, expectNoTrace } from "../../../support/canary";
import { shownState, stateFile, type Resource } from "../../../support/terraform";

const environment = canary("environment");
const id = (digit: number) => `00000000-0000-4000-8000-0000000000${String(digit).padStart(2, "0")}`;
const read = (resources: readonly Resource[]) => readTerraformState(stateFile(resources, { environment }));
const keysIn = (...resources: Resource[]) =>
  read(resources.map((each, at) => ({ id: id(at), ...each }))).deployments.map(({ key }) => key);

describe("a state of Terraform", () => {
  it("holds deployments by their addresses, in the file and as it is shown", () => {
    const resources: Resource[] = [
      { name: "agent", id: id(1) },
      { name: "search", id: id(2), index: 'a "b" ${c}' },
      { module: 'module.eu["x"]', name: "agent", id: id(3), index: 0 },
      { module: 'module.eu["x"].module.inner', name: "agent", id: id(4) },
    ];
    const addresses = [
      "langsmith_deployment.agent",
      'langsmith_deployment.search["a \\"b\\" $${c}"]',
      'module.eu["x"].langsmith_deployment.agent[0]',
      'module.eu["x"].module.inner.langsmith_deployment.agent',
    ];
    const state = read(resources);
    expect(state.deployments.map(({ address }) => address)).toEqual(addresses);
    expect(readTerraformState(shownState(resources, addresses, { environment }))).toEqual(state);
    expect(readTerraformState(`\ufeff${stateFile(resources, { environment })}\n`)).toEqual(state);
    expectNoTrace(JSON.stringify(state), { environment });
  });

  it("has no data sources, and names deposed deployments and those without an id", () => {
    expect(
      read([
        { name: "agent", id: id(1) },
        { name: "agent", id: id(2), isDeposed: true },
        { name: "read", id: id(3), mode: "data" },
        { name: "begun", id: null },
        { name: "odd", id: environment },
        { name: "role", type: "langsmith_workspace_role", id: id(4) },
      ]),
    ).toEqual({
      deployments: [{ address: "langsmith_deployment.agent", id: id(1), key: "agent", workspace: id(1) }],
      deposed: [{ address: "langsmith_deployment.agent", id: id(2) }],
      withoutId: ["langsmith_deployment.begun", "langsmith_deployment.odd"],
      others: 1,
    });
  });

  it("names the workspace of a deployment, in the file and as it is shown", () => {
    const resources = [{ name: "agent", id: id(1), workspace: id(7) }];
    const shown = shownState(resources, ["langsmith_deployment.agent"], { environment });
    for (const state of [read(resources), readTerraformState(shown)])
      expect(state.deployments).toMatchObject([{ workspace: id(7) }]);
  });

  it("with nothing but deposed deployments says what Terraform still has to do", () => {
    expect(() => read([{ name: "agent", id: id(2), isDeposed: true }])).toThrow(
      `contains only deployments that Terraform still has to delete: langsmith_deployment.agent (${id(2)}). Run`,
    );
  });

  it("gives each a key from its address", () => {
    expect(keysIn({ name: "agent", index: 0 }, { name: "agent", index: "eu" })).toEqual([
      "agent-0",
      "agent-eu",
    ]);
    expect(keysIn({ name: "agent" }, { module: "module.eu", name: "agent" })).toEqual(["agent", "eu-agent"]);
    const [a, b] = ['module.a["x"]', "module.b.module.c"].map((module) => ({ module, name: "agent" }));
    expect(keysIn(a!, b!)).toEqual(["a-x-agent", "b-c-agent"]);
  });

  it("gets valid and unique keys, whatever its addresses", () => {
    const word = fc.string({ minLength: 1, maxLength: 5, unit: codePoint });
    const resource = fc.record({
      name: fc.stringMatching(/^[a-z_][a-z0-9_-]{0,3}$/),
      index: fc.option(fc.oneof(word, fc.nat(3)), { nil: undefined }),
      module: fc.option(fc.constantFrom("module.a", "module.a[0]", "module.a.module.b"), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(resource, { minLength: 1, maxLength: 8 }), (resources) => {
        const keys = keysFor(keysIn(...(resources as Resource[])));
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[A-Za-z][A-Za-z0-9_.-]*$/);
      }),
    );
  });
});

const show = "`terraform show -json > state.json` (or `tofu show`) writes one";
const noState = `is JSON, but not a state that can be read, like a plan or an encrypted state; ${show}`;

const json = (value: object) => JSON.stringify(value);

it.each([
  ["nothing", " \n", `is empty; ${show}`],
  ["HCL", 'resource "langsmith_deployment" "agent" {}', `is not JSON; ${show}`],
  ["a plan", "PK\u0003\u0004\u0014", `is not JSON; ${show}`],
  ["a plan as it is shown", json({ format_version: "1.2", planned_values: {} }), noState],
  ["a state of another version", json({ version: 3, serial: 1, modules: [] }), noState],
  [
    "an encrypted state",
    json({ serial: 1, lineage: "x", encrypted_data: "b2s=", encryption_version: "v0", meta: {} }),
    noState,
  ],
  ["other JSON", json({ name: "x" }), noState],
  ["a list", "[]", noState],
  [
    "a damaged state",
    json({ version: 4, resources: [{ name: environment }] }),
    `is a damaged state; ${show}`,
  ],
  ["a state without resources", json({ version: 4, resources: [] }), "contains no langsmith_deployment"],
  ["the same as it is shown", json({ format_version: "1.0" }), "contains no langsmith_deployment"],
  [
    "deployments that were never created",
    stateFile([{ name: "agent" }], { environment }),
    "contains no created deployment: none of them has an id",
  ],
  [
    "other resources",
    stateFile([{ name: "role", type: "langsmith_workspace_role" }], { environment }),
    "contains no langsmith_deployment",
  ],
])("a file without deployments of Terraform is refused in a sentence: %s", (_, text, message) => {
  expect(() => readTerraformState(text)).toThrow(message);
});
