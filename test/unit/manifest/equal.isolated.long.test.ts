import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fromManifest } from "../../../provider";
import { providerWith } from "../dynamic/support";
import { outcomeOf, standInForTheEngine, type Registered } from "./engine-stand-in";
import { compile, generate } from "./generated";
import { manifests, bindings, toYaml } from "./manifests";
import { runs } from "../../support/runs";

const file = "deployments.yaml";
const texts = vi.hoisted(() => new Map<string, string>());
vi.mock("../../../provider/files/regular-file", () => ({
  readRegularFile: (path: string) => Buffer.from(texts.get(path)!),
}));

const { env, config, secrets } = bindings;

const many = runs(15, 1);

function setUp(variables: Record<string, string | undefined>, settings: Record<string, string | undefined>) {
  for (const name of [...Object.keys(env), "ZONE", "NONE"]) vi.stubEnv(name, variables[name]);
  const full = (key: string) => (key.includes(":") ? key : `shop:${key}`);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const all = Object.fromEntries(given.map(([key, value]) => [full(key), value])) as Record<string, string>;
  pulumi.runtime.setAllConfig(all, secrets.map(full));
}

beforeAll(standInForTheEngine);
beforeEach(() => setUp(env, config));
afterAll(() => {
  pulumi.runtime.setAllConfig({});
});

/** What was registered, or why not: by the program itself, or by the check that the engine asks for. */
type Outcome = Registered[] | { readonly refused: string[] };

/** What a manifest registers, and the program made from it. */
async function both(yaml: string): Promise<{ read: Outcome; written: Outcome }> {
  texts.set(resolve(file), yaml);
  const read = await outcomeOf(() => fromManifest(file));
  const program = await compile(generate(yaml));
  const written = await outcomeOf(program);
  return { read: await judged(read), written: await judged(written) };
}

async function judged(outcome: Registered[] | Error): Promise<Outcome> {
  if (outcome instanceof Error) return { refused: sentencesIn(outcome.message) };
  // A check asks no service, but for where one is.
  const provider = await providerWith({ baseUrl: "https://example.com", apiKey: "none" });
  const refused: string[] = [];
  for (const { inputs } of outcome) {
    const { failures = [] } = await provider.check!({}, unsealed(inputs));
    refused.push(...failures.map(({ property, reason }) => (property ? `${property}: ${reason}` : reason)));
  }
  return refused.length === 0 ? outcome : { refused };
}

/** Without the places of the file and its lines. */
function sentencesIn(message: string): string[] {
  const problems = [...message.matchAll(/^deployments\.yaml:\d+:\d+: (.*) \[[a-z-]+\]$/gm)];
  return problems.length === 0 ? [message] : problems.map(([, sentence]) => sentence!);
}

/**
 * What is refused, whoever names the place: the field in the manifest, the setting in the program. What a person can
 * do about it stands behind a semicolon.
 */
function rulesIn({ refused }: { refused: string[] }): string[] {
  return refused.map((sentence) =>
    sentence
      .replace(placeOfRule, "")
      .replace(/;.*/, "")
      // The SDK's own words where the program asks the SDK.
      .replace(
        /^Missing required configuration variable '(?:shop:)?([^']+)'[^]*/,
        "configuration $1 is not set",
      )
      .replace(/"[^"]+" has the same name as "[^"]+": change the `name` of one of them/, "two have one name"),
  );
}

const placeOfRule =
  /^(?:configuration \S+: |environment variable \S+: |this text: |[a-z.-]+: options\.|name: (?=")|sourceConfig\.deploymentType:? (?=")|[\w.[\]"$/-]+: )+/i;

/** Inputs as the provider gets them: without the marks of secrets. */
function unsealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unsealed);
  const { [secretMark]: mark, value: inner } = value as Record<string, unknown>;
  if (mark !== undefined) return unsealed(inner);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unsealed(each)]));
}

const secretMark = "4dabf18193072939515e22adb298388d";

/** What may be wrong with a value from outside: not there, empty, or another text than is expected. */
const wrong = fc.constantFrom(undefined, "", " 4", ..."abc 0x10 -1 1.5 1e3 TRUE yes NaN two".split(" "));

describe("the generated program", { timeout: 3_600_000 }, () => {
  it("registers what the manifest registers, the same parts of it secret", async () => {
    let secretParts = 0;
    await fc.assert(
      fc.asyncProperty(manifests, async (manifest) => {
        const { read, written } = await both(toYaml(manifest));
        expect(written).toEqual(read);
        expect(read).toHaveLength(Object.keys(manifest["deployments"] as object).length);
        secretParts += JSON.stringify(read).split(secretMark).length - 1;
      }),
      many,
    );
    expect(secretParts).toBeGreaterThan(many.numRuns);
  });

  it("refuses what the manifest refuses, whatever the environment and the configuration contain", async () => {
    const seen = { refused: 0, registered: 0 };
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(env), ...Object.keys(config)), wrong, {
      minKeys: 1,
      maxKeys: 3,
    });
    await fc.assert(
      fc.asyncProperty(manifests, changes, async (manifest, changed) => {
        setUp({ ...env, ...changed }, { ...config, ...changed });
        const { read, written } = await both(toYaml(manifest));
        if ("refused" in read && "refused" in written) {
          seen.refused++;
          // A program ends with the first thing that is wrong, a manifest tells all.
          expect(rulesIn(read)).toEqual(expect.arrayContaining(rulesIn(written)));
          expect(written.refused).not.toEqual([]);
        } else {
          seen.registered++;
          expect(written).toEqual(read);
        }
      }),
      many,
    );
    expect(Math.min(seen.refused, seen.registered)).toBeGreaterThan(many.numRuns / 10);
  });
});
