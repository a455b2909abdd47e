/**
 * The object that the engine's dynamic provider process loads. It only maps the engine's calls to operations and back. Every state
 * contains its module name, so never rename the module.
 */
import type * as pulumi from "@pulumi/pulumi";
import { formatPath, isEqual, type Values } from "../../schema/tree";
import { isAfterFirstRevision } from "../deployment/field-change";
import { isSameContent } from "../deployment/content";
import type { Planned, State } from "../deployment/state";
import { parseState, writeInputs } from "../stored/stored";
import { type Comparison, hasOtherProvider, Operations } from "../engine/operations";
import { failedKey, providerKey, type Resource } from "../stored/internal-inputs";
import type { ResourceOptions } from "../deployment/context";
import { logicalName } from "../text/urn";
import { cancellationSignal } from "./cancellation";
import { failure } from "./failure";
import { fromEngine, inputsOf, outputsOf } from "./marshal";

class DeploymentProvider implements pulumi.dynamic.ResourceProvider {
  readonly #operations = new Operations({ failure, cancellation: cancellationSignal });

  /** Synchronous, because the engine does not wait for it. */
  configure = async ({ config }: pulumi.dynamic.ConfigureRequest): Promise<void> => {
    // A preview may be killed, too.
    cancellationSignal();
    this.#operations.configure((key) => config.get(key));
  };

  async check(olds: Values, news: Values): Promise<pulumi.dynamic.CheckResult> {
    const given = this.#withProvider(fromEngine(news));
    const old = Object.keys(olds).length === 0 ? undefined : fromEngine(olds);
    const { inputs, failures } = await this.#operations.check(old, given);
    return {
      inputs: inputsOf(inputs, given.options),
      failures: failures.map((reason) => ({ property: "", reason })),
    };
  }

  /** An engine transform may have set another provider than the program's code did. This process is that one's. */
  #withProvider({ values, options }: Resource): Resource {
    const { provider = "default", providerId: _, ...rest } = options;
    const own = this.#operations.configured.providerName;
    const declared = provider === "default" ? undefined : logicalName(provider);
    if (declared === own) return { values, options };
    return { values, options: { ...rest, provider: own ?? "default" } };
  }

  async diff(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.DiffResult> {
    const [old, declared] = [fromEngine(olds), fromEngine(news)];
    const result = await this.#operations.diff(id, old, declared);
    if (result.isUnchecked && isSameDeclaration(result.state, result.declared)) return { changes: false };
    const replaced = result.plan.changes.filter(({ effect }) => effect === "replacement");
    const isSameProvider = olds[providerKey] === news[providerKey];
    return {
      changes: result.isMoved || hasChanges(result, old.options, declared.options, isSameProvider),
      replaces: replaced.map(({ path }) => formatPath(path)),
      deleteBeforeReplace: result.deleteBeforeReplace,
    };
  }

  async create(props: Values): Promise<pulumi.dynamic.CreateResult> {
    const inputs = fromEngine(props);
    const { id, state } = await this.#operations.create(inputs);
    return { id, outs: outputsOf(state, inputs.options) };
  }

  async update(id: string, olds: Values, news: Values): Promise<pulumi.dynamic.UpdateResult> {
    const inputs = fromEngine(news);
    const state = await this.#operations.update(id, fromEngine(olds), inputs);
    return { outs: outputsOf(state, inputs.options) };
  }

  async read(id: string, props: Values = {}): Promise<pulumi.dynamic.ReadResult> {
    const old = fromEngine(props);
    const state = await this.#operations.read(id, old);
    if (state === undefined) return {};
    const result = { id, props: outputsOf(state, old.options) };
    // Without inputs in the result, the engine keeps its own.
    const isSame = isEqual(writeInputs(parseState(old.values)), writeInputs(state));
    const isKept = state.generation === undefined || (isSame && props[failedKey] === undefined);
    return isKept ? result : { ...result, inputs: inputsOf(state, old.options) };
  }

  async delete(id: string, props: Values): Promise<void> {
    await this.#operations.delete(id, fromEngine(props));
  }
}

/** Compares what is declared. Options and marks say nothing about the service. */
function isSameDeclaration(one: Planned | State, other: Planned | State): boolean {
  const { sourceDirectory } = other.arguments;
  // A folder that moved is the same one.
  const moved = isSameContent(one.arguments, other.arguments) && { sourceDirectory };
  return one.generation === other.generation && isEqual({ ...one.arguments, ...moved }, other.arguments);
}

/** Decides only what the inputs do not show. Undefined leaves the decision to the engine's own comparison of the inputs. */
function hasChanges(
  { plan, state, declared, isUnchecked, isRecounted }: Comparison,
  before: ResourceOptions,
  now: ResourceOptions,
  isSameProvider: boolean,
): boolean | undefined {
  // Only the engine's own comparison lists what a refresh found.
  if (isUnchecked) return undefined;
  if (plan.effect === "none" && plan.resumes) return true;
  // The inputs do not show whether the content was uploaded, or what waits for an active revision was sent.
  if (
    plan.changes.some(
      ({ effect, isContent, path }) => effect !== "none" && (isContent || isAfterFirstRevision(path)),
    )
  )
    return true;
  if (hasOtherProvider(before, now)) return true;
  const isSame = isSameDeclaration(state, declared);
  const hasMoved = state.arguments.sourceDirectory !== declared.arguments["sourceDirectory"];
  // The engine's comparison would find the folder's path, or what `check` counted before a policy took it back.
  if (isEqual(before, now)) return (hasMoved || isRecounted) && isSameProvider && isSame ? false : undefined;
  // The engine's comparison would list the options among the changes, which says nothing to users. Without it, a replacement
  // would be shown with all outputs.
  if (plan.effect === "replacement") return undefined;
  return !isSame || !isSameProvider || !isEqual(lastingOptions(before), lastingOptions(now));
}

/** Options whose change an update must record. Imports do not know the URN, and aliases change it. */
function lastingOptions({ timeouts, secretPaths }: ResourceOptions): ResourceOptions {
  return { ...(timeouts && { timeouts }), ...(secretPaths && { secretPaths }) };
}

/**
 * Creates the provider of one process.
 *
 * @internal so that the types of the package load no library
 */
export function createProvider(): pulumi.dynamic.ResourceProvider {
  return new DeploymentProvider();
}

export const provider = createProvider();
