/** The dynamic provider as the stock process drives it. That takes no secrets: the engine opens them, and marks what comes back. */
import { isDeepStrictEqual } from "node:util";
import { bothEnds, opened, ProviderProcess, providerText, secret, type Values } from "../provider-process";
import type { Failure } from "../provider-process/calls";
import { annotated, isMarked, withOneMark, withSecretOutputs } from "../secret-marks";
import {
  failing,
  type Adapter,
  type Checked,
  type Declared,
  type Difference,
  type Held,
  Provider,
  type ResourceCalls,
} from "./adapter";

export const dynamic: Adapter = {
  name: "dynamic",
  title: "the dynamic provider",
  sdks: bothEnds,
  async start(sdk, env) {
    return new DynamicProvider(await ProviderProcess.start(sdk, env), sdk);
  },
};

export class DynamicProvider extends Provider {
  /** Names of the resources that its program has declared. */
  readonly #declared = new Set<string>();

  constructor(
    calls: ResourceCalls,
    private readonly sdk = "",
  ) {
    super(calls);
  }

  override get process(): ProviderProcess {
    return this.calls as unknown as ProviderProcess;
  }

  configure(settings: Readonly<Record<string, string>>): Promise<void> {
    const entries = Object.entries(settings).map(([name, value]) => [`deployment-service:${name}`, value]);
    return this.process.configure(Object.fromEntries(entries) as Record<string, string>);
  }

  /** The stock process keeps the settings of its first call. */
  async settingsFailures(settings: Readonly<Record<string, string>>): Promise<readonly Failure[]> {
    const other = new DynamicProvider(await ProviderProcess.start(this.sdk), this.sdk);
    try {
      await other.configure(settings);
      return (await other.check({ name: "chat", args: { source: "internal_source" } })).failures;
    } finally {
      await other.process.stop();
    }
  }

  async check(declared: Declared, old?: Held): Promise<Checked> {
    this.#declared.add(declared.name);
    const given = registered(declared, this.urn(declared.name), this.#declared.size);
    const { inputs, failures } = await this.calls.check(
      declared.name,
      opened(given),
      opened(old?.inputs ?? {}),
    );
    return { declared, inputs: this.keptInputs(inputs, given), failures };
  }

  async diff(old: Held, { declared, inputs }: Checked): Promise<Difference> {
    const { id, state } = old;
    const call = this.calls.diff(declared.name, id, opened(state), {}, opened(inputs));
    const answer = await call.catch(failing());
    // What it leaves open, the engine finds out by the inputs.
    const changed = answer.changes === "unknown" ? namesOfChanges(old.inputs, inputs) : [];
    return { ...answer, isChanged: answer.changes === "some" || changed.length > 0, changed };
  }

  protected override given(values: Values): Values {
    return opened(values);
  }

  protected override keptInputs(inputs: Values, given: Values): Values {
    return withOneMark(annotated(inputs, given));
  }

  /** The class of the package says that the secrets are secret. */
  protected override keptState(outputs: Values, given: Values): Values {
    return withOneMark(withSecretOutputs(annotated(outputs, given), ["secrets"]));
  }
}

/** What the class of the package makes of the arguments. */
function registered(declared: Declared, urn: string, count: number): Values {
  const { name, args, customTimeouts, provider, replaceOnChanges } = declared;
  const { secrets } = args;
  const isOpen = secrets !== undefined && !isMarked(secrets);
  const given = { name, ...args, ...(isOpen && { secrets: secret(secrets) }) };
  const marked = Object.entries(args)
    .filter(([argument]) => argument !== "secrets")
    .flatMap(([argument, value]) => secretPathsIn(value, [argument]));
  const { secretPaths = marked } = declared;
  const internal = {
    urn,
    ...(provider && { provider }),
    ...(count > 1 && { declared: count }),
    ...(secretPaths.length > 0 && { secretPaths }),
    ...(customTimeouts && { timeouts: customTimeouts }),
    ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.map((each) => [each]) }),
  };
  return { ...given, __options: internal, __provider: providerText };
}

function namesOfChanges(olds: Values, news: Values): string[] {
  const [before, after] = [opened(olds), opened(news)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** Lists are named as a whole. */
function secretPathsIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  if (isMarked(value)) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => secretPathsIn(each, [...path, key]));
  return Array.isArray(value) && inner.length > 0 ? [path] : inner;
}
