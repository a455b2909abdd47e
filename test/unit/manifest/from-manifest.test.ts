import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { fromManifest, type ManifestOptions } from "../../../provider";
import { outcomeOf, registrationsOf, standInForTheEngine } from "./engine-stand-in";

const folder = mkdtempSync(join(tmpdir(), "manifest-"));
const file = join(folder, "deployments.yaml");

beforeAll(() => {
  standInForTheEngine();
  const config = { image: "chat:1", key: "hidden", scale: "3", secretly: "s" };
  const ofProject = Object.entries(config).map(([key, value]) => [`shop:${key}`, value] as const);
  pulumi.runtime.setAllConfig({ ...Object.fromEntries(ofProject), "other:zone": "b" }, [
    "shop:key",
    "shop:secretly",
  ]);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  rmSync(folder, { recursive: true });
  pulumi.runtime.setAllConfig({});
});

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

async function inputsOf(yaml: string, options?: ManifestOptions): Promise<Record<string, unknown>[]> {
  writeFileSync(file, yaml);
  const all = await registrationsOf(() => fromManifest(file, options));
  return all.map(({ inputs }) => {
    const { __provider, __options, ...rest } = inputs as Record<string, unknown>;
    return rest;
  });
}

describe("fromManifest", () => {
  it("lays defaults, deployment and overlay over each other: maps merge, lists and null replace", async () => {
    const yaml = `
version: 1
defaults:
  source: external_container
  sourceConfig: { buildOnPush: false, resourceSpec: { cpu: 1, labels: { a: x, b: y }, volumeMounts: [{ name: a }] } }
  secrets: { A: one, B: two }
deployments:
  chat:
    sourceConfig: { buildOnPush: null, resourceSpec: { labels: { b: z }, volumeMounts: [] } }
stacks:
  prod:
    deployments:
      chat: { sourceConfig: { resourceSpec: { cpu: 2, labels: { a: null } } }, secrets: { B: null } }
  dev: { deployments: { chat: { skipAwait: true } } }
  none: { deployments: { chat: null, shop: { source: internal_source } } }
`;
    expect(await inputsOf(yaml, { stack: "prod" })).toEqual([
      {
        name: "chat",
        source: "external_container",
        sourceConfig: { resourceSpec: { cpu: 2, labels: { b: "z" }, volumeMounts: [] } },
        secrets: secret({ A: secret("one") }),
      },
    ]);
    expect(await inputsOf(yaml)).toMatchObject([
      { skipAwait: true, secrets: secret({ A: secret("one"), B: secret("two") }) },
    ]);
    expect(await inputsOf(yaml, { stack: "other" })).toMatchObject([
      { sourceConfig: { resourceSpec: { cpu: 1, labels: { a: "x", b: "z" } } } },
    ]);
    expect(await inputsOf(yaml, { stack: "none" })).toMatchObject([
      { name: "shop", source: "internal_source" },
    ]);
  });

  it("replaces references, and parses the text as the expected type", async () => {
    const yaml = `
version: 1
deployments:
  chat:
    name: \${project}-\${stack}-\${config.other:zone}
    source: \${env.SOURCE:-codehost}
    sourceConfig:
      buildOnPush: \${env.PUSH}
      resourceSpec: { cpu: "\${env.CPU}", minScale: "\${config.scale}" }
      installCommand: echo $HOME $\${HOME} $5
    secrets: { A: "\${config.secretly}" }
    triggers: ["\${env.CPU}", 1, null]
`;
    for (const [name, value] of Object.entries({ PUSH: "true", CPU: "0.5", SOURCE: "" }))
      vi.stubEnv(name, value);
    expect(await inputsOf(yaml)).toEqual([
      {
        name: "shop-dev-b",
        source: "codehost",
        sourceConfig: {
          buildOnPush: true,
          resourceSpec: { cpu: 0.5, minScale: 3 },
          installCommand: "echo $HOME ${HOME} $5",
        },
        secrets: secret({ A: secret("s") }),
        triggers: ["0.5", 1, null],
      },
    ]);
  });

  it("registers dependencies first, and records them", async () => {
    writeFileSync(
      file,
      `
version: 1
deployments:
  chat:
    source: codehost
    secrets: { SEARCH_URL: "\${deployments.search.url}" }
    options: { dependsOn: [shop], protect: true, customTimeouts: { create: 45m } }
  search: { source: codehost }
  shop: { source: codehost }
`,
    );
    const [chat] = await registrationsOf(() => fromManifest(file));
    expect(chat).toMatchObject({
      inputs: { secrets: secret({ SEARCH_URL: secret("https://search.example.com") }) },
      options: { protect: true, customtimeouts: { create: "45m" } },
    });
    const { dependenciesList } = chat!.options as { dependenciesList: string[] };
    expect(dependenciesList.map((urn) => urn.split("::").at(-1)).sort()).toEqual(["search", "shop"]);
  });

  it("registers nothing from a file with a problem, and shows all problems without a stack", async () => {
    writeFileSync(
      file,
      "version: 1\ndeployments:\n  a: { source: codehost }\n  b: { source: codehots, adopt: 1 }\n",
    );
    const error = await outcomeOf(() => fromManifest(file));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect((error as Error).message).toBe(`${file} has 2 problems

${file}:4:16: source: expected one of codehost, external_container, internal_container, internal_source, internal_template; did you mean "codehost"? [enum]
  b: { source: codehots, adopt: 1 }
               ^~~~~~~~
${file}:4:33: adopt: expected true or false, got a number [type]
  b: { source: codehots, adopt: 1 }
                                ^
`);
  });

  it("names configuration that is not set, of the selected stack alone", () => {
    writeFileSync(
      file,
      `
version: 1
deployments:
  chat: { source: codehost, secrets: { A: "\${config.missing}" } }
stacks:
  prod: { deployments: { chat: { secrets: { A: "\${env.ONLY_IN_PROD}" } } } }
`,
    );
    const run = (stack: string) => () => fromManifest(file, { stack });
    expect(run("dev")).toThrow(
      "4:43: configuration missing is not set; run `pulumi config set missing`, with --secret for a secret [configuration]",
    );
    expect(run("prod")).toThrow("6:48: environment variable ONLY_IN_PROD is not set");
    expect(run("prod")).not.toThrow("configuration missing");
  });
});
