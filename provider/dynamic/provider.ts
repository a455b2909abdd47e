/**
 * The object that the engine's dynamic provider process loads. It maps the engine's calls to the operations and back,
 * and decides nothing itself. Its module name is in every state: never rename it.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { OtherClaims } from "../deployment/claims";
import { argumentsIn, inputsIn, isDeclared } from "../deployment/state";
import { isEqual, type Values } from "../../schema/tree";
import { contentKey, contextOf, optionsKey, providerKey, type InternalOptions } from "../internal-inputs";
import { cancellationSignal } from "../engine/cancellation";
import { failure } from "./failure";
import { fromEngine, toEngine, withSecrets } from "./marshal";
import { hasOtherProvider, Operations, type Comparison } from "../engine/operations";
import { sharedClaims } from "../engine/shared-claims";

class DeploymentProvider implements pulumi.dynamic.ResourceProvider {
  readonly #operations: Operations;

  constructor(others?: OtherClaims) {
    this.#operations = new Operations({ failure, cancellation: cancellationSignal }, others);
  }

  /** Synchronous, because the engine does not wait for it. */
  configure = async ({ config }: pulumi.dynamic.ConfigureRequest): Promise<void> => {
    this.#operations.configure((key) => config.get(key));
  };

  async check(olds: Values, news: Values): Promise<pulumi.dynamic.CheckResult> {
    const { [providerKey]: _, ...given } = fromEngine(news);
    const old = Object.keys(olds).length === 0 ? undefined : fromEngine(olds);
    const { inputs, failures } = await this.#operations.check(old, given);
    return { inputs: toEngine({ ...inputs, ...keptOptions(given) }), failures: [...failures] };
  }

  async diff(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.DiffResult> {
    const [old, declared] = [fromEngine(olds), fromEngine(news)];
    const result = await this.#operations.diff(id, old, declared);
    const replaces = result.plan.changes.filter(({ kind }) => kind === "replacement").map(({ path }) => path);
    return {
      changes: result.isMoved || changesOf(result, old, declared),
      replaces,
      deleteBeforeReplace: result.deleteBeforeReplace,
    };
  }

  async create(props: Values): Promise<pulumi.dynamic.CreateResult> {
    const { id, state } = await this.#operations.create(fromEngine(props));
    return { id, outs: withSecrets(state) };
  }

  async update(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.UpdateResult> {
    const state = await this.#operations.update(id, fromEngine(olds), fromEngine(news));
    return { outs: withSecrets(state) };
  }

  async read(id: string, props: Values = {}): Promise<pulumi.dynamic.ReadResult> {
    const state = await this.#operations.read(id, fromEngine(props));
    if (state === undefined) return {};
    if (!isDeclared(state)) return { id, props: withSecrets(state) };
    const inputs = { ...inputsIn(state), ...keptOptions(state) };
    return { id, props: withSecrets(state), inputs: withSecrets(inputs) };
  }

  async delete(id: string, props: Values): Promise<void> {
    await this.#operations.delete(id, fromEngine(props));
  }
}

/** What is imported or adopted by its id has none yet. */
function keptOptions(values: Values): Values {
  return values[optionsKey] === undefined ? {} : { [optionsKey]: keptContext(values) };
}

/** What of the context is an input from one run to the next. */
function keptContext(values: Values): InternalOptions {
  const { declared: _, hasSiblings: __, ...kept } = contextOf(values);
  return kept;
}

/** Only what no input shows is decided here; all else is left to the engine's own comparison of the inputs. */
function changesOf({ plan, resumes }: Comparison, olds: Values, news: Values): boolean | undefined {
  if (plan.kind === "none" && resumes) return true;
  // The inputs do not say whether the content was uploaded.
  if (plan.changes.some(({ kind, segments: [name] }) => kind === "revision" && name === contentKey))
    return true;
  if (hasOtherProvider(contextOf(olds), contextOf(news))) return true;
  const isSame =
    isEqual(argumentsIn(olds), argumentsIn(news)) &&
    olds["generation"] === news["generation"] &&
    olds[providerKey] === news[providerKey] &&
    isEqual(lastingContext(olds), lastingContext(news));
  return isSame && !isEqual(keptContext(olds), keptContext(news)) ? false : undefined;
}

/**
 * What an update would have to write down. An import does not know the URN, and an alias changes it; what the engine
 * decides on by itself is the program's anew in each run.
 */
function lastingContext(values: Values): InternalOptions {
  const { timeouts, secretPaths } = keptContext(values);
  return { ...(timeouts && { timeouts }), ...(secretPaths && { secretPaths }) };
}

/**
 * What one process of the engine loads.
 *
 * @internal so that the types of the package load no library
 */
export function createProvider(others = sharedClaims()): pulumi.dynamic.ResourceProvider {
  return new DeploymentProvider(others);
}

export const provider = createProvider();
