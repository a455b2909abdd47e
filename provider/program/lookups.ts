/** The queries of lookups, and their clients. Those with the same settings share a connection, and so its limit of requests. */
import * as pulumi from "@pulumi/pulumi";
import { systemClock } from "../time/clock";
import { connect } from "../control-plane/connect";
import { sanitize } from "../text/sanitize";
import type { Client } from "../control-plane/client";
import { DeploymentError } from "../errors";
import { waitingText } from "../time/limits";
import { findDeployment, findDeployments } from "../lookup/lookup";
import { readSettings } from "../settings/reading";
import { namespace, settingsTable } from "../settings/table";
import { warnOfUnknownConfiguration, settingsOf, type LookUpOptions, type SettingTexts } from "./provider";
import { typeToken } from "../stored/internal-inputs";
import type { DeploymentResult } from "./results";
import { isKnown, withoutDependencies } from "./without-dependencies";

export { findRepositories } from "../lookup/lookup";

export function find(client: Client, args: unknown): Promise<DeploymentResult> {
  return findDeployment(client, args) as Promise<unknown> as Promise<DeploymentResult>;
}

export function listed(client: Client, args: unknown): AsyncIterable<DeploymentResult> {
  return findDeployments(client, args) as AsyncIterable<unknown> as AsyncIterable<DeploymentResult>;
}

/** Settings by configuration key. They are not secret outputs, since a secret API key does not make results secret. */
export function settingTexts({ provider, parent }: LookUpOptions): pulumi.Output<SettingTexts> {
  const chosen = provider ?? parent?.getProvider(typeToken);
  if (chosen === undefined) return pulumi.output(configuredTexts());
  const texts = settingsOf(chosen);
  if (texts === undefined) {
    throw new DeploymentError("the option `provider` must be a Provider of pulumi-deployment-service");
  }
  return pulumi.unsecret(texts);
}

function configuredTexts(): SettingTexts {
  warnOfUnknownConfiguration();
  const keys = Object.keys(settingsTable).map((name) => `${namespace}:${name}`);
  return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.getConfig(key)]));
}

const clients = new Map<string, Client>();

export function clientFor(texts: SettingTexts): Client {
  const { settings, problems } = readSettings((key) => texts[key], process.env);
  if (settings === undefined) throw new DeploymentError(problems.map(({ message }) => message).join("; "));
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? connect(settings, systemClock, tell).client;
  clients.set(key, client);
  return client;
}

/** Reports a wait to the engine, if there is one. The next message replaces it. */
function tell(waitsFor: string | Error, time?: string): void {
  if (pulumi.runtime.hasEngine())
    void pulumi.log.info(sanitize(waitingText(waitsFor, time)), undefined, undefined, true);
}

/** Waits for the settings. Throws if they are not known yet. */
export async function awaitClient(options: LookUpOptions): Promise<Client> {
  const texts = settingTexts(options);
  if (!(await isKnown(texts))) {
    throw new DeploymentError(
      "the settings of the provider are not known yet: use the variant of this function whose name ends in Output",
    );
  }
  return clientFor(await withoutDependencies(texts));
}
