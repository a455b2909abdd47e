/**
 * The object that the engine's dynamic provider process loads. It maps the engine's calls to the lifecycle and back,
 * and decides nothing itself. Its module name is in every state: never rename it.
 */
import { createHmac } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { CustomTimeouts } from "../../schema/manifest";
import { formatPath, problemsOf } from "../../schema/problems";
import type { Clock } from "../clock";
import { connect, type Connection } from "../connection";
import { check, type Failure, UniqueNames } from "../deployment/check";
import type { Connected, Context } from "../deployment/service";
import { remove } from "../deployment/delete";
import { diff, type Diff } from "../deployment/diff";
import { allDeletedVariable, isMoved } from "../deployment/identity";
import * as lifecycle from "../deployment/lifecycle";
import { RunClaims, type Claims } from "../deployment/claims";
import {
  argumentsIn,
  deployedAs,
  inputsIn,
  isDeclared,
  requireKnownVersion,
  type Declared,
} from "../deployment/state";
import { isEqual, type Values } from "../values";
import { dialects } from "../dialects";
import { parseDuration } from "../duration";
import type { Limits } from "../limits";
import { readSettings, type Settings, type SettingsResult } from "../settings";
import { checkFailure, failure } from "./failure";
import { optionsKey, providerKey, type InternalOptions, type Operation } from "../internal-inputs";
import { flushLogs, logFor } from "./engine-log";
import { cancellationSignal } from "./cancellation";
import { fromEngine, toEngine, withSecrets } from "./marshal";
import { redactErrors, redactorFor, serviceWords, tellWith } from "./redact-secrets";
import { sharedClaims } from "./shared-claims";
import { Turns } from "./turns";

/** Milliseconds. */
const defaultTimeouts: Record<Operation, number> = {
  create: 30 * 60_000,
  update: 30 * 60_000,
  delete: 10 * 60_000,
};

/** Of what a program manages, or of what it only reads. */
type Reading = "refresh" | "read";

function isReading(operation: Operation | Reading): operation is Reading {
  return operation === "refresh" || operation === "read";
}

class DeploymentProvider implements pulumi.dynamic.ResourceProvider {
  #read: SettingsResult | undefined;
  #connection: Connection | undefined;
  #connected: Connected | undefined;
  /**
   * Resources whose arguments were checked and not yet compared, with the provider that they had. The engine also compares
   * while it refreshes.
   */
  readonly #checked = new Map<string, InternalOptions>();
  readonly #run: RunClaims;
  #names = new UniqueNames();
  #turns = new Turns();

  constructor(run: RunClaims) {
    this.#run = run;
  }

  /** Synchronous, because the engine does not wait for it. Nothing is connected before it is needed. */
  configure = async ({ config }: pulumi.dynamic.ConfigureRequest): Promise<void> => {
    this.#read = readSettings((key) => config.get(key), process.env);
    this.#connection = undefined;
    this.#connected = undefined;
    // The engine configures a provider once for each run.
    this.#names = new UniqueNames();
    this.#turns = new Turns();
  };

  async check(olds: Values, news: Values): Promise<pulumi.dynamic.CheckResult> {
    const { [providerKey]: _, [optionsKey]: internal, ...given } = fromEngine(news);
    const old = Object.keys(olds).length === 0 ? undefined : fromEngine(olds);
    // An import checks what a check has made, the generation included.
    const { generation, ...rest } = given;
    const args = generation === old?.["generation"] ? rest : given;
    const { problems = [], settings } = this.#settings();
    const { inputs, failures } = check(old, args, settings?.dialect ?? dialects["standard"]!);
    const context = (internal ?? {}) as InternalOptions;
    this.#checked.set(identify(news), contextOf(olds));
    // Without an old one it is created, also where the engine replaces what was compared and found to be kept.
    if (old === undefined) {
      this.#run.release(identify(news));
      this.#turns.wait(identify(news));
    }
    const { urn, provider = "default" } = context;
    const isTaken = urn === undefined ? [] : this.#names.declare(inputs["name"], provider, urn);
    const shown = redactorFor({ ...args, [optionsKey]: internal });
    return {
      inputs: toEngine({ ...inputs, ...(internal !== undefined && { [optionsKey]: internal }) }),
      failures: [
        ...problems.map(({ message }) => ({ property: "", reason: message })),
        ...[...failures, ...isTaken, ...timeoutFailures(context)].map((each) =>
          checkFailure(each, context, shown),
        ),
      ],
    };
  }

  async diff(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.DiffResult> {
    const [old, declared] = [stateFrom("diff", olds), fromEngine(news)];
    const resource = identify(news);
    const isCompared = this.#checked.has(resource);
    const { replaceOnChanges } = contextOf(declared);
    const isMoved = isCompared && this.#isMoved(old, declared, this.#checked.get(resource));
    this.#checked.delete(resource);
    const result = diff(old, declared, this.#dialect(), { replaceOnChanges, isMoved });
    if (isCompared) {
      if (result.plan.kind !== "replacement") this.#run.claim(deployedAs(id, old), resource, "keeps");
      else if (!isMoved) this.#run.noteReplaced(resource, old);
      const log = logFor(contextOf(declared).urn, redactorFor(declared));
      if (result.explanation !== undefined) log.info(result.explanation);
      for (const warning of result.warnings) log.warning(warning);
      if (result.plan.kind === "revision") this.#turns.wait(resource);
      await flushLogs();
    }
    const replaces = result.plan.changes.filter(({ kind }) => kind === "replacement").map(({ path }) => path);
    return {
      changes: isMoved || changesOf(result, old, declared),
      replaces,
      deleteBeforeReplace: result.deleteBeforeReplace,
    };
  }

  #isMoved(old: Values, declared: Values, before = contextOf(old)): boolean {
    const { settings } = this.#settings();
    if (settings === undefined) return false;
    try {
      return isMoved(old, this.#connectedBy(settings), hasOtherProvider(before, contextOf(declared)));
    } catch (error) {
      throw failure("diff", declared, error, old);
    }
  }

  async create(props: Values): Promise<pulumi.dynamic.CreateResult> {
    const declared = fromEngine(props) as Declared;
    return this.#do("create", declared, async (context) => {
      const { id, state } = await lifecycle.create(context, declared);
      return { id, outs: withSecrets(state) };
    });
  }

  async update(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.UpdateResult> {
    const declared = fromEngine(news) as Declared;
    const old = stateFrom("update", olds);
    const work = async (context: Context) => ({
      outs: withSecrets(await lifecycle.update(context, id, old, declared)),
    });
    return this.#do("update", declared, work, old);
  }

  async read(id: string, props: Values = {}): Promise<pulumi.dynamic.ReadResult> {
    const old = stateFrom("read", props);
    return this.#do(isDeclared(old) ? "refresh" : "read", old, async (context) => {
      const state = await lifecycle.read(context, id, old);
      if (state === undefined) return {};
      if (!isDeclared(state)) return { id, props: withSecrets(state) };
      const inputs = { ...inputsIn(state), [optionsKey]: state[optionsKey] };
      return { id, props: withSecrets(state), inputs: withSecrets(inputs) };
    });
  }

  async delete(id: string, props: Values): Promise<void> {
    const old = stateFrom("delete", props);
    this.#turns.forget(identify(old));
    await this.#do("delete", old, (context) => remove(context, id, old));
  }

  async #do<T>(
    operation: Operation | Reading,
    values: Values,
    work: (context: Context) => Promise<T>,
    old: Values = {},
  ): Promise<T> {
    try {
      const context = this.#context(operation, values, old);
      if (operation !== "create" && operation !== "update") return await work(context);
      const tell = (text: string) => context.log.info(`${String(values["name"])}: ${text}`);
      return await this.#turns.run(identify(values), tell, () => work(context));
    } catch (error) {
      throw failure(operation, values, error, old);
    } finally {
      await flushLogs();
    }
  }

  #context(operation: Operation | Reading, values: Values, old: Values): Context {
    const { urn, timeouts, secretPaths, hasSiblings } = contextOf(values);
    const { client, clock, settings, lookUpLimits } = this.#connect();
    const log = logFor(urn, redactorFor(values, old));
    const redact = serviceWords(values, old);
    const time = isReading(operation) ? undefined : timeOf(operation, timeouts);
    const limits: Limits = {
      ...(time === undefined ? lookUpLimits() : limitsOf(clock, time)),
      signal: cancellationSignal(),
      tell: tellWith((text) => log.progress(text), String(values["name"]), redact),
    };
    return {
      ...this.#connectedBy(settings),
      ...limits,
      service: redactErrors(client.within(limits), redact),
      run: this.#run,
      resource: urn,
      secretPaths,
      hasSiblings: hasSiblings || contextOf(old).hasSiblings,
      clock,
      log,
      logLines: settings.logLines,
    };
  }

  #settings(): SettingsResult {
    return (this.#read ??= readSettings(() => undefined, process.env));
  }

  #dialect() {
    return this.#settings().settings?.dialect ?? dialects["standard"]!;
  }

  #connectedBy({ baseUrl, tenantId, dialect, apiKey }: Settings): Connected {
    return (this.#connected ??= {
      address: baseUrl,
      tenantId,
      dialect,
      keyDigest: digestOf(apiKey, baseUrl),
    });
  }

  #connect(): Connection {
    const { settings, problems = [] } = this.#settings();
    if (settings === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
    return (this.#connection ??= connect(settings));
  }
}

/** Throws where it is a later version's, which may mean more by it. */
function stateFrom(operation: Operation | "read" | "diff", values: Values): Values {
  const state = fromEngine(values);
  try {
    requireKnownVersion(state);
  } catch (error) {
    throw failure(operation, state, error);
  }
  return state;
}

/** Too short to find the key by. */
function digestOf(apiKey: string, salt: string): string {
  return createHmac("sha256", apiKey).update(salt).digest("hex").slice(0, 12);
}

/** Milliseconds that an operation has in all. */
function timeOf(operation: Operation, timeouts: InternalOptions["timeouts"] = {}): number {
  // To the engine, 0 says that nothing was said.
  return parseDuration(timeouts[operation] ?? "") || defaultTimeouts[operation];
}

function limitsOf(clock: Clock, timeout: number): Omit<Limits, "tell"> {
  return { deadline: clock.now() + timeout, timeout, moreTime: "the resource option `customTimeouts`" };
}

function contextOf(values: Values): InternalOptions {
  return (values[optionsKey] ?? {}) as InternalOptions;
}

/** Only what no input shows is decided here; all else is left to the engine's own comparison of the inputs. */
function changesOf({ plan, resumes }: Diff, olds: Values, news: Values): boolean | undefined {
  if (plan.kind === "none" && resumes) return true;
  if (hasOtherProvider(contextOf(olds), contextOf(news))) return true;
  const isSame =
    isEqual(argumentsIn(olds), argumentsIn(news)) &&
    olds["generation"] === news["generation"] &&
    olds[providerKey] === news[providerKey] &&
    isEqual(lastingContext(olds), lastingContext(news));
  return isSame && !isEqual(olds[optionsKey], news[optionsKey]) ? false : undefined;
}

/** An import, and what an earlier version wrote down, do not know theirs. */
function hasOtherProvider(before: InternalOptions, now: InternalOptions): boolean {
  const hasIds = before.providerId !== undefined && now.providerId !== undefined;
  if (hasIds) return before.providerId !== now.providerId;
  return before.provider !== undefined && now.provider !== undefined && before.provider !== now.provider;
}

/**
 * What an update would have to write down. An import does not know the URN, and an alias changes it; what the engine
 * decides on by itself is only told for messages. How many deployments a program has changes none of them.
 */
function lastingContext(values: Values): InternalOptions {
  const {
    urn: _,
    replaceOnChanges: __,
    provider: ___,
    providerId: ____,
    hasSiblings: _____,
    ...lasting
  } = contextOf(values);
  return lasting;
}

function identify(values: Values): string {
  return contextOf(values).urn ?? String(values["name"]);
}

function timeoutFailures({ timeouts = {} }: InternalOptions): Failure[] {
  return problemsOf(CustomTimeouts, timeouts).map(({ path, message }) => ({
    property: formatPath(["customTimeouts", ...path]),
    reason: message,
  }));
}

/** What one process of the engine loads. */
export function createProvider(claims: Claims = sharedClaims()): pulumi.dynamic.ResourceProvider {
  return new DeploymentProvider(new RunClaims(claims, process.env[allDeletedVariable] === "true"));
}

export const provider = createProvider();
