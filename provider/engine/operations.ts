/** The operations that the engine calls, on plain values. The adapters of both protocols map to them and back. */
import type { Folder } from "../archive/folder";
import { check, type CheckResult, type Failure, recounted } from "../deployment/check";
import { Claims } from "../deployment/claims";
import { diff, type Diff } from "../deployment/diff";
import type { FieldChange } from "../deployment/field-change";
import { isMoved } from "../deployment/identity";
import { effectOf, type Plan } from "../deployment/plan";
import { refusalOfReplacement } from "../deployment/name-taken";
import { Run } from "../deployment/run";
import type { Context, Log, Operation, ResourceOptions } from "../deployment/context";
import { contentKey } from "../deployment/service";
import { type Planned, type State, UnfinishedError } from "../deployment/state";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { parseDeclared, parsePlanned, parseState } from "../stored/stored";
import { nameOf, optionsKey, type Resource } from "../stored/internal-inputs";
import { asObject, formatPath, isEqual, type Path, type Values } from "../../schema/tree";
import { credentialPathsOf } from "../text/credential";
import type { Limits } from "../time/limits";
import { Configured } from "./configured";
import { readDeclaredContent, folderIn } from "./declared-folder";
import { DeclaredOnce } from "./declared-once";
import { Explanations } from "./explanations";
import { checkFailureText } from "./failure-text";
import { flushLogs, logFor } from "./log";
import { serviceCalls } from "./on-demand";
import { redactErrors, redactorFor, tellWith } from "./redact-secrets";
import { limitsOf } from "./timeouts";

/** Reads a deployment that a program manages, that it only reads, or that it imports. */
type Reading = "refresh" | "read" | "import";

/** What differs between the protocols. */
export interface Protocol {
  /**
   * Converts an error to the protocol's form.
   *
   * @param old the resource before the operation: the service may echo its secrets too
   */
  failure(operation: string, resource: Resource, error: unknown, old?: Resource): Error;
  /** Aborted by the first Ctrl-C. */
  cancellation(): AbortSignal;
}

export interface Checks extends Pick<CheckResult, "inputs" | "isCertain"> {
  /** Each names its property, if it concerns one. */
  readonly failures: readonly string[];
}

export interface Comparison extends Pick<Diff, "plan" | "deleteBeforeReplace"> {
  readonly state: State;
  readonly declared: Planned;
  /** The program assigned the deployment to another service or tenant. */
  readonly isMoved: boolean;
  /**
   * Without a check, no update follows: a refresh shows what it found, or the engine asks whether the replacement of another
   * resource takes this one along. It assumes that everything that depends on the other one changes, so nothing is replaced.
   */
  readonly isUnchecked: boolean;
  /** A policy has taken back what `check` counted as a revision. */
  readonly isRecounted: boolean;
}

/** The last call for a resource. */
interface Last {
  /** Warnings and hints of the check. */
  readonly lines: readonly string[];
  /** If it was a check: the options that the resource had at the last run. */
  readonly before?: ResourceOptions;
  readonly follows?: ResourceOptions["follows"];
  /** What the check returned. */
  readonly checked?: Values;
  /** If it was a comparison. */
  readonly isReplaced?: boolean;
  /** Whether it is replaced only if a value that is not known yet turns out to be another one. */
  readonly isPerhapsReplaced?: boolean;
}

/** The engine replaces what the comparison would have kept: an earlier replacement failed half-way, or the user asks for it. */
const createdAnew =
  "creates a new deployment that keeps nothing of the old one; ignore what this line says about an update";

/** The resources of one provider in one run. */
export class Operations {
  /** Its settings and connection. */
  configured = new Configured();
  /** Some comparisons have no check before them: see `Comparison`. */
  readonly #last = new Map<string, Last>();
  readonly #run = new Run(new Claims());
  /**
   * Creations and updates that did not finish, until the resource's next check. If an `onError` hook asks for a retry, the engine
   * repeats only the call, with the state from before the first try.
   */
  readonly #unfinished = new Map<string, UnfinishedError>();
  #declarations = new DeclaredOnce();
  #explanations = new Explanations();

  constructor(private readonly protocol: Protocol) {}

  /** Connects lazily. The engine calls Configure once per run. */
  configure(configured: (key: string) => unknown): void {
    this.configured = new Configured(configured);
    this.#declarations = new DeclaredOnce();
    this.#explanations = new Explanations();
  }

  /** @param old the inputs of the last check; undefined for a new resource */
  async check(old: Resource | undefined, news: Resource): Promise<Checks> {
    const { options } = news;
    const before = old && parsePlanned(old.values);
    // An import passes the result of a previous check, including the generation.
    const { generation, ...rest } = news.values;
    const args = generation === old?.values["generation"] ? rest : news.values;
    const redact = redactorFor(news);
    const log = logFor(news, redact);
    const found = await readDeclaredContent(old?.values, args, this.configured.dialect);
    const { [contentKey]: _, [optionsKey]: __, ...declared } = args;
    const result = check(before, declared, this.configured.dialect, found.content);
    const { inputs, isCertain } = result;
    this.#unfinished.delete(identify(news));
    // A resource without old inputs is being created, even if a diff said that it is kept: the engine replaces it.
    if (old === undefined) {
      this.#run.claims.release(identify(news));
      this.#run.toCreate.set(identify(news), inputs.arguments["name"]);
    } else this.#run.compared.delete(identify(news));
    const lost = old === undefined ? this.#refusalOfReplacement(news, inputs) : undefined;
    const { urn, provider = "default" } = options;
    const isTaken =
      urn === undefined
        ? []
        : this.#declarations.declare(inputs.arguments, provider, urn, this.configured.dialect);
    this.#report(old, news, inputs, log, {
      warnings: [...result.warnings, ...found.warnings],
      hints: [...result.hints, ...found.hints],
    });
    await flushLogs();
    const refused = this.configured.isDialectKnown
      ? [...result.failures, ...found.failures, ...(lost === undefined ? [] : [lost])]
      : [];
    const failures = [...refused, ...isTaken];
    const problems = [...this.configured.problems, ...(await this.configured.loginProblems())];
    return {
      inputs,
      isCertain,
      failures: [...problems, ...failures.map((each) => checkFailureText(each, redact))],
    };
  }

  /** A check without old inputs after a comparison is that of a replacement, whatever the engine replaces it for. */
  #refusalOfReplacement(news: Resource, { arguments: declared }: Planned): Failure | undefined {
    const resource = identify(news);
    const replaced = this.#run.compared.get(resource);
    if (replaced === undefined || this.#last.get(resource)?.isPerhapsReplaced) return undefined;
    const { arguments: old } = replaced.state;
    const reason = refusalOfReplacement(old, declared, this.configured.dialect, news.options.retainOnDelete);
    return reason === undefined ? undefined : { property: "name", reason };
  }

  /** What a policy changes after the check, the engine stores as the policy left it. */
  #tellOfUnsealed(news: Resource): void {
    const { checked } = this.#last.get(identify(news)) ?? {};
    const paths = checked === undefined ? [] : unsealedPaths(checked, news.values);
    if (paths.length === 0) return;
    logFor(news, redactorFor(news)).warning(
      `${paths.map(formatPath).join(", ")} came after the check, from a policy that remediates: the engine may store it in plain ` +
        "text. Declare a value of that name as a secret in the program, or let the policy return a `Secret`",
    );
  }

  /** Shows what a check found. The check of a replacement repeats nothing that the check before its comparison has shown. */
  #report(
    old: Resource | undefined,
    news: Resource,
    inputs: Planned,
    log: Log,
    { warnings, hints }: Pick<CheckResult, "warnings" | "hints">,
  ): void {
    const { isReplaced, lines: shown = [] } = this.#last.get(identify(news)) ?? {};
    const problems = warnings.map(({ property, reason }) => `${property} ${reason}`);
    const isNew = (line: string) => old !== undefined || isReplaced === undefined || !shown.includes(line);
    for (const problem of problems.filter(isNew)) log.warning(problem);
    if (old === undefined && isReplaced === false) log.info(createdAnew);
    for (const hint of hints.filter(isNew)) log.info(hint);
    this.#last.set(identify(news), {
      before: old?.options ?? {},
      checked: inputs.arguments,
      ...(news.options.follows && { follows: news.options.follows }),
      lines: [...problems, ...hints],
    });
  }

  async diff(id: string, old: Resource, news: Resource): Promise<Comparison> {
    const stored = this.#attempt("diff", old, () => parseState(old.values));
    const counted = parsePlanned(news.values);
    const resource = identify(news);
    const { before, lines = [], follows } = this.#last.get(resource) ?? {};
    const isUnchecked = before === undefined;
    const isMoved = !isUnchecked && this.#isMoved(stored, old, before, news);
    const state = isUnchecked || isMoved ? stored : await this.#readFirst(id, old, stored);
    const declared = recounted(counted, state, this.configured.dialect);
    const isRecounted = declared !== counted;
    const found = diff(
      state,
      declared,
      this.configured.dialect,
      { ...news.options, ...(follows && { follows }) },
      isMoved,
      old.options,
    );
    const { plan: update, deleteBeforeReplace, explanation, warnings } = found;
    const comparison = { deleteBeforeReplace, state, declared, isMoved, isUnchecked, isRecounted };
    if (isUnchecked) return { ...comparison, plan: withoutReplacement(update) };
    this.#tellOfUnsealed(news);
    const isReplaced = update.effect === "replacement";
    this.#run.compared.set(resource, isMoved ? undefined : { id, state, plan: update });
    if (!isReplaced) this.#run.claims.claim(id, resource, "keeps");
    const reasons = update.changes.filter(({ effect }) => effect === "replacement");
    const isPerhapsReplaced = isReplaced && reasons.every(({ isUnknown }) => isUnknown);
    this.#last.set(resource, { lines, isReplaced, isPerhapsReplaced });
    const log = logFor(news, redactorFor(news));
    if (explanation !== undefined) log.info(explanation);
    for (const warning of warnings) log.warning(warning);
    await flushLogs();
    return { ...comparison, plan: update };
  }

  /** The engine takes over the file of a bulk import as it is: only the first comparison looks whether the deployment is there. */
  #readFirst(id: string, old: Resource, state: State): Promise<State> {
    if (state.generation === undefined || state.private.shown !== undefined) return Promise.resolve(state);
    return this.#do("read", old, async (context) => {
      const found = await serviceCalls().read(context, id, state);
      if (found !== undefined) return found;
      throw new DeploymentError(
        `the deployment ${id} is gone: it was deleted after the import file was written. \`pulumi refresh\` removes it from the ` +
          "state, and the next `pulumi up` creates it",
      );
    });
  }

  /** @param before the options at the last run */
  #isMoved(state: State, old: Resource, before: ResourceOptions, news: Resource): boolean {
    if (this.configured.settings === undefined) return false;
    const work = () => isMoved(state, this.configured.connected, hasOtherProvider(before, news.options));
    return this.#attempt("diff", news, work, old);
  }

  async create(inputs: Resource): Promise<{ id: string; state: State }> {
    this.#tellOfUnsealed(inputs);
    this.#last.delete(identify(inputs));
    this.#run.toCreate.delete(identify(inputs));
    return this.#write("create", inputs, async (context, earlier) => {
      const declared = parseDeclared(inputs.values);
      if (earlier === undefined) return serviceCalls().create(context, declared);
      const { id, state } = earlier;
      return { id, state: await serviceCalls().update(context, id, state, declared) };
    });
  }

  async update(id: string, old: Resource, inputs: Resource): Promise<State> {
    const work = (context: Context, earlier?: UnfinishedError) => {
      const state = earlier?.state ?? this.#comparisonOf(id, inputs)?.state ?? parseState(old.values);
      const declared = recounted(parseDeclared(inputs.values), state, this.configured.dialect);
      return serviceCalls().update(context, id, state, declared);
    };
    return this.#write("update", inputs, work, old);
  }

  /** What this run's comparison found: its state may be read, see `#readFirst`. */
  #comparisonOf(id: string, news: Resource) {
    const compared = this.#run.compared.get(identify(news));
    return compared?.id === id ? compared : undefined;
  }

  /** What an update changes, for its preview. */
  async previewUpdate(
    id: string,
    old: Resource,
    inputs: Resource,
  ): Promise<Pick<Comparison, "state" | "declared" | "plan">> {
    const { state, plan } = this.#comparisonOf(id, inputs) ?? (await this.diff(id, old, inputs));
    return { state, plan, declared: recounted(parsePlanned(inputs.values), state, this.configured.dialect) };
  }

  /** Undefined if the deployment was deleted. */
  read(id: string, old: Resource): Promise<State | undefined> {
    const operation = old.values["generation"] === undefined ? "read" : "refresh";
    return this.#do(operation, old, (context) => serviceCalls().read(context, id, parseState(old.values)));
  }

  /** Imports a deployment that is not managed yet. */
  import(resource: Resource, work: (context: Context) => Promise<State>): Promise<State> {
    return this.#do("import", resource, work);
  }

  delete(id: string, old: Resource): Promise<void> {
    return this.#do("delete", old, (context) => serviceCalls().remove(context, id, parseState(old.values)));
  }

  #attempt<T>(operation: string, resource: Resource, work: () => T, old?: Resource): T {
    try {
      return work();
    } catch (error) {
      throw this.protocol.failure(operation, resource, error, old);
    }
  }

  /** @param work gets the state of this run's earlier try, if it did not finish */
  #write<T>(
    operation: Operation,
    resource: Resource,
    work: (context: Context, earlier: UnfinishedError | undefined) => Promise<T>,
    old?: Resource,
  ): Promise<T> {
    const key = identify(resource);
    const earlier = this.#unfinished.get(key);
    this.#unfinished.delete(key);
    const remembered = (context: Context) =>
      work(context, earlier).catch((error: unknown) => {
        const failure = earlier === undefined ? error : unfinished(error, earlier);
        if (failure instanceof UnfinishedError) this.#unfinished.set(key, failure);
        throw failure;
      });
    return this.#do(operation, resource, remembered, old);
  }

  async #do<T>(
    operation: Operation | Reading,
    resource: Resource,
    work: (context: Context) => Promise<T>,
    old?: Resource,
  ): Promise<T> {
    let folder: Folder | undefined;
    try {
      const context = this.#context(operation, resource, old);
      if (operation === "create" || operation === "update")
        folder = folderIn(resource.values, this.configured.dialect);
      return await work({ ...context, sourceFolder: folder });
    } catch (error) {
      const shown = this.#explanations.shorten(error, identify(resource));
      throw this.protocol.failure(operation, resource, shown, old);
    } finally {
      await folder?.close();
      await flushLogs();
    }
  }

  #context(operation: Operation | Reading, resource: Resource, old?: Resource): Context {
    const { client, clock, lookUpLimits } = this.configured.connection;
    const redact = redactorFor(resource, old);
    const log = logFor(resource, redact);
    const limits: Limits = {
      ...(operation === "refresh" || operation === "read" || operation === "import"
        ? lookUpLimits()
        : limitsOf(operation, resource.options.timeouts, clock)),
      signal: this.protocol.cancellation(),
      tell: tellWith((text) => log.progress(text), redact),
    };
    return {
      ...resource.options,
      ...this.configured.connected,
      ...limits,
      service: redactErrors(client.within(limits), redact),
      run: this.#run,
      claimant: {
        resource: identify(resource),
        address: this.configured.connected.address,
        name: nameOf(resource),
      },
      clock,
      log,
    };
  }
}

/** The engine forgets the earlier try, so every failure carries its state, unless the deployment is deleted. */
function unfinished(error: unknown, { id, state }: UnfinishedError): unknown {
  if (error instanceof UnfinishedError || error instanceof DeletedError) return error;
  return new UnfinishedError(messageOf(error), id, state, { cause: error });
}

/** Imported resources and older states have none. */
export function hasOtherProvider(before: ResourceOptions, now: ResourceOptions): boolean {
  const hasIds = before.providerId !== undefined && now.providerId !== undefined;
  if (hasIds) return before.providerId !== now.providerId;
  return before.provider !== undefined && now.provider !== undefined && before.provider !== now.provider;
}

function withoutReplacement(update: Plan): Plan {
  const changes = update.changes.map((each): FieldChange =>
    each.effect === "replacement" ? { ...each, effect: "settings" } : each,
  );
  return { ...update, changes, effect: effectOf(changes) };
}

function identify(resource: Resource): string {
  return resource.options.urn ?? nameOf(resource);
}

/** Secrets where the check found none, and credentials in a configuration that is another one now. */
function unsealedPaths(checked: Values, given: Values): Path[] {
  const [before, after] = [checked, given].map(({ sourceConfig }) => ({ sourceConfig }));
  const secrets = checked["secrets"] === undefined ? Object.keys(asObject(given["secrets"])) : [];
  return [
    ...secrets.map((name) => ["secrets", name]),
    ...(isEqual(before, after) ? [] : credentialPathsOf(after!)),
  ];
}
