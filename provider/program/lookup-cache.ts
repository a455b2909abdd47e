/**
 * Lookups of one program share the connection and, except for lists of deployments, the results. Callers get copies, which they may
 * modify.
 */
import * as pulumi from "@pulumi/pulumi";
import { unknownKeyMessage } from "../../schema/wording";
import { systemClock } from "../time/clock";
import { connect } from "../control-plane/connect";
import { sanitize } from "../text/sanitize";
import type { Client } from "../control-plane/client";
import { DeploymentError } from "../errors";
import { waitingText } from "../time/limits";
import { checkObject } from "../deployment/lookup";
import { readSettings } from "../settings/reading";
import { namespace, settingsTable } from "../settings/table";
import { warnOfUnknownConfiguration, settingsOf, type LookUpOptions, type SettingTexts } from "./provider";
import { typeToken } from "../deployment/internal-inputs";
import { isKnown, withoutDependencies } from "./without-dependencies";

export class Session {
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(readonly client: Client) {}

  /** The result of a query. A failed one is sent again. */
  async once<T>(query: unknown, ask: (client: Client) => Promise<T>): Promise<T> {
    const key = JSON.stringify(query);
    const result = this.#asked.get(key) ?? ask(this.client);
    this.#asked.set(key, result);
    result.catch(() => this.#asked.delete(key));
    return structuredClone((await result) as T);
  }
}

/** Settings by configuration key. They are not secret outputs, since a secret API key does not make results secret. */
export function settingTexts(options: LookUpOptions): pulumi.Output<SettingTexts> {
  checkOptions(options);
  const { provider, parent } = options;
  const chosen = provider ?? parent?.getProvider(typeToken);
  if (chosen === undefined) return pulumi.output(configuredTexts());
  const texts = settingsOf(chosen);
  if (texts === undefined) {
    throw new DeploymentError("the option `provider` must be a Provider of pulumi-deployment-service");
  }
  return pulumi.unsecret(texts);
}

/** A misspelled option would silently query another service. */
function checkOptions(options: unknown): void {
  checkObject(options, "options such as { provider } or { parent }");
  const known = ["provider", "parent"];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new DeploymentError(`the options have an ${unknownKeyMessage(unknown, known)}`);
}

function configuredTexts(): SettingTexts {
  warnOfUnknownConfiguration();
  const keys = Object.keys(settingsTable).map((name) => `${namespace}:${name}`);
  return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.getConfig(key)]));
}

/** One process may run several programs in succession. Each has its own results. */
const runs = new WeakMap<object, Map<string, Session>>();
const noStack = {};

export function sessionFor(texts: SettingTexts): Session {
  const { settings, problems } = readSettings((key) => texts[key], process.env);
  if (settings === undefined) throw new DeploymentError(problems.map(({ message }) => message).join("; "));
  const key = JSON.stringify(settings);
  const run = pulumi.runtime.getStackResource() ?? noStack;
  const sessions = runs.get(run) ?? new Map<string, Session>();
  runs.set(run, sessions);
  const session = sessions.get(key) ?? new Session(connect(settings, systemClock, tell).client);
  sessions.set(key, session);
  return session;
}

/** Reports a wait to the engine, if there is one. The next message replaces it. */
function tell(waitsFor: string | Error, time?: string): void {
  if (pulumi.runtime.hasEngine())
    void pulumi.log.info(sanitize(waitingText(waitsFor, time)), undefined, undefined, true);
}

/** Waits for the settings. Throws if they are not known yet. */
export async function awaitSession(options: LookUpOptions): Promise<Session> {
  const texts = settingTexts(options);
  if (!(await isKnown(texts))) {
    throw new DeploymentError(
      "the settings of the provider are not known yet: use the variant of this function whose name ends in Output",
    );
  }
  return sessionFor(await withoutDependencies(texts));
}
