/** The packaged provider. It takes secrets as they are marked, and times in seconds. */
import { PluginProcess } from "../plugin-process";
import type { Failure } from "../provider-process/calls";
import { withSecretOutputs } from "../secret-marks";
import { bothEnds, secret, type Values } from "../provider-process";
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

export const packaged: Adapter = {
  name: "packaged",
  title: "the packaged provider",
  sdks: bothEnds,
  async start(sdk, env) {
    return new PackagedProvider(await PluginProcess.start(sdk, { env }));
  },
};

export class PackagedProvider extends Provider {
  constructor(
    calls: ResourceCalls,
    /** The resource option `additionalSecretOutputs`. */
    private readonly secretOutputs: (state: Values) => readonly string[] = () => [],
  ) {
    super(calls);
  }

  get plugin(): PluginProcess {
    return this.ownProcess as PluginProcess;
  }

  configure(settings: Readonly<Record<string, string>>): Promise<void> {
    const { apiKey, ...open } = settings;
    return this.plugin.configure("default", { ...open, ...(apiKey && { apiKey: secret(apiKey) }) });
  }

  async settingsFailures(settings: Readonly<Record<string, string>>): Promise<readonly Failure[]> {
    return (await this.plugin.checkConfig("default", settings)).failures;
  }

  async check(declared: Declared, old?: Held): Promise<Checked> {
    const { inputs, failures } = await this.calls.check(declared.name, declared.args, old?.inputs);
    return { declared, inputs, failures };
  }

  async diff(old: Held, { declared, inputs }: Checked): Promise<Difference> {
    const call = this.calls.diff(declared.name, old.id, old.state, old.inputs, inputs);
    const answer = await call.catch(failing());
    return { ...answer, isChanged: answer.changes === "some", changed: Object.keys(answer.details) };
  }

  async create({ declared, inputs }: Checked): Promise<Held> {
    const held = (id: string, state: Values) => this.#held(declared, id, inputs, state);
    const call = this.calls.create(declared.name, inputs, { timeout: secondsOf(declared, "create") });
    return call.then(({ id, properties }) => held(id, properties), failing(held));
  }

  async update(old: Held, { declared, inputs }: Checked): Promise<Held> {
    const timeout = secondsOf(declared, "update");
    const held = (state: Values) => this.#held(declared, old.id, inputs, state);
    const more = { timeout, oldInputs: old.inputs };
    const call = this.calls.update(declared.name, old.id, old.state, inputs, more);
    // After a failure the engine keeps the old inputs.
    return call.then(
      held,
      failing((_, state) => ({ ...held(state), inputs: old.inputs })),
    );
  }

  async read(old: Held): Promise<Held | undefined> {
    const call = this.calls.read(old.declared.name, old.id, old.state, old.inputs);
    const { id, properties, inputs } = await call.catch(failing());
    return id === "" ? undefined : this.#held(old.declared, id, inputs, properties);
  }

  #held(declared: Declared, id: string, inputs: Values, state: Values): Held {
    return { declared, id, inputs, state: withSecretOutputs(state, this.secretOutputs(state)) };
  }

  async delete({ declared, id, state }: Held): Promise<void> {
    const timeout = secondsOf(declared, "delete");
    await this.calls.delete(declared.name, id, state, { timeout }).catch(failing());
  }
}

/** 0 if the program sets none. */
function secondsOf({ customTimeouts }: Declared, operation: "create" | "update" | "delete"): number {
  const text = customTimeouts?.[operation];
  if (text === undefined) return 0;
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(text)!;
  return Number(amount) * { ms: 0.001, s: 1, m: 60 }[unit as "ms" | "s" | "m"];
}
