/** What `new Deployment` hands to the engine, besides its arguments. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import { Deployment, Provider, type JsonInput } from "../../../provider";
import { secretSignature, signatureKey } from "../../../provider/text/signatures";
import { argumentNames } from "../../../provider/program/arguments";
import { registrationsOf, standInForTheEngine } from "../manifest/engine-stand-in";

const args = { source: "internal_template", secrets: { KEY: "value" } } as const;
type Options = pulumi.CustomResourceOptions;

beforeAll(() => standInForTheEngine());

async function registered(options: Options = {}, more: object = {}) {
  const [only] = await registrationsOf(() => new Deployment("chat", { ...args, ...more }, options));
  const { inputs, options: known } = only as unknown as {
    inputs: Record<string, unknown> & { __options: Record<string, unknown> };
    options: Record<string, unknown>;
  };
  const { urn: _, ...internal } = inputs.__options;
  return { inputs, internal, known };
}

it("a deployment has its logical name on the service, unless it declares another one", async () => {
  expect((await registered()).inputs["name"]).toBe("chat");
  expect((await registered({}, { name: "talk" })).inputs["name"]).toBe("talk");
});

it("credentials of containers are secrets before the check, too, whose input the engine prints", async () => {
  const later = pulumi.output("later");
  const sidecar = {
    image: later,
    args: ["-v", "--token=canary"],
    env: [
      { name: "LOG_API_KEY", value: "canary" },
      { name: "B", value: later },
    ],
  };
  const sourceConfig = { resourceSpec: { sidecars: [sidecar], labels: later.apply(() => ({})) } };
  const { inputs, internal } = await registered({}, { sourceConfig });
  const marked = { [signatureKey]: secretSignature, value: "canary" };
  expect(inputs["sourceConfig"]).toEqual({
    resourceSpec: {
      sidecars: [
        {
          image: "later",
          args: ["-v", { ...marked, value: "--token=canary" }],
          env: [
            { name: "LOG_API_KEY", value: marked },
            { name: "B", value: "later" },
          ],
        },
      ],
      labels: {},
    },
  });
  expect(internal).toEqual({});
  expect(sidecar.args).toEqual(["-v", "--token=canary"]);
});

it("labels and annotations with the name of a credential are secrets, and those that only mention one are not", async () => {
  const annotations = {
    "example.com/auth-token": "canary",
    "example.com/agent-inject-secret-db": "secret/data/db",
    "example.com/agent-inject-token": "true",
  };
  const resourceSpec = { labels: { apiKey: "canary", team: "eu" }, annotations };
  const { inputs } = await registered({}, { sourceConfig: { resourceSpec } });
  const marked = { [signatureKey]: secretSignature, value: "canary" };
  expect(inputs["sourceConfig"]).toEqual({
    resourceSpec: {
      labels: { apiKey: marked, team: "eu" },
      annotations: { ...annotations, "example.com/auth-token": marked },
    },
  });
});

it.each<[string, object]>([
  ["names", { GONE: undefined, LATER: pulumi.output(undefined), KEEP: "abc" }],
  ["a map that comes later", pulumi.output({ GONE: undefined, LATER: null, KEEP: "abc" })],
])("secrets without a value reach the check, which warns of them: %s", async (_, secrets) => {
  const { inputs } = await registered({}, { secrets });
  const plain = JSON.parse(
    JSON.stringify(inputs["secrets"], (_key, value: { value?: unknown } | null) =>
      value !== null && typeof value === "object" && signatureKey in value ? value.value : value,
    ),
  ) as object;
  expect(plain).toEqual({ GONE: null, LATER: null, KEEP: "abc" });
});

const every = (path: string) => argumentNames.map((name) => `${name}${path}`);

it.each<[Options, object]>([
  [{}, {}],
  [{ customTimeouts: { create: "5m" } }, { timeouts: { create: "5m" } }],
  [{ retainOnDelete: true }, { retainOnDelete: true }],
  [{ retainOnDelete: false }, {}],
  [{ replaceOnChanges: ["source", "*"] }, { replaceOnChanges: [["source"], ["*"]] }],
  [{ replaceOnChanges: ["*.imageUri"] }, { replaceOnChanges: [["*", "imageUri"]] }],
  [{ ignoreChanges: ['["secrets"].KEY'] }, { ignoreChanges: [["secrets", "KEY"]] }],
  [{ ignoreChanges: ["sourceDirectory"] }, { ignoreChanges: [["sourceDirectory"]] }],
  [{ ignoreChanges: ["*"] }, { ignoreChanges: [["*"]] }],
  [{ additionalSecretOutputs: ["sourceConfig.customUrl"] }, { secretPaths: [["sourceConfig"]] }],
])("the provider learns the resource option %j as %j", async (options, expected) => {
  expect((await registered(options)).internal).toEqual(expected);
});

it("the engine gets the names of all arguments for `*`, which would cover internal inputs too", async () => {
  const { known } = await registered({ ignoreChanges: ["*"], replaceOnChanges: ["*"] });
  expect(known).toMatchObject({
    ignorechangesList: [...every(""), "__source"],
    replaceonchangesList: every(""),
  });
});

it("a provider in the program is passed with its id, also if it comes from the parent", async () => {
  const both = await registrationsOf(() => {
    const provider = new Provider("eu", { baseUrl: "https://eu.example.com", apiKey: "key" });
    const parent = new pulumi.ComponentResource("test:index:Region", "region", {}, { providers: [provider] });
    new Deployment("named", args, { provider });
    new Deployment("inherited", args, { parent });
  });
  const internal = both
    .filter(({ name }) => ["named", "inherited"].includes(name))
    .map(({ inputs }) => (inputs as { __options: object }).__options);
  expect(internal).toHaveLength(2);
  for (const each of internal)
    expect(each).toMatchObject({ provider: expect.stringMatching(/::eu$/) as string, providerId: "eu-id" });
});

it("a deployment that is only read is not registered", async () => {
  const [read] = await registrationsOf(() => Deployment.get("found", "d1"));
  expect(read).toBeUndefined();
});

it.each<[Options, string]>([
  [{ import: "d1" }, "chat: the resource option `import` does not work with a dynamic provider"],
  [{ customTimeouts: { delete: "soon" } }, "chat: options.customTimeouts.delete: "],
])("the resource option %j is refused before anything is registered", (options, message) => {
  expect(() => new Deployment("chat", args, options)).toThrow(message);
});

it("an instance is recognized by its type, even from another copy of the package", () => {
  const type = Deployment.__pulumiType;
  expect(
    [{ __pulumiType: type }, { __pulumiType: "other" }, null, undefined].map(Deployment.isInstance),
  ).toEqual([...[true, false, false, false]]);
});

class Version {
  constructor(readonly text: string) {}
}
const lost = [new Date(0), new Map(), 7n, () => 1, new Version("1"), Buffer.from("x"), new Error("x")];

it.each([...lost, ...lost.map((each) => [{ at: each }])])(
  "triggers that the SDK would lose are refused: %o",
  (triggers) => {
    const declare = () => new Deployment("chat", { ...args, triggers: triggers as unknown as JsonInput });
    expect(declare).toThrow("chat: triggers must be JSON values: convert this one to a string");
  },
);

it("triggers may be null, outputs, assets and lists of them", async () => {
  const triggers = [null, pulumi.output("a"), { files: new pulumi.asset.StringAsset("b") }];
  expect((await registered({}, { triggers })).inputs["triggers"]).toMatchObject([null, "a", {}]);
});
