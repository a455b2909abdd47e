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
    return this.process as PluginProcess;
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

  protected override given(values: Values): Values {
    return values;
  }

  protected override keptInputs(inputs: Values): Values {
    return inputs;
  }

  protected override keptState(outputs: Values): Values {
    return withSecretOutputs(outputs, this.secretOutputs(outputs));
  }
}
