/** Handshake, GetPluginInfo and GetSchema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GetSchemaResponse, ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo as PluginInfoMessage } from "@pulumi/pulumi/proto/plugin_pb";
import { packageFolder, version } from "../version";
import { PluginInfo, providerMessages } from "../engine/sdk";

/** The plugin accepts secrets. It does not accept references and outputs, so the engine passes their plain values. */
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
