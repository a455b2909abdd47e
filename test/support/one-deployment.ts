/** A stack of one deployment against the emulator: what the engine does with it, operation by operation. */
import type { Emulator, EmulatorOptions } from "../../emulator";
import { clock } from "../model/support/idle-clock";
import { connect } from "../../provider/control-plane/connect";
import { check } from "../../provider/deployment/check";
import type { Context } from "../../provider/deployment/context";
import type { SourceContent, Observed } from "../../provider/deployment/service";
import { remove } from "../../provider/deployment/delete";
import { diff } from "../../provider/deployment/diff";
import { create } from "../../provider/deployment/create";
import { read } from "../../provider/deployment/read";
import { type Planned, type State, UnfinishedError } from "../../provider/deployment/state";
import {
  parseDeclared,
  parsePlanned,
  parseState,
  writeInputs,
  writeState,
} from "../../provider/stored/stored";
import { update } from "../../provider/deployment/update";
import { folderIn } from "../../provider/engine/declared-folder";
import { optionsIn, optionsKey } from "../../provider/stored/internal-inputs";
import { parseJson } from "../../provider/text/json";
import { asObject, isEqual, type Values } from "../../schema/tree";
import { importedState } from "../../provider/plugin/import";
import { readSettings } from "../../provider/settings/reading";
import type { Settings } from "../../provider/settings/settings";
import { start } from "./emulator";
import { claimant, contextOf } from "./service";

type Outputs = Values & { readonly __private: string };

/** Copies of what the engine keeps. */
interface Kept {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Outputs;
}

export async function startOne(options: EmulatorOptions = {}, dialect = "standard") {
  const emulator = await start({ clock, ...options });
  const read = (key: string): string | undefined =>
    ({ baseUrl: emulator.url, apiKey: emulator.apiKey, dialect, pollInterval: "2s" })[
      key.split(":")[1] ?? ""
    ];
  const { settings, problems } = readSettings(read, {});
  if (settings === undefined) throw new Error(JSON.stringify(problems));
  return new OneDeployment(emulator, settings);
}

export class OneDeployment {
  kept: Kept | undefined;
  said: string[] = [];
  warnings: string[] = [];

  constructor(
    readonly emulator: Emulator,
    private readonly settings: Settings,
  ) {}

  /** The planned change, and its explanation. */
  preview(args: Values, content?: SourceContent) {
    const { dialect } = this.settings;
    const { [optionsKey]: _, ...given } = args;
    const old = this.kept && parsePlanned(this.kept.inputs);
    const { inputs, failures } = check(old, given, dialect, content);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    if (this.kept === undefined || old === undefined)
      return { kind: "creation", inputs, warnings: [] } as const;
    const { plan, warnings, explanation } = diff(parseState(this.kept.outputs), inputs, dialect);
    const isSame = plan.effect === "none" && !plan.resumes && isEqual(inputs.arguments, old.arguments);
    return { kind: isSame ? ("nothing" as const) : plan.effect, inputs, warnings, explanation };
  }

  /** The same of arguments with a folder of source code. */
  async previewOf(args: Values) {
    return this.preview(args, (await this.#folderOf(args)?.content())?.content);
  }

  #folderOf(args: Values) {
    return folderIn(args, this.settings.dialect);
  }

  /** The writes that it took. */
  async up(
    args: Values,
    more: Partial<Context> & { checked?: () => void } = {},
  ): Promise<{ method: string; body: unknown }[]> {
    const { kind, inputs } = await this.previewOf(args);
    more.checked?.();
    this.emulator.clearRequests();
    const sourceFolder = this.#folderOf(args);
    const context = this.#context({ ...optionsIn(args), ...more, sourceFolder });
    const declared = parseDeclared(writeInputs(inputs));
    try {
      if (this.kept === undefined) {
        const { id, state } = await create(context, declared);
        this.#keep(id, declared, state);
      } else if (kind !== "nothing") {
        const { id, outputs } = this.kept;
        const state = await update(context, id, parseState(outputs), declared);
        this.#keep(id, declared, state);
      }
    } catch (error) {
      if (error instanceof UnfinishedError)
        this.#keep(error.id, this.kept ? parsePlanned(this.kept.inputs) : declared, error.state);
      throw error;
    } finally {
      await sourceFolder?.close();
    }
    return this.writes;
  }

  /** An `up` that is killed before it ends: the service has done everything, and the state is unchanged. */
  async killed(args: Values, more: Partial<Context> = {}): Promise<void> {
    const { kept } = this;
    await this.up(args, { timeout: 8_000, ...more }).catch(() => undefined);
    this.kept = kept;
  }

  /** Imports the deployment of that name, as `pulumi import` does. */
  async import(name: string): Promise<Values> {
    const { id } = this.emulator.deployment(name)!;
    const state = await importedState(this.#context(), id);
    this.#keep(id, state, state);
    return state.arguments;
  }

  /** Whether anything drifted. */
  async refresh(): Promise<boolean> {
    if (this.kept === undefined) throw new Error("there is nothing to refresh");
    this.emulator.clearRequests();
    const { id, inputs, outputs } = this.kept;
    const state = await read(this.#context(), id, parseState(outputs));
    if (state === undefined) throw new Error("it was deleted");
    this.#keep(id, state, state);
    return !isEqual(parsePlanned(inputs).arguments, state.arguments);
  }

  async destroy(): Promise<void> {
    const { id, outputs } = this.kept!;
    this.emulator.clearRequests();
    await remove(this.#context(), id, parseState(outputs));
    this.kept = undefined;
  }

  /** What a command line reads. */
  async list(): Promise<Observed[]> {
    const found: Observed[] = [];
    for await (const page of connect(this.settings, clock).client.list({})) found.push(...page);
    return found;
  }

  /** What the state remembers, which the engine encrypts. */
  get memory(): Values {
    return asObject(parseJson(this.kept!.outputs.__private));
  }

  /** What is in the clear. */
  get open(): string {
    const { id, inputs, outputs } = this.kept!;
    return JSON.stringify([id, inputs, { ...outputs, __private: undefined }]);
  }

  get writes(): { method: string; body: unknown }[] {
    return this.emulator
      .requests()
      .filter(({ method }) => method !== "GET")
      .map(({ method, body }) => ({ method, body }));
  }

  get reads(): number {
    return this.emulator.requests().filter(({ method }) => method === "GET").length;
  }

  #keep(id: string, inputs: Planned | State, state: State): void {
    this.kept = structuredClone({ id, inputs: writeInputs(inputs), outputs: writeState(state) as Outputs });
  }

  #context(more: Partial<Context> = {}): Context {
    const { settings } = this;
    const { baseUrl: address, tenantId, dialect } = settings;
    const log = {
      info: (message: string) => void this.said.push(message),
      warning: (message: string) => void this.warnings.push(message),
      progress: () => undefined,
      isWatched: false,
    };
    const own = { address, tenantId, dialect, log, claimant: { ...claimant, address } };
    // Each command of the engine starts a process of its own.
    return contextOf(clock, () => connect(settings, clock).client, { ...own, ...more }).context;
  }
}
