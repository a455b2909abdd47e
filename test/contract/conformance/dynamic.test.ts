import { join } from "node:path";
import { expect, it } from "vitest";
import { dynamic } from "../../support/adapters";
import { packageJsonIn, sdks } from "../../support/provider-process";
import { holdLaws } from "./hold";

it("the lowest SDK of the tests is the lowest that the package allows", () => {
  const { peerDependencies } = packageJsonIn(join(__dirname, "../../.."));
  expect(peerDependencies["@pulumi/pulumi"]).toBe(`>=${sdks[0]?.[1].version} <4`);
});

holdLaws(dynamic);
