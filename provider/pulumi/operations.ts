/** What the engine asks for, on plain values, whichever protocol it asks by. The adapters map to it and back. */
import type { Connection } from "../connection";
import { check, type Failure, UniqueNames } from "../deployment/check";
import type { Context } from "../deployment/service";
import { remove } from "../deployment/delete";
import { diff, type Diff } from "../deployment/diff";
import { allDeletedVariable, isMoved, madeWith } from "../deployment/identity";
import * as lifecycle from "../deployment/lifecycle";
import { RunClaims, type Claims } from "../deployment/claims";
import { parseState } from "../deployment/parse-state";
import {
  deployedAs,
  isDeclared,
  type Declared,
  type Planned,
  type State,
  type Stored,
} from "../deployment/state";
import type { Values } from "../values";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { Configured } from "./configured";
import { checkFailure } from "./failure-text";
import { contextOf, nameOf, optionsKey, type InternalOptions, type Operation } from "../internal-inputs";
import { flushLogs, logFor } from "./engine-log";
import { redactErrors, redactorFor, serviceWords, tellWith } from "./redact-secrets";
import { limitsOf, timeoutFailures } from "./timeouts";
import { Turns } from "./turns";

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
  #turns = new Turns();
  /** What the program declares, as far as it was checked, and how many deployments that is by the program's own account. */
  readonly #declared = new Set<string>();
  #announced = 0;

  constructor(
    private readonly protocol: Protocol,
    claims: Claims,
  ) {
    this.#run = new RunClaims(claims, process.env[allDeletedVariable] === "true");
  }

  /** Nothing is connected before it is needed. */
  configure(configured: (key: string) => unknown): void {
    this.#configured = new Configured(configured);
    // The engine configures a provider once for each run.
    this.#names = new UniqueNames();
    this.#turns = new Turns();
    this.#declared.clear();
    this.#announced = 0;
  }

  /** @param old the inputs that a check made the last time; undefined for a new resource */
  check(old: Values | undefined, news: Values): Checks {
    const { [optionsKey]: internal, ...given } = news;
    // An import checks what a check has made, the generation included.
    const { generation, ...rest } = given;
    const args = generation === old?.["generation"] ? rest : given;
    const { inputs, failures } = check(old, args, this.dialect);
    const context = contextOf(news);
    this.#checked.set(identify(news), contextOf(old ?? {}));
    // Without an old one it is created, also where the engine replaces what was compared and found to be kept.
    if (old === undefined) {
      this.#run.release(identify(news));
      this.#turns.wait(identify(news));
    }
    const { urn, provider = "default", declared = 0 } = context;
    this.#turns.expect(declared);
    this.#declared.add(identify(news));
    this.#announced = Math.max(this.#announced, declared);
    const isTaken = urn === undefined ? [] : this.#names.declare(inputs["name"], provider, urn);
    const shown = redactorFor({ ...args, [optionsKey]: internal });
    return {
      inputs,
      failures: [
        ...this.#configured.problems.map(({ message }) => ({ property: "", reason: message })),
        ...[...failures, ...isTaken, ...timeoutFailures(context.timeouts)].map((each) =>
          checkFailure(each, context, shown),
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
      if (result.plan.kind !== "replacement") this.#run.claim(deployedAs(id, old), resource, "keeps");
      // Also where the engine replaces what the comparison keeps.
      if (!isMoved) this.#run.noteCompared(resource, madeWith(old));
      const log = logFor(contextOf(declared).urn, redactorFor(declared));
      if (result.explanation !== undefined) log.info(result.explanation);
      for (const warning of result.warnings) log.warning(warning);
      if (result.plan.kind === "revision") this.#turns.wait(resource);
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
    const declared = this.#written(inputs as Declared);
    this.#checked.delete(identify(declared));
    const { id, state } = await this.#do("create", declared, (context) =>
      lifecycle.create(context, declared),
    );
    return { id, state: this.#written(state) };
  }

  async update(id: string, state: Values, inputs: Values): Promise<State> {
    const old = this.#parse("update", state);
    const { hasSiblings } = contextOf(old);
    const declared = this.#written(inputs as Declared, hasSiblings);
    const work = (context: Context) => lifecycle.update(context, id, old, declared);
    return this.#written(await this.#do("update", declared, work, old), hasSiblings);
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
    const work = (context: Context) => lifecycle.read(context, id, old);
    return this.#do(isDeclared(old) ? "refresh" : "read", old, work);
  }

  /** What is not managed yet, and is to be. */
  import(values: Values, work: (context: Context) => Promise<State>): Promise<State> {
    return this.#do("import", values, work);
  }

  async delete(id: string, state: Values): Promise<void> {
    const old = this.#parse("delete", state);
    this.#turns.forget(identify(old));
    await this.#do("delete", old, (context) => remove(context, id, old));
  }

  /** Whether this run has met other deployments of the stack, or its program declares some. */
  get #hasSiblings(): boolean {
    return Math.max(this.#announced, this.#declared.size, this.#run.knownCount) > 1;
  }

  /**
   * Says in what is written down that there are others. The engine begins with a deployment before the program has declared the
   * next one, so it is asked again at the end. Nothing takes it back: a run may see a part of the stack, and to take a deployment
   * as deleted that is there is far worse than to ask. A refresh leaves it as it was: it would show a change that nobody made.
   */
  #written<T extends Values>(values: T, hadSiblings = false): T {
    const { hasSiblings: _, ...internal } = contextOf(values);
    const hasSiblings = hadSiblings || this.#hasSiblings;
    return { ...values, [optionsKey]: { ...internal, ...(hasSiblings && { hasSiblings }) } };
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
    try {
      const context = this.#context(operation, values, old);
      if (operation !== "create" && operation !== "update") return await work(context);
      const tell = (text: string) => context.log.info(`${nameOf(values)}: ${text}`);
      return await this.#turns.run(identify(values), tell, () => work(context));
    } catch (error) {
      throw this.protocol.failure(operation, values, error, old);
    } finally {
      await flushLogs();
    }
  }

  #context(operation: Operation | Reading, values: Values, old: Values): Context {
    const { urn, timeouts, secretPaths, hasSiblings } = contextOf(values);
    const { client, clock, settings, lookUpLimits } = this.connection;
    const log = logFor(urn, redactorFor(values, old));
    const redact = serviceWords(values, old);
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
      hasSiblings: hasSiblings || contextOf(old).hasSiblings || this.#hasSiblings,
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
