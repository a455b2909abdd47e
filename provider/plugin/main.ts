/**
 * The plugin process, which the engine starts as `pulumi-resource-deployment-service ENGINE`. Prints its port, and serves until it
 * is stopped.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newController } from "../time/limits";
import { engineAddress } from "../engine/log";
import { Operations } from "../engine/operations";
import { ProviderConfiguration } from "./configuration";
import { invoke } from "./functions";
import { Resources } from "./resources";
import { Empty, PluginInfo, providerMessages } from "../engine/sdk";
import { serve, watchEngine } from "./server";
import { operationError } from "./grpc-status";
import { packageFolder, version } from "../files/version";

async function main(): Promise<void> {
  const cancellation = newController();
  const protocol = { failure: operationError, cancellation: () => cancellation.signal };
  const operations = new Operations(protocol);
  const configuration = new ProviderConfiguration(operations);
  const resources = new Resources(operations, () => configuration.urn);
  const port = await serve({
    // Without references and outputs, for which the engine passes their plain values.
    handshake: () => new providerMessages.ProviderHandshakeResponse().setAcceptSecrets(true),
    getPluginInfo: () => new PluginInfo().setVersion(version()),
    getSchema: () => new providerMessages.GetSchemaResponse().setSchema(schemaText()),
    checkConfig: (request) => configuration.check(request),
    diffConfig: (request) => configuration.diff(request),
    configure: (request) => configuration.configure(request),
    check: (request) => resources.check(request),
    diff: (request) => resources.diff(request),
    create: (request) => resources.create(request),
    read: (request) => resources.read(request),
    update: (request) => resources.update(request),
    delete: (request) => resources.delete(request),
    invoke: (request) => invoke(operations, request),
    cancel: () => {
      cancellation.abort();
      return new Empty();
    },
  });
  const engine = engineAddress(process.argv);
  if (engine !== undefined) watchEngine(engine, () => process.exit());
  process.stdout.write(`${port}\n`);
}

function schemaText(): string {
  const text = readFileSync(join(packageFolder() ?? "", "plugin", "schema.json"), "utf8");
  return JSON.stringify({ ...(JSON.parse(text) as object), version: version() });
}

void main();
