import { join } from "node:path";
import { expect, it } from "vitest";
import { packaged } from "../../support/adapters";
import { PluginProcess } from "../../support/plugin-process";
import { newest, packageJsonIn } from "../../support/provider-process";
import { holdLaws } from "./hold";

it("is started by the SDK's runner, where an engine goes by PulumiPlugin.yaml", async () => {
  const plugin = await PluginProcess.start(newest, { withRunner: true });
  try {
    expect(await plugin.version()).toBe(packageJsonIn(join(__dirname, "../../..")).version);
  } finally {
    await plugin.stop();
  }
});

holdLaws(packaged);
