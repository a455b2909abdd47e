import { join } from "node:path";
import { expect, it } from "vitest";
import { langsmith, startEmulator } from "../../../emulator";
import { packaged, settingsFor, type PackagedProvider } from "../../support/adapters";
import { PluginProcess } from "../../support/plugin-process";
import { newest, packageJsonIn } from "../../support/provider-process";
import { holdLaws } from "./hold";

it("the SDK's runner starts the provider for engines that read PulumiPlugin.yaml", async () => {
  const plugin = await PluginProcess.start(newest, { withRunner: true });
  try {
    expect(await plugin.version()).toBe(packageJsonIn(join(__dirname, "../../..")).version);
  } finally {
    await plugin.stop();
  }
});

it("gives programs in every language the listeners, the integrations, and what a repository declares", async () => {
  const listener = "22222222-2222-4222-8222-222222222222";
  const service = await startEmulator({ rules: langsmith, seed: { listeners: { [listener]: ["agents"] } } });
  const provider = (await packaged.start(newest)) as PackagedProvider;
  try {
    await provider.configure({ ...settingsFor(service), dialect: "langsmith" });
    const { plugin } = provider;
    expect(await plugin.invoke("listListeners", {})).toMatchObject({
      listeners: [{ id: listener, namespaces: ["agents"] }],
    });
    service.repositories(listener, []);
    const { integrations } = await plugin.invoke("listIntegrations", {});
    expect(integrations).toEqual([expect.objectContaining({ id: listener })]);
    const repository = {
      hostIntegrationId: listener,
      url: "https://code.example.com/acme/chat",
      defaultBranch: "main",
    };
    expect(await plugin.invoke("fromRepository", { repository })).toEqual({
      sourceConfig: { integrationId: listener, repoUrl: repository.url },
      sourceRevisionConfig: { repoRef: "main" },
    });
    await expect(plugin.invoke("fromRepository", {})).rejects.toThrow("fromRepository expects a repository");
  } finally {
    await provider.process.stop();
    await service.close();
  }
});

holdLaws(packaged);
