/** What the public service wants to be told when a deployment is created, although the program leaves it open. */
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { create } from "../../../provider/deployment/create";
import { valueAt, withValueAt, type Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { sources } from "../../../schema/enums";
import { declared, least } from "../../support/langsmith";
import { served, setUp } from "../../support/service";

const tier = "sourceConfig.deploymentType";
const push = "sourceConfig.buildOnPush";
const spec = "sourceConfig.resourceSpec";
const at = (values: Values, path: string) => valueAt(values, path.split("."));

async function created(given: Values, answered: Values = {}) {
  const inputs = declared(given);
  const { context, service, clock } = setUp({ create: [served(inputs, answered)] }, { dialect: langsmith });
  const { state } = await clock.run(create(context, inputs));
  return { inputs, state, sent: service.calls[0]![1] as Values };
}

describe("what a program leaves open", () => {
  const expected: Record<(typeof sources)[number], Values> = {
    codehost: { [tier]: "prod", [push]: false },
    external_container: { [spec]: {} },
    internal_container: {},
    internal_source: {},
    internal_template: { [tier]: "prod" },
  };

  it.each(sources)(
    "is sent as source %s needs it, and nothing else is (A10, A11, A12, A13)",
    async (source) => {
      const { inputs, sent } = await created(least[source]);
      const completed = Object.entries(expected[source]).reduce<Values>(
        (all, [path, value]) => withValueAt(all, path.split("."), value),
        inputs.arguments,
      );
      expect(sent).toEqual(completed);
    },
  );

  it("does not count as declared, and what the service makes of it is no difference (A12)", async () => {
    for (const source of sources) {
      const sourceConfig = { deploymentType: "prod", buildOnPush: false, resourceSpec: { cpu: 1 } };
      const { inputs, state } = await created(least[source], { sourceConfig });
      for (const path of [tier, push, spec])
        expect(at(state.arguments, path), `${source} ${path}`).toBeUndefined();
      expect(diff(state, inputs, langsmith).plan.kind, source).toBe("none");
    }
  });
});

it("what a program chooses is sent as it is (A14)", async () => {
  const chosen = { ...least.codehost, sourceConfig: { ...(least.codehost["sourceConfig"] as Values) } };
  for (const [path, value] of Object.entries({ [tier]: "dev", [push]: true })) {
    const { sent } = await created(withValueAt(chosen, path.split("."), value));
    expect(at(sent, path)).toBe(value);
  }
  const sized = { ...least.external_container, sourceConfig: { resourceSpec: { cpu: 2 } } };
  expect(at((await created(sized)).sent, spec)).toEqual({ cpu: 2 });
});
