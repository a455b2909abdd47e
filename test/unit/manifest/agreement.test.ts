import Ajv from "ajv";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { manifestSchema } from "../../../schema/manifest-schema";
import { json, placesIn, replaceAt } from "../support/arbitraries";
import { check, escaped, manifests, toYaml } from "./support";

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

const schema = JSON.parse(manifestSchema()) as Described;
const validates = new Ajv({ allErrors: true }).compile(schema);

/** What a JSON Schema can say. The rest is about other fields, other deployments and the world around. */
const shape = new Set(["type", "enum", "format", "range", "unknown-key", "key", "required", "version"]);
const fits = (manifest: unknown) =>
  !check(toYaml(manifest as never)).problems.some(
    ({ rule, severity }) => severity === "error" && shape.has(rule),
  );

/** Words that are near to being right. */
const nearly: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom("codehost", "0.5", "true", "${config.a}", "$${config.a}", "30m", -1, 1.5, 1, true, [], {}, [
    "chat",
  ]),
  json.map(escaped).filter((value) => !holdsNull(value)),
);

/** What `null` takes away depends on the layer below: no schema knows that. */
function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.values(value).some(holdsNull);
}

describe("the JSON Schema", { timeout: 60_000 }, () => {
  it("accepts what the checker accepts, and nothing else", () => {
    let refused = 0;
    fc.assert(
      fc.property(manifests, fc.nat(), nearly, fc.boolean(), (manifest, index, value, isChanged) => {
        const places = placesIn(manifest);
        const place = places[index % places.length]!;
        const changed = isChanged ? replaceAt(manifest, place, value) : manifest;
        // A file of nothing but a text may be empty, which is told in another way.
        fc.pre(typeof changed === "object" && !Array.isArray(changed));
        const isAccepted = validates(changed) === true;
        if (!isAccepted) refused++;
        expect(fits(changed), JSON.stringify(validates.errors)).toBe(isAccepted);
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(10);
  });

  it.each<[string, unknown, boolean]>([
    [
      "an overlay",
      { version: 1, deployments: {}, stacks: { prod: { deployments: { a: { adopt: true } } } } },
      true,
    ],
    ["a stack without changes", { version: 1, deployments: {}, stacks: { prod: null } }, true],
    [
      "a source from the defaults",
      { version: 1, defaults: { source: "codehost" }, deployments: { a: null } },
      true,
    ],
    ["no source at all", { version: 1, deployments: { a: {} } }, false],
    ["no version", { deployments: {} }, false],
    ["no deployments", { version: 1 }, false],
    ["another version", { version: 2, deployments: {} }, false],
    ["a key that is no name", { version: 1, deployments: { "1": { source: "codehost" } } }, false],
    [
      "a misspelt key in a stack",
      { version: 1, deployments: {}, stacks: { prod: { deployment: {} } } },
      false,
    ],
    ["a reference for a number", toSpec({ cpu: "${config.cpu}" }), true],
    ["a text for a number", toSpec({ cpu: "1" }), false],
    [
      "a secret taken away",
      { version: 1, stacks: { a: { deployments: { b: { secrets: { A: null } } } } } },
      true,
    ],
  ])("knows %s", (_, manifest, isAccepted) => {
    expect(validates(manifest), JSON.stringify(validates.errors)).toBe(isAccepted);
  });

  it("describes every property", () => {
    const bare: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      // A rule repeats names and describes none.
      if (path === "/if" || path === "/else") return;
      for (const [name, inner] of Object.entries((value as Described).properties ?? {})) {
        if (!inner.description) bare.push(`${path}/${name}`);
      }
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`);
    };
    visit(schema, "");
    expect(bare).toEqual([]);
  });
});

function toSpec(resourceSpec: object): unknown {
  return { version: 1, deployments: { a: { source: "codehost", sourceConfig: { resourceSpec } } } };
}
