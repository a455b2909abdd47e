/** The table of `merge.ts`, row by row, and what holds for all arguments. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, isDrift, mergeMembers, type Row } from "../../../provider/deployment/merge";
import { shownAfterRead } from "../../../provider/deployment/shown";
import { standard } from "../../../provider/dialects/standard";
import { parsePropertyPaths } from "../../../schema/property-path";
import { asObject, formatPath, type Values } from "../../../schema/tree";
import { normalisedArguments } from "../../support/arbitraries";
import { observed, observedAs, withDrift } from "../../support/observed";

const chat = { name: "chat", source: "external_container" };
const sized = (cpu: number | undefined) =>
  cpu === undefined ? undefined : { sourceConfig: { resourceSpec: { cpu } } };
const told = (row: Row) => {
  const { path, was, is, wants, whose } = row;
  const values = `was ${String(was)}, is ${String(is)}, wants ${String(wants)}`;
  return `${formatPath(path)}: ${values}: ${whose}${isDrift(row) ? ", drift" : ""}`;
};

const cpu = "sourceConfig.resourceSpec.cpu";
/** Versions of a number of processors, and what `ignoreChanges` covers. */
interface Versions {
  readonly is: number;
  readonly wants?: number;
  readonly shown?: number;
  readonly sent?: number;
  readonly ignored?: string;
}

describe("a value", () => {
  it.each<[what: string, row: string | undefined, versions: Versions]>([
    ["as declared has no row", undefined, { is: 1, wants: 1 }],
    ["that someone changed is drift", "was 1, is 2, wants 1: program, drift", { is: 2, wants: 1 }],
    ["that was just sent is the service's", "was 1, is 2, wants 1: service", { is: 2, wants: 1, sent: 1 }],
    ["that was normalized before is known", "was 2, is 2, wants 1: program", { is: 2, wants: 1, shown: 2 }],
    [
      "that was normalized and is changed again is drift",
      "was 2, is 3, wants 1: program, drift",
      { is: 3, wants: 1, shown: 2 },
    ],
    ["that is not declared is others'", "was 1, is 2, wants undefined: others", { is: 2, shown: 1 }],
    [
      "that `ignoreChanges` covers is left alone",
      "was 1, is 2, wants 1: ignored",
      { is: 2, wants: 1, ignored: cpu },
    ],
  ])("%s", (_, expected, { is, wants, shown, sent, ignored }) => {
    const rows = compare({
      declared: { ...chat, sourceConfig: {}, ...sized(wants) },
      live: observed(sized(is)),
      shown: sized(shown),
      sent: sized(sent),
      ignoreChanges: parsePropertyPaths(ignored === undefined ? [] : [ignored]),
    });
    expect(rows.map(told)).toEqual(expected === undefined ? [] : [`${cpu}: ${expected}`]);
  });
});

describe("a secret", () => {
  it.each<[what: string, is: Record<string, string | null>, shown: Values, whose: string | undefined]>([
    ["as declared has no row", { A: "a" }, {}, undefined],
    ["that is masked is not compared", { A: "***" }, {}, "hidden"],
    ["that someone changed is drift", { A: "b" }, {}, "program"],
    ["that is gone is drift", {}, {}, "program"],
    ["that was shown as something else is not compared", { A: "c" }, { A: "b" }, "hidden"],
    ["that was shown as something else and is gone is drift", {}, { A: "b" }, "program"],
    ["that was never shown is not compared", {}, { A: null }, "hidden"],
  ])("%s", (_, is, shown, whose) => {
    const live = observed({ secrets: is });
    const [row] = compare({ declared: { ...chat, secrets: { A: "a" } }, live, shown: { secrets: shown } });
    expect(row?.whose).toBe(whose);
    expect(row !== undefined && isDrift(row)).toBe(whose === "program");
  });
});

describe("for all arguments,", () => {
  it("what a refresh took over and recorded is no drift in the next one", () => {
    fc.assert(
      fc.property(normalisedArguments, normalisedArguments, (declared, others) => {
        const { name, source } = declared as { name: string; source: string };
        const live = observedAs({ ...others, name, source });
        const before = { arguments: declared, private: {} };
        const rows = compare({ declared, live });
        const args = withDrift(declared, live);
        const { shown } = shownAfterRead({ args, before, dialect: standard, live, rows });
        expect(compare({ declared: args, live, shown }).filter(isDrift)).toEqual([]);
      }),
    );
  });

  it("what a service showed of secrets is remembered over a response without any", () => {
    const args = { ...chat, secrets: { A: "value-a" } };
    const shown = { secrets: { A: "HIDDEN" } };
    const before = { arguments: args, private: { shown } };
    const live = observed({ secrets: undefined });
    expect(shownAfterRead({ args, before, dialect: standard, live, rows: [] }).shown).toMatchObject(shown);
  });

  it("what is sent of an object holds all that is declared, and all that nobody declared", () => {
    fc.assert(
      fc.property(normalisedArguments, normalisedArguments, normalisedArguments, (one, two, three) => {
        const [before, wants, is] = [one, two, three].map((each) =>
          asObject(asObject(each["sourceConfig"])["resourceSpec"]),
        ) as [Values, Values, Values];
        const sent = mergeMembers({
          before,
          is,
          wants,
          at: ["sourceConfig", "resourceSpec"],
          ignoreChanges: [],
        });
        for (const [name, value] of Object.entries(wants)) {
          if (typeof value !== "object") expect(sent[name]).toEqual(value);
        }
        const never = Object.keys(is).filter(
          (name) => wants[name] === undefined && before[name] === undefined,
        );
        for (const name of never) expect(sent[name]).toEqual(is[name]);
        const gone = Object.keys(before).filter(
          (name) => wants[name] === undefined && typeof before[name] !== "object",
        );
        for (const name of gone) expect(sent[name]).toBeUndefined();
      }),
    );
  });
});
