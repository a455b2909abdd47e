/**
 * What look-ups of one program share: the connection, and the results, so that the same question is sent once. What is
 * handed out is everybody's own: a program may change it, and nobody else sees that.
 */
import * as pulumi from "@pulumi/pulumi";
import { unknownKey } from "../../schema/problems";
import { systemClock } from "../clock";
import { connect } from "../control-plane/connect";
import { sanitize } from "../text/sanitize";
import type { Client } from "../control-plane/client";
import { DeploymentError } from "../errors";
import { waitingText } from "../limits";
import { checkObject } from "../deployment/lookup";
import { readSettings } from "../settings/reading";
import { namespace, settingsTable } from "../settings/table";
import { warnOfUnknownConfiguration, settingsOf, type LookUpOptions, type SettingTexts } from "./provider";
import { typeToken } from "../internal-inputs";
import { isKnown } from "./without-dependencies";

export class Session {
  readonly #asked = new Map<string, unknown>();

  constructor(readonly client: Client) {}

  /** The result of a question; a failed one is asked again. */
  async once<T>(question: unknown, ask: (client: Client) => Promise<T>): Promise<T> {
    const result = this.#remembered(question, (forget) => {
      const asked = ask(this.client);
      asked.catch(forget);
      return asked;
    });
    return structuredClone(await result);
  }

  async *pages<T>(
    question: unknown,
    ask: (client: Client) => AsyncIterable<readonly T[]>,
  ): AsyncGenerator<T, void> {
    const pages = this.#remembered(question, (forget) => sharedPages(ask(this.client), forget));
    for (let index = 0; ; index++) {
      const page = await pages(index);
      if (page.done) return;
      for (const item of page.value) yield structuredClone(item);
    }
  }

  #remembered<T>(question: unknown, ask: (forget: () => void) => T): T {
    const key = JSON.stringify(question);
    const result = this.#asked.has(key) ? this.#asked.get(key) : ask(() => this.#asked.delete(key));
    this.#asked.set(key, result);
    return result as T;
  }
}

/** Pages by their index. Each is fetched once, and only when the first reader gets there. */
function sharedPages<T>(source: AsyncIterable<T>, failed: () => void) {
  const iterator = source[Symbol.asyncIterator]();
  const fetched: Promise<IteratorResult<T, undefined>>[] = [];
  return (index: number) => {
    if (fetched[index] === undefined) {
      fetched[index] = iterator.next();
      fetched[index].catch(failed);
    }
    return fetched[index];
  };
}

/** Texts of settings by configuration key; not secret, since a result is no secret because the key is. */
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

/** A misspelt option would quietly ask another service. */
function checkOptions(options: unknown): void {
  checkObject(options, "options such as { provider } or { parent }");
  const known = ["provider", "parent"];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new DeploymentError(`the options have an ${unknownKey(unknown, known)}`);
}

function configuredTexts(): SettingTexts {
  warnOfUnknownConfiguration();
  const keys = Object.keys(settingsTable).map((name) => `${namespace}:${name}`);
  return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.getConfig(key)]));
}

/** One process may run several programs, one after the other; each has its own results. */
const runs = new WeakMap<object, Map<string, Session>>();
const noStack = {};

export function sessionFor(texts: SettingTexts): Session {
  const { settings, problems = [] } = readSettings((key) => texts[key], process.env);
  if (settings === undefined) throw new DeploymentError(problems.map(({ message }) => message).join("; "));
  const key = JSON.stringify(settings);
  const run = pulumi.runtime.getStackResource() ?? noStack;
  const sessions = runs.get(run) ?? new Map<string, Session>();
  runs.set(run, sessions);
  const session = sessions.get(key) ?? new Session(connect(settings, systemClock, tell).client);
  sessions.set(key, session);
  return session;
}

/** Beside the stack, until the next message. Where there is no engine, nobody is told. */
function tell(waitsFor: string | Error, time?: string): void {
  if (pulumi.runtime.hasEngine())
    void pulumi.log.info(sanitize(waitingText(waitsFor, time)), undefined, undefined, true);
}

/** Waits for settings outside of an output, which is not possible while they are not known. */
export async function awaitSession(options: LookUpOptions): Promise<Session> {
  const texts = settingTexts(options);
  if (!(await isKnown(texts))) {
    throw new DeploymentError(
      "the settings of the provider are not known before something else was created: use the function whose name ends in Output",
    );
  }
  return sessionFor(await new Promise((resolve) => void texts.apply(resolve)));
}
