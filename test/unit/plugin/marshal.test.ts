import * as fc from "fast-check";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it } from "vitest";
import { marshal, unmarshal } from "../../../provider/plugin/marshal";
import * as signatures from "../../../provider/text/signatures";
import { formatPath, isEqual, isObject, unknownValue, type Values } from "../../../schema/tree";

/** A value as a program has it, and how the protocol writes it. */
type Tree =
  | { kind: "plain"; value: unknown }
  | { kind: "unknown" }
  | { kind: "secret"; inner: Tree }
  | { kind: "list"; items: Tree[] }
  | { kind: "map"; entries: Record<string, Tree> };

const key = fc
  .oneof(fc.constantFrom("a", "b", "a.b", "[0]", "€", ""), fc.string({ maxLength: 6 }))
  .filter((name) => name !== "__proto__");
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({
      kind: fc.constant("plain" as const),
      value: fc.oneof(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
    }),
    fc.constant({ kind: "unknown" as const }),
    fc.record({ kind: fc.constant("secret" as const), inner: tie("tree") }),
    fc.record({ kind: fc.constant("list" as const), items: fc.array(tie("tree"), { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant("map" as const),
      entries: fc.dictionary(key, tie("tree"), { maxKeys: 3 }),
    }),
  ),
}));

const { sealed, signatureKey } = signatures;
const each = <T>(entries: Record<string, Tree>, work: (node: Tree) => T) =>
  Object.fromEntries(Object.entries(entries).map(([name, inner]) => [name, work(inner)]));

/** What is written for something unknown, and around a secret, is all in which the two differ. */
function valueOf(node: Tree, unknown: unknown, secret: (inner: unknown) => unknown): unknown {
  const inside = (inner: Tree) => valueOf(inner, unknown, secret);
  switch (node.kind) {
    case "plain":
      return node.value;
    case "unknown":
      return unknown;
    case "secret":
      return secret(inside(node.inner));
    case "list":
      return node.items.map(inside);
    case "map":
      return each(node.entries, inside);
  }
}
const written = (node: Tree) => valueOf(node, signatures.unknownText, sealed);
const plain = (node: Tree) => valueOf(node, unknownValue, (inner) => inner);

/** With every text below a secret replaced, so that it is told apart from the same text elsewhere. */
function marked(node: Tree, isSecret: boolean): Tree {
  switch (node.kind) {
    case "plain":
      return { kind: "plain", value: isSecret ? "hush" : "open" };
    case "unknown":
      return node;
    case "secret":
      return { ...node, inner: marked(node.inner, true) };
    case "list":
      return { ...node, items: node.items.map((item) => marked(item, isSecret)) };
    case "map":
      return { ...node, entries: each(node.entries, (inner) => marked(inner, isSecret)) };
  }
}

const message = (values: unknown) => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);

/** The texts that stand in plain text. */
function inClear(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(inClear);
  if (!isObject(value)) return [value];
  if (value[signatureKey] === signatures.secretSignature) return [];
  return Object.values(value).flatMap(inClear);
}

describe("values between the protocol and plain ones", () => {
  const properties = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 6 }).filter((name) => !name.includes(".") && name !== "__proto__"),
    tree,
    { maxKeys: 4 },
  );

  it("come as they are, whatever they are wrapped in and at any depth", () => {
    fc.assert(
      fc.property(properties, (entries) => {
        const root: Tree = { kind: "map", entries };
        expect(unmarshal(message(written(root))).values).toEqual(plain(root));
      }),
    );
  });

  it("go back with all that was secret marked, and nothing lost", () => {
    fc.assert(
      fc.property(properties, (entries) => {
        const root = marked({ kind: "map", entries }, false);
        const { values, secretPaths } = unmarshal(message(written(root)));
        const back = marshal(values, (path) => secretPaths.some((secret) => isEqual(secret, path)));
        expect(inClear(back.toJavaScript())).not.toContain("hush");
        expect(unmarshal(back).values).toEqual(values);
      }),
    );
  });

  it("name the place of a secret, a list and a map with dots in its keys as a whole", () => {
    const { secretPaths } = unmarshal(
      message({
        source: sealed("x"),
        sourceConfig: {
          customUrl: sealed("x"),
          resourceSpec: { labels: { "a.b": sealed("x") }, sidecars: [{ name: "a" }, { name: sealed("x") }] },
        },
      }),
    );
    expect(secretPaths.map(formatPath).sort()).toEqual([
      "source",
      "sourceConfig.customUrl",
      "sourceConfig.resourceSpec.labels",
      "sourceConfig.resourceSpec.sidecars",
    ]);
  });

  it("are marked if the provider made them secret, and left out if they are undefined", () => {
    const values: Values = { list: [{ secrets: sealed({ KEY: "x" }) }], nothing: undefined, empty: null };
    expect(marshal(values).toJavaScript()).toEqual({
      list: [{ secrets: sealed({ KEY: "x" }) }],
      empty: null,
    });
  });
});
