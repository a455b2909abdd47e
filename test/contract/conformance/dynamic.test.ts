import { join } from "node:path";
import { expect, it } from "vitest";
import { dynamic } from "../../support/adapters";
import { installed, lowest, packageJsonIn } from "../../support/provider-process";
import { holdLaws } from "./hold";

it("the lowest SDK of the tests is the lowest that the package allows", () => {
  const { peerDependencies } = packageJsonIn(join(__dirname, "../../.."));
  expect(peerDependencies["@pulumi/pulumi"]).toBe(`>=${packageJsonIn(installed(lowest)).version} <4`);
});

holdLaws(dynamic);
