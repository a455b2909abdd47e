/** What the engine asks for, on plain values, whichever protocol it asks by. The adapters map to it and back. */
import type { Folder } from "../archive/folder";
import type { Connection } from "../control-plane/connect";
import { check, type Failure, UniqueNames } from "../deployment/check";
import type { Context } from "../deployment/service";
import { diff, type Diff } from "../deployment/diff";
import { isMoved } from "../deployment/identity";
import { RunClaims, type OtherClaims } from "../deployment/claims";
import { parseState } from "../deployment/parse-state";
import {
  deployedAs,
  isDeclared,
  type Declared,
  type Planned,
  type State,
  type Stored,
} from "../deployment/state";
import type { Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { Configured } from "./configured";
import { Explanations } from "./explanations";
import { checkFailure } from "./failure-text";
import { contentOf, folderIn } from "./declared-folder";
import {
  contentKey,
  contextOf,
  nameOf,
  optionsKey,
  type InternalOptions,
  type Operation,
} from "../internal-inputs";
import { flushLogs, logFor } from "./log";
import { serviceCalls } from "./on-demand";
import { redactErrors, redactorFor, tellWith } from "./redact-secrets";
import { limitsOf, timeoutFailures } from "./timeouts";

/** Of what a program manages, of what it only reads, or of what it is to manage. */
type Reading = "refresh" | "read" | "import";

function isReading(operation: Operation | Reading): operation is Reading {
  return operation === "refresh" || operation === "read" || operation === "import";
}

/** What the protocols differ in. */
export interface Protocol {
  /** An error as the engine takes it. */
  failure(operation: string, values: Values, error: unknown, old?: Values): Error;
  /** Aborted by the first Ctrl-C. */
  cancellation(): AbortSignal;
}

export interface Checks {
  readonly inputs: Values;
  readonly failures: readonly Failure[];
}

export interface Comparison extends Diff {
  /** The program gave the deployment to another service or tenant. */
  readonly isMoved: boolean;
  /** A refresh makes it to show what it has found: nothing is going to be done. */
  readonly isOfRefresh: boolean;
}

/** The resources of one provider in one run. All values carry what the engine says of the resource under `optionsKey`. */
export class Operations {
  #configured = new Configured();
  /**
   * Resources whose arguments were checked and not yet compared, with the provider that they had. The engine also compares
   * while it refreshes.
   */
  readonly #checked = new Map<string, InternalOptions>();
  readonly #run: RunClaims;
  #names = new UniqueNames();
  #explanations = new Explanations();

  constructor(
    private readonly protocol: Protocol,
    others?: OtherClaims,
  ) {
    this.#run = new RunClaims(others);
  }

  /** Nothing is connected before it is needed. */
  configure(configured: (key: string) => unknown): void {
    this.#configured = new Configured(configured);
    // The engine configures a provider once for each run.
    this.#names = new UniqueNames();
    this.#explanations = new Explanations();
  }

  /** @param old the inputs that a check made the last time; undefined for a new resource */
  async check(old: Values | undefined, news: Values): Promise<Checks> {
    const { [optionsKey]: internal, ...given } = news;
    // An import checks what a check has made, the generation included.
    const { generation, ...rest } = given;
    const args = generation === old?.["generation"] ? rest : given;
    const context = contextOf(news);
    const redact = redactorFor({ ...args, [optionsKey]: internal });
    const log = logFor(context.urn, redact);
    const progress = (message: string) => log.progress(`${nameOf(news)}: ${message}`);
    const found = await contentOf(old, args, this.dialect, progress);
    const { [contentKey]: _, ...declared } = args;
    const { inputs, failures, warnings, hints } = check(old, declared, this.dialect, found.content);
    this.#checked.set(identify(news), contextOf(old ?? {}));
    // Without an old one it is created, also where the engine replaces what was compared and found to be kept.
    if (old === undefined) this.#run.release(identify(news));
    const { urn, provider = "default" } = context;
    const isTaken = urn === undefined ? [] : this.#names.declare(inputs["name"], provider, urn);
    for (const { property, reason } of [...warnings, ...found.warnings])
      log.warning(`${nameOf(news)}: ${property} ${reason}`);
    for (const hint of [...hints, ...found.hints]) log.info(`${nameOf(news)}: ${hint}`);
    await flushLogs();
    return {
      inputs,
      failures: [
        ...this.#configured.problems.map((reason) => ({ property: "", reason })),
        ...[...failures, ...found.failures, ...isTaken, ...timeoutFailures(context.timeouts)].map((each) =>
          checkFailure(each, context, redact),
        ),
      ],
    };
  }

  async diff(id: string, state: Values, declared: Planned): Promise<Comparison> {
    const old = this.#parse("diff", state);
    const resource = identify(declared);
    const isCompared = this.#checked.has(resource);
    const { replaceOnChanges } = contextOf(declared);
    const isMoved = isCompared && this.#isMoved(old, declared, this.#checked.get(resource));
    this.#checked.delete(resource);
    const result = diff(old, declared, this.dialect, { replaceOnChanges, isMoved });
    if (isCompared) {
      this.#run.compared.set(resource, isMoved ? undefined : { id, state: old });
      if (result.plan.kind !== "replacement") this.#run.claim(deployedAs(id, old), resource, "keeps");
      const log = logFor(contextOf(declared).urn, redactorFor(declared));
      if (result.explanation !== undefined) log.info(result.explanation);
      for (const detail of result.details) log.info(detail);
      for (const warning of result.warnings) log.warning(warning);
      await flushLogs();
    }
    return { ...result, isMoved, isOfRefresh: !isCompared };
  }

  #isMoved(old: Stored, declared: Values, before = contextOf(old)): boolean {
    if (this.#configured.settings === undefined) return false;
    try {
      return isMoved(old, this.#configured.connected, hasOtherProvider(before, contextOf(declared)));
    } catch (error) {
      throw this.protocol.failure("diff", declared, error, old);
    }
  }

  async create(inputs: Values): Promise<{ id: string; state: State }> {
    const declared = inputs as Declared;
    this.#checked.delete(identify(declared));
    return this.#do("create", declared, (context) => serviceCalls().create(context, declared));
  }

  async update(id: string, state: Values, inputs: Values): Promise<State> {
    const old = this.#parse("update", state);
    const declared = inputs as Declared;
    return this.#do("update", declared, (context) => serviceCalls().update(context, id, old, declared), old);
  }

  /** What `work` knows of an update before anything is sent. */
  previewUpdate(
    state: Values,
    declared: Planned,
    work: (old: Stored, declared: Planned, dialect: Dialect) => Values,
  ): Values {
    const old = this.#parse("update", state);
    try {
      return work(old, declared, this.dialect);
    } catch (error) {
      throw this.protocol.failure("update", declared, error, old);
    }
  }

  /** Undefined where the deployment was deleted. */
  async read(id: string, state: Values): Promise<State | undefined> {
    const old = this.#parse("read", state);
    const work = (context: Context) => serviceCalls().read(context, id, old);
    return this.#do(isDeclared(old) ? "refresh" : "read", old, work);
  }

  /** What is not managed yet, and is to be. */
  import(values: Values, work: (context: Context) => Promise<State>): Promise<State> {
    return this.#do("import", values, work);
  }

  async delete(id: string, state: Values): Promise<void> {
    const old = this.#parse("delete", state);
    await this.#do("delete", old, (context) => serviceCalls().remove(context, id, old));
  }

  #parse(operation: Operation | "read" | "diff", state: Values): Stored {
    try {
      return parseState(state);
    } catch (error) {
      throw this.protocol.failure(operation, state, error);
    }
  }

  async #do<T>(
    operation: Operation | Reading,
    values: Values,
    work: (context: Context) => Promise<T>,
    old: Values = {},
  ): Promise<T> {
    let folder: Folder | undefined;
    try {
      const context = this.#context(operation, values, old);
      const progress = (message: string) => context.log.progress(`${nameOf(values)}: ${message}`);
      if (operation === "create" || operation === "update") folder = folderIn(values, this.dialect, progress);
      return await work({ ...context, sourceFolder: folder });
    } catch (error) {
      const shown = this.#explanations.shorten(error, identify(values));
      throw this.protocol.failure(operation, values, shown, old);
    } finally {
      await folder?.close();
      await flushLogs();
    }
  }

  #context(operation: Operation | Reading, values: Values, old: Values): Context {
    const { urn, timeouts, secretPaths, ignoreChanges } = contextOf(values);
    const { client, clock, settings, lookUpLimits } = this.connection;
    const redact = redactorFor(values, old);
    const log = logFor(urn, redact);
    const limits: Limits = {
      ...(isReading(operation) ? lookUpLimits() : limitsOf(operation, timeouts, clock)),
      signal: this.protocol.cancellation(),
      tell: tellWith((text) => log.progress(text), nameOf(values), redact),
    };
    return {
      ...this.#configured.connected,
      ...limits,
      service: redactErrors(client.within(limits), redact),
      run: this.#run,
      resource: urn,
      secretPaths,
      ignoreChanges,
      clock,
      log,
      logLines: settings.logLines,
    };
  }

  get dialect(): Dialect {
    return this.#configured.dialect;
  }

  /** Throws where the settings are not sound. */
  get connection(): Connection {
    return this.#configured.connection;
  }
}

/** An import, and what an earlier version wrote down, do not know theirs. */
export function hasOtherProvider(before: InternalOptions, now: InternalOptions): boolean {
  const hasIds = before.providerId !== undefined && now.providerId !== undefined;
  if (hasIds) return before.providerId !== now.providerId;
  return before.provider !== undefined && now.provider !== undefined && before.provider !== now.provider;
}

function identify(values: Values): string {
  return contextOf(values).urn ?? nameOf(values);
}
