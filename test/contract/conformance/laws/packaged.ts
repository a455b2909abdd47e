/** What only the packaged provider has. */
import { inClear } from "../../../support/secret-marks";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { packageJsonIn, secret } from "../../../support/provider-process";
import { app, onlyPackaged, unknown, type Law } from "../law";

const root = resolve(__dirname, "../../../..");
const schema = JSON.parse(readFileSync(join(root, "plugin/schema.json"), "utf8")) as object;

const stock = "the stock process answers this by itself, for all dynamic providers";
const noImport = "the engine imports no dynamic resource";
const inProgram = "the functions of the package run in the program's process";

export const packaging: readonly Law[] = [
  onlyPackaged(stock, "says what it is and what it has", async ({ provider: { plugin } }) => {
    const { version } = packageJsonIn(root);
    expect(await plugin.handshake()).toMatchObject({ acceptSecrets: true });
    expect(await plugin.version()).toBe(version);
    expect(await plugin.schema()).toEqual({ ...schema, version });
  }),

  onlyPackaged(stock, "says that it does not have what it does not have", async ({ provider }) => {
    await expect(provider.plugin.mapping()).rejects.toThrow(/not implement/);
  }),

  onlyPackaged(
    "the dynamic provider is not given the engine's inputs",
    "returns the inputs of a refresh only if the engine has others",
    async ({ provider, service, up, nextRun }) => {
      const { id, state, inputs } = await up(app("chat"));
      expect(await provider.plugin.read("chat", id, state, inputs)).toMatchObject({ hasInputs: false });
      service.change("chat", (record) => void (record.source_revision_config["image_uri"] = "other:1"));
      const { plugin } = await nextRun();
      expect(await plugin.read("chat", id, state, inputs)).toMatchObject({ hasInputs: true });
    },
  ),

  onlyPackaged(noImport, "imports by the id, and says where there is none", async ({ provider, service }) => {
    const { id } = service.create({
      name: "chat",
      source: "external_container",
      source_config: { build_on_push: null, resource_spec: { cpu: 4 } },
      source_revision_config: { image_uri: "registry.example.com/chat:1" },
      secrets: [{ name: "KEY", value: "sesame-0pens" }],
    });
    const { inputs, properties } = await provider.plugin.read("chat", id);
    expect(inputs).toEqual({
      ...app("chat", { sourceConfig: { resourceSpec: { cpu: 4 } } }).args,
      name: "chat",
      generation: 1,
    });
    expect(JSON.stringify(inClear(properties))).not.toContain("sesame-0pens");
    const other = "6f0e6c1a-0000-4000-8000-000000000000";
    await expect(provider.plugin.read("chat", other)).rejects.toThrow(`no deployment with the id ${other}`);
    await expect(provider.plugin.read("chat", "chat")).rejects.toThrow(
      /"chat" is not the id of a deployment: expected a UUID\. `npx pulumi-deployment-service list` shows the id of each deployment\W*$/,
    );
  }),

  onlyPackaged(
    inProgram,
    "answers lookups, with their secrets marked, and says what was wrong with the question",
    async ({ provider: { plugin }, up }) => {
      const sidecars = [{ name: "log", args: ["--verbose", "--token=sesame-0pens"] }];
      await up(
        app("chat", { secrets: { KEY: "sesame-0pens" }, sourceConfig: { resourceSpec: { sidecars } } }),
      );
      const found = await plugin.invoke("getDeployment", { name: "chat", id: null });
      expect(found).toMatchObject({
        name: "chat",
        secrets: secret({ KEY: "sesame-0pens" }),
        sourceConfig: {
          resourceSpec: { sidecars: [{ name: "log", args: ["--verbose", secret("--token=sesame-0pens")] }] },
        },
      });
      const { deployments } = await plugin.invoke("listDeployments", { status: "READY" });
      expect(deployments).toEqual([found]);
      await expect(plugin.invoke("listDeployments", { statu: 1 })).rejects.toThrow(
        'listDeployments: statu: unknown key "statu"; did you mean "status"?.',
      );
      await expect(plugin.invoke("getDeploymint", {})).rejects.toThrow("getDeploymint");
    },
  ),

  onlyPackaged(
    inProgram,
    "answers nothing yet, and asks for nothing, where a lookup is for what is not known yet",
    async ({ provider: { plugin }, service }) => {
      const integrationId = "6f0e6c1a-0000-4000-8000-000000000000";
      expect(await plugin.invoke("getDeployment", { name: unknown })).toEqual({});
      expect(await plugin.invoke("listDeployments", { deploymentIds: [unknown] })).toEqual({});
      expect(await plugin.invoke("listRepositories", { integrationId, host: secret(unknown) })).toEqual({});
      expect(service.requests()).toEqual([]);
    },
  ),
];
