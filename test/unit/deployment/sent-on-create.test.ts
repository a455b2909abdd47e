/** What the public service expects when a deployment is created, although the program leaves it open. */
import { expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { langsmith } from "../../../provider/dialects/langsmith";
import type { sources } from "../../../schema/enums";
import { valueAt, withValueAt, type Values } from "../../../schema/tree";
import { declared, least } from "../../support/langsmith";
import { creating, served } from "../../support/service";

const [tier, push, spec] = ["deploymentType", "buildOnPush", "resourceSpec"].map((name) => [
  "sourceConfig",
  name,
]);
type Place = readonly string[];

async function created(given: Values, answered: Values = {}) {
  const inputs = declared(given);
  const { work, service } = creating({ create: [served(inputs, answered)] }, inputs, { dialect: langsmith });
  return { inputs, state: (await work).state, sent: service.calls[0]![1] as Values };
}

it.each<[(typeof sources)[number], [Place, unknown][]]>([
  [
    "codehost",
    [
      [tier!, "prod"],
      [push!, false],
    ],
  ],
  ["external_container", [[spec!, {}]]],
  ["internal_container", []],
  ["internal_source", []],
  ["internal_template", [[tier!, "prod"]]],
])(
  "source %s is sent what it needs, which does not count as declared (A10 to A13)",
  async (source, added) => {
    const sourceConfig = { deploymentType: "prod", buildOnPush: false, resourceSpec: { cpu: 1 } };
    const { inputs, state, sent } = await created(least[source], { sourceConfig });
    expect(sent).toEqual(
      added.reduce<Values>((all, [path, value]) => withValueAt(all, path, value), inputs.arguments),
    );
    for (const path of [tier!, push!, spec!])
      expect(valueAt(state.arguments, path), path.join()).toBeUndefined();
    expect(diff(state, inputs, langsmith).plan.effect).toBe("none");
  },
);

it.each<[Place, unknown, Values]>([
  [tier!, "dev", least.codehost],
  [push!, true, least.codehost],
  [spec!, { cpu: 2 }, least.external_container],
])("a value that the program chooses is sent as it is: %j (A14)", async (path, value, given) => {
  expect(valueAt((await created(withValueAt(given, path, value))).sent, path)).toEqual(value);
});
