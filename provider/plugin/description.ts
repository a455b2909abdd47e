/** What the plugin says of itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GetSchemaResponse, ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo as PluginInfoMessage } from "@pulumi/pulumi/proto/plugin_pb";
import { packageFolder, version } from "../version";
import { PluginInfo, providerMessages } from "../engine/sdk";

/** Secrets are marked by this side; references and outputs come as the values that they stand for. */
export function handshake(): ProviderHandshakeResponse {
  return new providerMessages.ProviderHandshakeResponse().setAcceptSecrets(true);
}

export function pluginInfo(): PluginInfoMessage {
  return new PluginInfo().setVersion(version());
}

export function schemaResponse(): GetSchemaResponse {
  const text = readFileSync(join(packageFolder() ?? "", "plugin", "schema.json"), "utf8");
  const described = JSON.parse(text) as object;
  return new providerMessages.GetSchemaResponse().setSchema(
    JSON.stringify({ ...described, version: version() }),
  );
}
