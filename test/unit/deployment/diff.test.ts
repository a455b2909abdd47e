import { describe, expect, it } from "vitest";
import { recounted } from "../../../provider/deployment/check";
import { diff } from "../../../provider/deployment/diff";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { parsePropertyPaths } from "../../../schema/property-path";
import { unknownValue, type Values } from "../../../schema/tree";
import { declared, least, stateWith } from "../../support/langsmith";
import { declare, stateAfter } from "../../support/service";

const first = declare();
const state = stateAfter(first);
const imagePatch = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" } };
const compare = (change: Values, options: Parameters<typeof diff>[3] = {}, before = state) =>
  diff(before, declare(change, first), standard, options);

describe("diff", () => {
  const itsLoss = "; its id changes, and usually its address; its data is not carried over";
  const newRevision = "creates a new revision";
  const noRevision = "updates settings, no new revision";
  const noneIfSame = "no new revision if the unknown values stay the same";

  it.each([
    [{}, undefined],
    [imagePatch, `${newRevision} (sourceRevisionConfig.imageUri)`],
    [
      { sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1 } }, secrets: { API_KEY: "new", B: "1" } },
      `${noRevision} (sourceConfig.buildOnPush, secrets: +B, ~API_KEY)`,
    ],
    [{ source: "codehost" }, `replaces the deployment (source)${itsLoss}`],
    [{ name: "talk" }, `replaces the deployment (name)${itsLoss}`],
    [{ triggers: 1, secrets: {} }, `${newRevision} (triggers); also changes secrets: -API_KEY`],
    // The output of another deployment, in a preview.
    [
      { sourceRevisionConfig: { imageUri: unknownValue }, secrets: unknownValue },
      `${newRevision} (sourceRevisionConfig.imageUri: not known yet); secrets: not known yet; ${noneIfSame}`,
    ],
    [
      { name: unknownValue },
      `replaces the deployment (name: not known yet); no replacement if the unknown values stay the same${itsLoss}`,
    ],
    // It may turn out to be absent.
    [{ triggers: unknownValue }, `${newRevision} (triggers: not known yet); ${noneIfSame}`],
    // A list, or a name of a map, that was not there before differs in any case.
    [{ triggers: ["a", unknownValue] }, `${newRevision} (triggers)`],
    [
      { secrets: { API_KEY: unknownValue, NEW: unknownValue } },
      `${noRevision} (secrets: +NEW, secrets.API_KEY: not known yet)`,
    ],
    [
      { secrets: { API_KEY: unknownValue } },
      `${noRevision} (secrets.API_KEY: not known yet); no update if the unknown values stay the same`,
    ],
  ])("explains a change in one line: %j", (change, explanation) => {
    expect(compare(change).explanation).toBe(explanation);
  });

  it.each([
    [
      "BUILD_FAILED",
      'its last revision failed (BUILD_FAILED): `up` fails again until a change makes a new one; to try again as it is, change `triggers` (`triggers: ["retry-1"]`; removing it later creates another revision)',
    ],
    ["BUILDING", "resumes waiting for its last rollout, no new revision"],
    [undefined, "resumes waiting for its last rollout, no new revision"],
  ])(
    "says what an unfinished rollout comes to if the revision was last seen as %s",
    (latestRevisionStatus, text) => {
      const rollout = { revision: "r2", previous: ["r1"] };
      const before = stateAfter(first, { latestRevisionId: "r2", latestRevisionStatus }, rollout);
      expect(diff(before, first, langsmith).explanation).toBe(text);
      const settings = declare({ sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 1 } } }, first);
      expect(diff(before, settings, langsmith).explanation).toBe(
        `updates settings, no new revision (sourceConfig.buildOnPush); ${text}`,
      );
    },
  );

  it("makes and counts no revision for what the service runs already, although the check counted one", () => {
    const graphConfigPath = "graph.json";
    const shown = { sourceRevisionConfig: { graphConfigPath } };
    const adopted = { ...state, private: { ...state.private, shown } };
    const { imageUri } = first.arguments.sourceRevisionConfig!;
    const declared = declare({ sourceRevisionConfig: { imageUri, graphConfigPath } }, first);
    expect(diff(adopted, declared, standard)).toMatchObject({
      plan: { effect: "none" },
      explanation: "changes nothing on the service (sourceRevisionConfig.graphConfigPath)",
    });
    const counted = { ...declared, generation: state.generation! + 1 };
    expect(recounted(counted, adopted, langsmith).generation).toBe(state.generation);
    expect(recounted(counted, state, langsmith).generation).toBe(counted.generation);
  });

  it("says of what only the state records that nothing changes on the service", () => {
    const local = { adopt: true, skipAwait: true, deleteTracingProject: true };
    const text = "changes nothing on the service (adopt, skipAwait, deleteTracingProject)";
    expect(compare(local).explanation).toBe(text);
    expect(diff(stateAfter(declare(local, first)), first, standard).explanation).toBe(text);
    const timeouts = { create: "45m" };
    const options = diff(state, first, standard, { timeouts }, false, {}).explanation;
    expect(options).toBe("changes nothing on the service (customTimeouts)");
  });

  it.each([
    [{ source: "codehost" }, true],
    [{ name: "talk" }, false],
  ])("deletes before a replacement exactly if that needs the name: %j", (change, isFirst) => {
    expect(compare(change).deleteBeforeReplace).toBe(isFirst);
  });

  it("warns of the secrets that a replacement loses, because the program does not declare them", () => {
    const shown = { secrets: { KEY: "others", API_KEY: "else" } };
    const imported = { ...state, private: { ...state.private, shown } };
    expect(compare({ name: "talk" }, {}, imported).warnings).toEqual([
      "the replacement will not have secrets that the program does not declare: KEY. Declare what you want to keep first",
    ]);
    expect(compare(imagePatch, {}, imported).warnings).toEqual([]);
    expect(compare({ name: "talk" }).warnings).toEqual([]);
  });
});

it.each(["sourceConfig", "sourceConfig.*", "sourceConfig.deploymentType", "shareable"])(
  "replaceOnChanges %s does not replace for what the service chose itself",
  (path) => {
    const shown = { ...state.private.shown, sourceConfig: { deploymentType: "prod" }, shareable: false };
    const before = { ...state, private: { ...state.private, shown } };
    const options = { replaceOnChanges: parsePropertyPaths([path]) };
    expect(compare(imagePatch, options, before).explanation).toBe(
      "creates a new revision (sourceRevisionConfig.imageUri)",
    );
    expect(compare({}, options, before).explanation).toBeUndefined();
  },
);

describe("replaceOnChanges replaces for what it covers, and for nothing else", () => {
  const sidecars = (image: string, ...more: object[]) => ({
    sourceConfig: { resourceSpec: { sidecars: [{ name: "a", image }, ...more] } },
    triggers: { build: [image] },
  });
  const before = declare(sidecars("x:1"));
  it.each([
    ["sourceConfig.resourceSpec.sidecars[*].image", sidecars("x:2"), true],
    ["sourceConfig.resourceSpec.sidecars[0]", sidecars("x:2"), true],
    ["sourceConfig.resourceSpec.sidecars[1].image", sidecars("x:2"), false],
    ["sourceConfig.resourceSpec.sidecars[*].env", sidecars("x:2"), false],
    ["sourceConfig.resourceSpec.sidecars[1]", sidecars("x:1", { name: "b" }), true],
    ["triggers.build[*]", sidecars("x:2"), true],
    ["*", sidecars("x:2"), true],
    ["sourceConf", sidecars("x:2"), false],
  ])("%s", (path, after, isReplaced) => {
    const { explanation } = diff(stateAfter(before), declare(after, before), standard, {
      replaceOnChanges: parsePropertyPaths([path]),
    });
    expect(explanation?.startsWith("replaces the deployment")).toBe(isReplaced);
  });
});

describe("a preview warns", () => {
  it("of a resource option that names no argument", () => {
    const paths = ["sourceRevisionConfig.imageURI", 'secrets["X"]', "*", "sourceConfig.*", "generation.x"];
    const ignoreChanges = parsePropertyPaths(paths);
    expect(compare({}, { ignoreChanges }).warnings).toEqual([
      "`ignoreChanges` mentions sourceRevisionConfig.imageURI, which is not an argument: it has no effect",
      "`ignoreChanges` mentions generation.x, which is not an argument: it has no effect",
    ]);
  });

  const warningsOf = (before: Values, after: Values) => {
    const old = declared(before);
    return diff(stateWith(old), declared(after, old), langsmith).warnings;
  };
  const chat = { ...least.external_container, secrets: { A: "1" } };

  it("of values that are no longer declared and that the service cannot clear (B04, G06, G07)", () => {
    const { secrets: _, ...without } = chat;
    const kept = "is no longer declared but stays: this service cannot clear it";
    expect(warningsOf({ ...chat, sourceConfig: { customUrl: "https://a.example.com" } }, without)).toEqual([
      `sourceConfig.customUrl ${kept}`,
      `secrets.A ${kept}`,
    ]);
    // Nothing else is said of a database that stays.
    const database = { POSTGRES_URI_CUSTOM: "postgres://db/chat" };
    expect(warningsOf({ ...chat, secrets: database }, { ...chat, secrets: {} })).toEqual([
      `secrets.POSTGRES_URI_CUSTOM ${kept}`,
    ]);
    expect(warningsOf({ ...chat, secrets: { A: "1", B: "2" } }, chat)).toEqual([]);
    expect(warningsOf(least.codehost, { ...least.codehost, sourceConfig: unknownValue })).toEqual([]);
  });
});
