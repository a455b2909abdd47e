/** A state that someone edited, or that was damaged: it is read as it stands, or refused with the place. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import type { State } from "../../../provider/deployment/state";
import { parsePlanned, parseState, writeInputs, writeState } from "../../../provider/stored/stored";
import { standard } from "../../../provider/dialects/standard";
import { DeploymentError } from "../../../provider/errors";
import { withValueAt, type Values } from "../../../schema/tree";
import { runs } from "../../support/runs";

const state = {
  name: "chat",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  secrets: { KEY: "k-1" },
  generation: 2,
  tenantId: "t-1",
  status: "READY",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: null,
  latestRevisionId: "r-2",
  activeRevisionId: "r-1",
  url: null,
  __madeWith: { address: "https://example.com", dialect: "standard", keyDigest: "0123" },
  __private: {
    version: 1,
    rollout: { revision: null, previous: ["r-1"] },
    shown: { sourceConfig: { buildOnPush: false }, secrets: { KEY: "other" } },
    sent: { sourceConfig: { customUrl: "https://chat.example.com" } },
  },
};

/** As the engine stores it: the private state is one text. */
const stored = (values: Values) => ({ ...values, __private: JSON.stringify(values["__private"] ?? {}) });
const parse = (values: Values) => parseState(stored(values));

/** The places of a value that are read by their names. */
function placesIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]));
  return at.length === 0 ? inner : [[...at], ...inner];
}

const places = placesIn(state).filter(([first]) => !["sourceRevisionConfig", "secrets"].includes(first!));

describe("a state", () => {
  it("is read as it was written", () => {
    expect(writeState(parse(state))).toEqual(stored(state));
    expect(writeState(parseState({}))).toEqual({ __private: '{"version":1}' });
  });

  it("marks the inputs of an uncounted rollout with null, which the engine keeps and shows in no comparison", () => {
    const rollout = { revision: "r-2", previous: ["r-1"], isUncounted: true };
    const inputs = writeInputs(parse({ ...state, __private: { ...state.__private, rollout } }));
    expect(inputs).toMatchObject({ generation: 2, __unfinishedRollout: null });
    expect(parsePlanned(inputs)).toMatchObject({ generation: 2, hasUnfinishedRollout: true });
    expect(parsePlanned(writeInputs(parse(state))).hasUnfinishedRollout).toBeUndefined();
  });

  it.each([
    [["generation"], "two", /: generation expected a number, got a string\./],
    [
      ["__private", "rollout", "previous"],
      null,
      /: __private\.rollout\.previous expected a list, got null\./,
    ],
  ])("with a wrong %j is refused with the place and the way out", (place, value, expected) => {
    const broken = () => parse(withValueAt(state, place, value));
    expect(broken).toThrow(DeploymentError);
    expect(broken).toThrow(expected);
    expect(broken).toThrow("`pulumi stack export --version N`");
  });

  it.each([-1, 0, NaN, 1.5, "7"])("of a version that never existed (%s) is refused as damaged", (version) => {
    expect(() => parse({ __private: { version } })).toThrow(": __private.version expected 1.");
  });

  it("that holds anything anywhere is refused in words, or compared", () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
        let read: State;
        try {
          read = parse(withValueAt(state, place, value));
        } catch (error) {
          expect(error).toBeInstanceOf(DeploymentError);
          refused++;
          return;
        }
        diff(read, parsePlanned(state), standard);
      }),
      runs(200, 1),
    );
    expect(refused).toBeGreaterThan(25);
  });
});
