/** Manifests that are arbitrary but valid. */
import fc, { type Arbitrary } from "fast-check";
import { Document, isScalar, Scalar, visit } from "yaml";
import type { Values } from "../../../schema/tree";
import { validArguments } from "../../support/arbitraries";

/** Keys that the manifest refuses, and those that the SDK stumbles over in whatever program. */
const impossible = ["__proto__", "toString"];

/** A literal in the manifest: no reference, no key that cannot be. */
export function escaped(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\$\{/g, "$$$${");
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !impossible.includes(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, escaped(inner)]));
}

/** What stands in the configuration and in the environment, where it is well. */
export const bindings = {
  env: { REGION: "eu", SIZE: "3", ON: "true", TIME: "45m", SOURCE: "codehost", TIER: "dev" },
  config: {
    plain: "p",
    hidden: "h",
    size: "2",
    hiddenSize: "4",
    on: "false",
    hiddenOn: "true",
    "3scale:key": "k",
    "other-one:key": "o",
    uuid: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
    tier: "prod",
    time: "1h30m",
    firstName: "one",
    secondName: "two",
  },
  secrets: ["hidden", "hiddenSize", "hiddenOn", "3scale:key", "time", "secondName"],
};

const texts = fc.constantFrom(
  ...[
    "${config.plain}",
    "${config.hidden}",
    "v-${config.plain}-${stack}",
    "${config.hidden}/${config.plain}",
  ],
  ...["${env.REGION}", "${env.ZONE:-a}", "${project}/${stack}", "$${literal}", "${config.3scale:key}"],
  ...["${config.other-one:key}", "${env.REGION}-${config.hidden}"],
  ...["${env.ZONE:-${config.hidden}}", "${env.REGION:-${config.hidden}}", "${env.NONE:-${env.REGION}}"],
  ...['${env.NONE:-{"a":{"b":"`"}}}', "${env.NONE:-${env.ZONE:-x}/}", "${env.NONE:-$${}}"],
);
const numbers = fc.constantFrom(
  ...["${config.size}", "${config.hiddenSize}", "${env.SIZE}", "${env.SIZE:-5}", "${env.NONE:-6}"],
  ...["1${env.SIZE}", "${config.size}${config.hiddenSize}", "${env.NONE:-${config.size}}"],
  ...["${env.SIZE:-${config.hiddenSize}}", "${env.NONE:-${env.SIZE}}"],
);
const booleans = fc.constantFrom(
  ...["${config.on}", "${config.hiddenOn}", "${env.ON}", "${env.NONE:-false}", "${env.ON:-false}"],
  ...["${env.NONE:-${config.hiddenOn}}", "${env.ON:-${config.on}}"],
);

/** For fields that take no text but a few. */
const words: Record<string, readonly string[]> = {
  source: [],
  integrationId: ["${config.uuid}"],
  listenerId: ["${config.uuid}"],
  path: [],
  imageUri: [
    "registry.example.com/chat:${env.REGION}",
    "registry.example.com/${env.NONE:-chat}:${config.plain}",
  ],
  image: ["registry.example.com/chat:${env.REGION}"],
  repoUrl: [],
  customUrl: [],
  timeout: ["${config.time}"],
  status: [],
  deploymentType: ["${config.tier}", "${env.TIER}", "${env.TIER:-dev}", "${env.NONE:-${config.tier}}"],
};

function oneOf(literal: unknown, references: readonly string[]): Arbitrary<unknown> {
  return fc.constantFrom(literal, ...references);
}

/** References in the places of literals, here and there. */
function withReferences(value: unknown): Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(withReferences));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) =>
      (Object.hasOwn(words, key) ? oneOf(inner, words[key]!) : withReferences(inner)).map(
        (by) => [key, by] as const,
      ),
    );
    return fc.tuple(...entries).map((list) => Object.fromEntries(list) as unknown);
  }
  const by = { string: texts, number: numbers, boolean: booleans }[typeof value as string];
  return by === undefined ? fc.constant(value) : fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, by);
}

const options = fc.record(
  {
    protect: fc.oneof(fc.boolean(), booleans),
    retainOnDelete: fc.oneof(fc.boolean(), booleans),
    customTimeouts: fc.record({
      create: fc.constantFrom(
        "30m",
        "${env.TIME}",
        "${env.NONE:-5m}",
        "${config.time}",
        "${env.NONE:-${config.time}}",
      ),
    }),
  },
  { requiredKeys: [] },
);

/** What a deployment was called before. */
const formerNames: readonly ((key: string) => unknown[])[] = [
  (key) => [`old-${key}`, "old-${stack}"],
  () => ["urn:pulumi:${stack}::${project}::deployment-service:index:Deployment::old"],
  (key) => [
    { name: `old-${key}`, type: "deployment-service:index:Deployment" },
    { project: "${project}-before" },
  ],
];

const keys = ["chat", "search-api", "shop.front", "class"];
const names = ["${config.firstName}", "${config.secondName}", "${config.firstName}-${config.secondName}"];

/** The most entries of an object in a file that someone reads: ten thousand such files must be quick to read, too. */
const most = 5;

/** Some of the entries of each object, others with each number, so that all of the fields have their turn. */
function thinned(value: unknown, from: number): unknown {
  if (Array.isArray(value)) return value.map((item) => thinned(item, from));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const first = from % Math.max(1, entries.length - most + 1);
  return Object.fromEntries(
    entries.slice(first, first + most).map(([key, inner]) => [key, thinned(inner, from)]),
  );
}

const someArguments = fc
  .tuple(validArguments, fc.nat())
  .chain(([{ name: _, revisionSource: __, source, ...args }, from]) =>
    withReferences(escaped({ source, ...(thinned(args, from) as Values) })).map((value) => value as Values),
  );

/** Deployments, those later in the file referring to those before. */
export const manifests: Arbitrary<Values> = fc
  .array(
    fc.record({
      args: someArguments,
      secrets: fc.dictionary(fc.constantFrom("A", "B"), texts),
      refers: fc.boolean(),
      isNamed: fc.boolean(),
      aliases: fc.constantFrom(undefined, ...formerNames),
      options,
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => {
    const deployments = list.map(({ args, secrets, refers, isNamed, aliases, options: given }, index) => {
      const [before] = keys.slice(0, index).slice(-1);
      const outputs =
        before !== undefined && refers
          ? { URL: `\${deployments.${before}.url}`, GENERATION: `g\${deployments.${before}.generation}` }
          : {};
      const dependsOn = before !== undefined ? { dependsOn: [before] } : {};
      const renamed = aliases && { aliases: aliases(keys[index]!) };
      const all = { ...(args["secrets"] as object), ...secrets, ...outputs };
      const taken = (args["secretReferences"] ?? {}) as object;
      const free = Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(taken, name)));
      const name = isNamed ? { name: names[index] } : {};
      return [
        keys[index]!,
        { ...name, ...args, secrets: free, options: { ...given, ...dependsOn, ...renamed } },
      ] as const;
    });
    return { version: 1, deployments: Object.fromEntries(deployments) };
  });

export function toYaml(value: Values): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_, { key }) => {
      // A name of one's own, and no merge key.
      if (isScalar(key) && key.value === "<<") key.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString();
}
