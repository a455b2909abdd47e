import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../../../../provider/deployment/check";
import { parsePlanned, parseState } from "../../../../provider/stored/stored";
import { diff } from "../../../../provider/deployment/diff";
import type { Values } from "../../../../schema/tree";
import type { Dialect } from "../../../../provider/dialects";
import { langsmith } from "../../../../provider/dialects/langsmith";
import { standard } from "../../../../provider/dialects/standard";
import { bulkFile } from "../../../../cli/import/bulk-file";
import { newManifest } from "../../../../cli/import/imported-manifest";
import { configKeyNear, keysFor } from "../../../../cli/import/keys";
import { declaredArguments } from "../../../../provider/lookup/declared-arguments";
import { chooseImports } from "../../../../cli/import/choice";
import { observed } from "./support";

const owned = (shown: Record<string, unknown>, dialect: Dialect = standard) =>
  declaredArguments(observed(shown), dialect).args;

describe("what a program would declare", () => {
  it("is everything that differs from what the service would have filled in, and no empty list or map (F06, F07)", () => {
    const spec = { min_scale: 1, max_scale: 5, cpu: 0.5, memory_mb: 2048 };
    const source_config = {
      ...{ build_on_push: true, deployment_type: "dev", custom_url: "https://chat.example.com" },
      resource_spec: { ...spec, labels: { "a-b": "c" }, volumes: [] },
    };
    expect(owned({ source_config, secret_references: [] })).toEqual({
      name: "chat",
      source: "external_container",
      sourceConfig: {
        ...{ buildOnPush: true, deploymentType: "dev", customUrl: "https://chat.example.com" },
        resourceSpec: { maxScale: 5, cpu: 0.5, labels: { "a-b": "c" } },
      },
    });
  });

  it("includes a 0 and a false that someone chose", () => {
    const dialect = { ...standard, defaults: { "sourceConfig.buildOnPush": true } };
    const source_config = { build_on_push: false, resource_spec: { min_scale: 0 } };
    expect(owned({ source_config }, dialect)["sourceConfig"]).toMatchObject({
      buildOnPush: false,
      resourceSpec: { minScale: 0 },
    });
  });

  it("is never a secret, but the names of secrets of the cluster (F04)", () => {
    const secret_references = [{ name: "DB_URL", secret_name: "chat-db", secret_key: "url" }];
    const args = owned({ secrets: [{ name: "KEY", value: "hush-hush" }], secret_references });
    expect(args).toHaveProperty("secretReferences", { DB_URL: { secretName: "chat-db", secretKey: "url" } });
    expect(JSON.stringify(args)).not.toMatch(/hush-hush|"secrets"/);
  });

  it("is no field that the dialect says is for other sources (F03)", () => {
    const sourcesOf = { "sourceRevisionConfig.imageUri": ["external_container"] };
    const dialect = { ...standard, refusesWrongFields: true, sourcesOf };
    const shown = { source: "codehost", source_revision_config: { image_uri: "built:1", repo_ref: "main" } };
    expect(owned(shown, dialect)["sourceRevisionConfig"]).toEqual({ repoRef: "main" });
  });

  const [own, path] = ["https://chat-bot-0a1b2c3d.apps.example.com", "https://langsmith.example.com/lgp"];
  it.each([
    [standard, "Chat Bot", own, undefined],
    [standard, "search", own, own],
    [langsmith, "chat", "https://chat-0a1b2c3d.us.langgraph.app", undefined],
    [langsmith, "chat", `${path}/chat-0a1b2c3d`, undefined],
    [langsmith, "chat", `${path}/x-0a1b2c3d`, `${path}/x-0a1b2c3d`],
  ])(
    "is not the address that the service chose: dialect $0.name, %s, %s (F13)",
    (dialect, name, custom_url, expected) => {
      const args = owned({ name, source_config: { custom_url } }, dialect);
      expect((args["sourceConfig"] as Values | undefined)?.["customUrl"]).toBe(expected);
    },
  );

  it("leaves out, and names, what this version does not accept", () => {
    const shown = observed({ source_config: { deployment_type: "platinum", install_command: "npm ci" } });
    const { args, leftOut } = declaredArguments(shown, standard);
    expect(args["sourceConfig"]).toEqual({ installCommand: "npm ci" });
    expect(leftOut).toEqual(["sourceConfig.deploymentType"]);
  });
});

describe("names", () => {
  it.each([
    [
      "as they are on the service if they are valid",
      ["chat", "chat.eu_2", "A-b"],
      ["chat", "chat.eu_2", "A-b"],
    ],
    [
      "similar otherwise, and never the same as another's",
      ["chat bot", "chat-bot", "42", "-", "чат", "__proto__"],
      ["chat-bot-2", "chat-bot", "deployment-42", "deployment", "deployment-2", "proto"],
    ],
  ])("are %s", (_, names, keys) => {
    expect(keysFor(names)).toEqual(keys);
  });

  it("are valid and unique, whatever the names on the service", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 8 })), (names) => {
        const keys = keysFor(names);
        expect(new Set(keys).size).toBe(names.length);
        for (const key of keys) expect(key).toMatch(/^[A-Za-z][A-Za-z0-9_.-]*$/);
      }),
    );
  });

  it.each([
    ["chat", "MODEL_API_KEY", "chatModelApiKey"],
    ["chat-eu.2", "dbUrl", "chatEu2DbUrl"],
    ["CHAT", "KEY", "chatKey"],
  ])("of configuration: %s and %s make %s", (key, secret, expected) => {
    expect(configKeyNear(key, secret)).toBe(expected);
  });
});

it("the plan leaves out what cannot be taken over, or what another tool owns, and says why (E33, F08)", () => {
  const { imported, skipped } = chooseImports(
    [
      observed({ name: "going", status: "AWAITING_DELETE" }),
      observed({ name: "" }),
      observed({ name: "%CHAT%" }),
      observed({ name: "new", source: "quantum" }),
      { ...observed({ name: "chat-pr-7" }), owner: langsmith.owners["is_preview"]! },
      { ...observed({ name: "deep" }), owner: langsmith.owners["is_managed_deep_agent"]! },
    ],
    standard,
  );
  expect(imported).toEqual([]);
  expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
    ["", "has no name, which a declaration needs"],
    ["%CHAT%", "has a name with an unreplaced CI variable, which cannot be declared"],
    [
      "chat-pr-7",
      "is a preview build, which LangSmith made for a pull request, and changes and deletes by itself",
    ],
    ["deep", expect.stringContaining("is a managed agent, which belongs to `mda` (managed-deepagents)")],
    ["going", "is being deleted (status AWAITING_DELETE)"],
    ["new", "has the source quantum, which this version does not know"],
  ]);
});

const secretive = observed({
  name: "chat bot",
  source_config: { install_command: "echo ${HOME} $${x} $y" },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [
    { name: "MODEL_API_KEY", value: "hush-hush" },
    { name: "ODD: name\n# x", value: "hush-too" },
  ],
});

describe("the manifest", () => {
  const { imported } = chooseImports([secretive, observed({ name: "search" })], standard);
  const text = newManifest(imported, standard);

  it("reads as a person would have written it", () => {
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json

      # Values equal to the service's defaults are not written: declare them to detect drift.

      # Secrets are on the service but not managed yet, so their values are not in any file. To manage one, run the
      # command next to it, which asks for the value (without a terminal, pass it on standard input). Then uncomment its
      # line and those of \`secrets\` around it.

      version: 1
      deployments:
        chat-bot:
          name: chat bot
          source: external_container
          sourceConfig:
            customUrl: https://chat-0a1b2c3d.apps.example.com
            installCommand: echo $\${HOME} $$\${x} $y
          sourceRevisionConfig:
            imageUri: registry.example.com/chat:1
          # secrets:
          #   MODEL_API_KEY: \${config.chatBotModelApiKey} # pulumi config set --secret chatBotModelApiKey
          #   "ODD: name\\n# x": \${config.chatBotOddNameX} # pulumi config set --secret chatBotOddNameX
        search:
          source: external_container
          sourceConfig:
            customUrl: https://chat-0a1b2c3d.apps.example.com
      "
    `);
  });
});

describe("the bulk import file", () => {
  const { imported } = chooseImports([secretive], standard);
  const [resource] = bulkFile(imported, standard).resources;

  it("holds inputs that the program's own are equal to, so that there is nothing to change", () => {
    const inputs = parsePlanned(resource!.inputs);
    const checked = check(inputs, imported[0]!.args, standard);
    expect(checked).toMatchObject({ inputs, failures: [] });
    expect(diff(parseState(resource!.outputs), checked.inputs, standard)).toMatchObject({
      plan: { effect: "none", resumes: false },
    });
  });

  it("remembers the service that the deployment belongs to", () => {
    const [moved] = bulkFile(imported, standard, "https://deployments.example.com").resources;
    expect(parseState(moved!.outputs).private.madeWith).toEqual({
      address: "https://deployments.example.com",
      dialect: "standard",
    });
  });

  it("carries the provider in inputs and outputs, and no value of a secret", () => {
    expect(resource!.inputs["__provider"]).toContain("pulumi-deployment-service/provider");
    expect(resource!.outputs["__provider"]).toBe(resource!.inputs["__provider"]);
    expect(JSON.stringify(resource)).not.toMatch(/hush/);
  });
});
