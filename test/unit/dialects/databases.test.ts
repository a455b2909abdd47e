/** One's own databases: two deployments never share one. */
import { describe, expect, it } from "vitest";
import { diff } from "../../../provider/deployment/diff";
import { dialectAt, type Dialect } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { DeclaredOnce } from "../../../provider/engine/declared-once";
import type { Values } from "../../../schema/tree";
import { declare, stateAfter } from "../../support/service";

const uri = "postgresql://canary-user:canary-password@db.example.com/chat";
const urn = (name: string) => `urn:pulumi:dev::shop::deployment-service:index:Deployment::${name}`;

describe("in one run", () => {
  const declaring = (dialect: Dialect, ...all: Values[]) => {
    const run = new DeclaredOnce();
    return all.flatMap((args, at) =>
      run.declare({ name: `d${at}`, ...args }, "default", urn(`d${at}`), dialect),
    );
  };
  const secrets = { POSTGRES_URI_CUSTOM: uri };

  it("two deployments with one database are a failure that shows no value", () => {
    expect(declaring(langsmith, { secrets }, { secrets: { ...secrets, OTHER: "1" } })).toEqual([
      {
        property: "secrets.POSTGRES_URI_CUSTOM",
        reason:
          'is the same database as that of "d0": two deployments must never share one, so give each its own',
      },
    ]);
  });

  it("one deployment that is checked again, empty values, and values that are not known yet, are none", () => {
    const run = new DeclaredOnce();
    for (const _ of [1, 2]) expect(run.declare({ secrets }, "default", urn("chat"), langsmith)).toEqual([]);
    expect(run.declare({ secrets }, "default", urn("other"), standard)).toEqual([]);
    const empty = { secrets: { POSTGRES_URI_CUSTOM: "" } };
    expect(declaring(langsmith, empty, empty)).toEqual([]);
  });

  it("where the platform sets the variables itself, only that is told", () => {
    const cloud = dialectAt(langsmith, "https://api.host.langchain.com");
    expect(declaring(cloud, { secrets }, { secrets })).toEqual([]);
  });
});

it("a deployment that loses the variable of its database is warned of, however it is declared", () => {
  const secrets = { POSTGRES_URI_CUSTOM: uri, A: "1" };
  const before = declare({ secrets });
  const warnings = (change: Values) =>
    diff(stateAfter(before), declare(change, before), { ...langsmith, name: "standard" }).warnings.filter(
      (each) => each.includes("POSTGRES_URI_CUSTOM"),
    );
  expect(warnings({ secrets: { A: "1" } })).toEqual([
    "POSTGRES_URI_CUSTOM is removed: a deployment keeps its own database for life, and without the variable its next revision " +
      "fails. Declare it again",
  ]);
  expect(warnings({ secrets: { POSTGRES_URI_CUSTOM: "postgres://new/chat" } })).toEqual([]);
  const secretReferences = { POSTGRES_URI_CUSTOM: { secretName: "db", secretKey: "uri" } };
  expect(warnings({ secrets: { A: "1" }, secretReferences })).toEqual([]);
});
