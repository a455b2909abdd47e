/** Words and forms of neighbouring tools, each of which leads to the one that is meant here. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deployment } from "../../../schema/deployment";
import { deployment } from "../../../schema/fields";
import { ManifestDeployment } from "../../../schema/manifest";
import { numberFor } from "../../../schema/neighbours";
import { problemsOf } from "../../../schema/problems";
import { formatPath, withValueAt, type Path, type Values } from "../../../schema/tree";

const valid = { name: "chat", source: "external_container" };
const spec: Path = ["sourceConfig", "resourceSpec"];
const messages = (given: Values) => problemsOf(Deployment, given).map(({ message }) => message);

describe("a key", () => {
  it.each([
    ["environment", "secrets"],
    ["dockerImage", "sourceRevisionConfig.imageUri"],
    ["replicas", "sourceConfig.resourceSpec.minScale and maxScale"],
    ["memory", "sourceConfig.resourceSpec.memoryMb"],
    ["build", "sourceDirectory"],
  ])("%s leads to %s from wherever it stands in a deployment", (key, place) => {
    for (const around of [[], ["sourceConfig"], ["sourceRevisionConfig"], spec]) {
      const given = withValueAt(valid, [...around, key], "x");
      const prefix = formatPath(around);
      const shown = place.startsWith(prefix) ? place.slice(prefix.length).replace(/^(\.|: )/, "") : place;
      expect(messages(given)).toEqual([`unknown key "${key}"; use ${shown}`]);
    }
    expect(problemsOf(ManifestDeployment, { [key]: "x" })[0]?.message).toContain(place);
  });

  it("of a container leads to nothing of a deployment, but one of an option does", () => {
    const given = withValueAt(valid, [...spec, "sidecars"], [{ name: "log", image: "log:1", replicas: 1 }]);
    expect(messages(given)).toEqual(['unknown key "replicas"']);
    expect(problemsOf(ManifestDeployment, { options: { env: {} } })[0]?.message).toBe(
      'unknown key "env"; use secrets',
    );
  });
});

describe("a quantity", () => {
  it.each([
    ["cpu", "500m", 0.5],
    ["memoryMb", "1Gi", 1024],
    ["dbMemoryLimitMb", "1.5Gi", 1536],
    ["memoryMb", "2GB", 2000],
    ["memoryMb", "1g", 1024],
    ["dbStorageGi", "10Gi", 10],
  ])("for %s, %s leads to %d", (name, text, number) => {
    const given = (value: unknown) => withValueAt(valid, [...spec, name], value);
    expect(messages(given(text))).toEqual([`expected a number, got a string; write ${number}`]);
    expect(messages(given(number))).toEqual([]);
  });

  it("leads to a number that is accepted in its place, or to none", () => {
    const { fields } = deployment.sourceConfig.fields.resourceSpec;
    const text = fc.tuple(
      fc.double({ min: 100, max: 1e6, noNaN: true }),
      fc.constantFrom("m", "Ki", "Mi", "Gi", "K", "G"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(fields)), text, (name, [amount, unit]) => {
        const number = numberFor(name, `${amount.toFixed(2)}${unit}`);
        if (number === undefined) return;
        expect(fields[name as keyof typeof fields].type.safeParse(number).success).toBe(true);
      }),
    );
  });
});
