/**
 * The plugin process, which the engine starts as `pulumi-resource-deployment-service ENGINE`. Prints its port, and serves until it
 * is stopped.
 */
import { newController } from "../time/limits";
import { engineAddress } from "../engine/log";
import { Operations } from "../engine/operations";
import { sharedClaims } from "../engine/shared-claims";
import { ProviderConfiguration } from "./configuration";
import { handshake, pluginInfo, schemaResponse } from "./description";
import { watchEngine } from "./engine-watch";
import { invoke } from "./functions";
import { Listings } from "./listing";
import { Resources } from "./resources";
import { Empty } from "../engine/sdk";
import { serve } from "./server";
import { operationError } from "./grpc-status";

async function main(): Promise<void> {
  const cancellation = newController();
  const protocol = { failure: operationError, cancellation: () => cancellation.signal };
  const operations = new Operations(protocol, sharedClaims());
  const configuration = new ProviderConfiguration(operations);
  const resources = new Resources(operations, () => configuration.urn);
  const listings = new Listings(operations);
  const port = await serve({
    handshake,
    getPluginInfo: pluginInfo,
    getSchema: schemaResponse,
    checkConfig: (request) => configuration.check(request),
    diffConfig: (request) => configuration.diff(request),
    configure: (request) => configuration.configure(request),
    check: (request) => resources.check(request),
    diff: (request) => resources.diff(request),
    create: (request) => resources.create(request),
    read: (request) => resources.read(request),
    list: (request) => listings.page(request),
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

void main();
