/** A double of the service that answers by a script, and the context of an operation. */
import { ControlPlaneError, type ErrorKind } from "../../provider/errors";
import { check } from "../../provider/deployment/check";
import { create } from "../../provider/deployment/create";
import { update } from "../../provider/deployment/update";
import type { Context } from "../../provider/deployment/context";
import type { ProbeResult, LogQuery, Observed, Service } from "../../provider/deployment/service";
import type { Clock } from "../../provider/time/clock";
import { waitingText, type Limits } from "../../provider/time/limits";
import { Run } from "../../provider/deployment/run";
import { waitForRollout, type Waited } from "../../provider/deployment/wait";
import type { Rollout } from "../../provider/deployment/private-state";
import type { Declared, Planned, State } from "../../provider/deployment/state";
import { stateOf } from "./state";
import type { Values } from "../../schema/tree";
import { standard } from "../../provider/dialects/standard";
import { VirtualClock } from "./clock";
import { limitsOf } from "./limits";
import { observedAs } from "./observed";
import { serveInVirtualTime } from "./transport";

/** The result of each call: a response or an error. The last one repeats. */
export type Script<T> = readonly (T | Error)[];

export interface Scripts {
  readonly create?: Script<Observed>;
  readonly update?: Script<Observed>;
  readonly upload?: Script<string>;
  readonly delete?: Script<void>;
  readonly read?: Script<Observed | undefined>;
  readonly poll?: Script<Observed | undefined>;
  readonly find?: Script<Observed | undefined>;
  readonly probe?: Script<ProbeResult>;
  /** True unless a test says otherwise. */
  readonly seesTenant?: Script<boolean>;
}

/** A call without a script throws. */
export class FakeService implements Service {
  /** Every call with its arguments, in order. */
  readonly calls: [method: string, ...args: unknown[]][] = [];
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly scripts: Scripts,
    private readonly clock: VirtualClock,
  ) {}

  afterDeadline = () => this;
  create = (deployment: unknown) => this.#play("create", this.scripts.create, deployment);
  update = (id: string, patch: unknown) => this.#play("update", this.scripts.update, id, patch);
  upload = (id: string) => this.#play("upload", this.scripts.upload, id);
  delete = (id: string) => this.#play("delete", this.scripts.delete, id);
  read = (id: string) => this.#play("read", this.scripts.read, id);

  async poll(id: string): Promise<Observed | undefined> {
    await this.clock.sleep(2_000);
    return this.#play("poll", this.scripts.poll, id);
  }

  async find(name: string) {
    const deployment = await this.#play("find", this.scripts.find, name);
    return { deployment, serverTime: this.clock.now() };
  }

  seesTenant = (tenantId: string | null) =>
    this.#play("seesTenant", this.scripts.seesTenant ?? [true], tenantId);
  probe = (address: string) => this.#play("probe", this.scripts.probe, address);
  logAddress = ({ id, revisionId, type }: LogQuery) =>
    `https://api.example.com/v2/deployments/${id}/revisions/${revisionId}/logs?type=${type}`;
  logTail = () => Promise.resolve("");
  logSoFar = () => Promise.resolve("");

  count(method: string): number {
    return this.calls.filter(([called]) => called === method).length;
  }

  get methods(): string[] {
    return this.calls.map(([method]) => method);
  }

  #play<T>(method: string, script: Script<T> | undefined, ...args: unknown[]): Promise<T> {
    this.calls.push([method, ...args]);
    const count = this.#counts.get(method) ?? 0;
    this.#counts.set(method, count + 1);
    if (script === undefined)
      return Promise.reject(new Error(`nobody expected ${method}(${args.join(", ")})`));
    const step = script[Math.min(count, script.length - 1)];
    return step instanceof Error ? Promise.reject(step) : Promise.resolve(step as T);
  }
}

/** The context of an operation. `said` collects what it reports. */
export function contextOf(
  clock: Clock,
  serviceFor: (limits: Limits) => Service,
  more: Partial<Context> = {},
) {
  const said: string[] = [];
  const log = {
    info: (message: string) => void said.push(`info: ${claimant.name}: ${message}`),
    warning: (message: string) => void said.push(`warning: ${claimant.name}: ${message}`),
    progress: (message: string) => void said.push(`progress: ${message}`),
    isWatched: false,
  };
  const { limits } = limitsOf(clock, {
    tell: (waitsFor, time) => log.progress(waitingText(waitsFor, time)),
    ...more,
  });
  const context: Context = {
    ...{ dialect: standard, address, run: new Run(), claimant, clock, log },
    ...limits,
    service: serviceFor(limits),
    ...more,
  };
  return { context, said };
}

export function setUp(scripts: Scripts, more: Partial<Context> = {}) {
  const clock = new VirtualClock();
  const service = new FakeService(scripts, clock);
  return { clock, service, ...contextOf(clock, () => service, more) };
}

/** Operations over HTTP in virtual time, on a service that answers by a function. */
export function operateInVirtualTime(
  reply: Parameters<typeof serveInVirtualTime>[0],
  more: Partial<Context> = {},
) {
  const setup = serveInVirtualTime(reply);
  const { clock, client } = setup;
  const began = clock.now();
  const elapsed = () => clock.now() - began;
  return {
    ...setup,
    ...contextOf(clock, (limits) => client.within(limits), { tenantId: "t1", ...more }),
    elapsed,
  };
}

/** Deployment d1 as the service answers it over HTTP. */
export const wire = (more: object = {}) => ({
  ...{ id: "d1", name: "chat", source: "external_container", status: "READY", tenant_id: "t1" },
  source_config: { resource_spec: { cpu: 1 } },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [{ name: "API_KEY", value: "s3cr3t-value" }],
  ...{ created_at: "2030-01-01T00:00:01Z", latest_revision_id: "r1", active_revision_id: "r1" },
  ...more,
});

/** A creation of these arguments on a service that answers by the scripts. */
export function creating(scripts: Scripts, declared: Declared, more: Partial<Context> = {}) {
  const setup = setUp(scripts, more);
  return { ...setup, work: setup.clock.run(create(setup.context, declared)) };
}

/** An update of deployment d1 on a service that answers by the scripts, and that has what the state says. */
export function updating(scripts: Scripts, declared: Declared, state: State, more: Partial<Context> = {}) {
  const { arguments: args, observed } = state;
  const setup = setUp({ read: [observedAs(args, observed as Partial<Observed>)], ...scripts }, more);
  return { ...setup, work: setup.clock.run(update(setup.context, "d1", state, declared)) };
}

export function declare(more: Values = {}, old?: Declared): Declared {
  const values = {
    name: "chat",
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    secrets: { API_KEY: "s3cr3t-value" },
    ...more,
  };
  const { inputs, failures } = check(old, values, standard);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return inputs as Declared;
}

/** The deployment as the service has it: of the first revision, rolled out, unless a test says otherwise. */
export const served = (declared: Planned, more: Partial<Observed> = {}) =>
  observedAs(declared.arguments, more);

/** The state that an earlier run left behind. */
export const stateAfter = (declared: Declared, more: Partial<Observed> = {}, rollout?: Rollout): State =>
  stateOf(declared, served(declared, more), { dialect: standard }, { madeWith, rollout });

export const address = "https://deployments.example.com";
export const claimant = { resource: "chat", address, name: "chat" };
const madeWith = { address, dialect: "standard" };

export function failed(
  kind: ErrorKind,
  more: { isAmbiguous?: boolean; message?: string; advice?: string } = {},
): ControlPlaneError {
  const { message = `POST /v2/deployments answered ${kind}`, isAmbiguous = false, advice } = more;
  return new ControlPlaneError(message, { kind, request: "POST /v2/deployments", isAmbiguous, advice });
}

/** What a promise is rejected with. */
export async function rejectionOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Error) return error;
  throw new Error("expected a failure");
}

/** Waits for a rollout, and throws why it stopped. */
export async function untilActive(...given: Parameters<typeof waitForRollout>): Promise<Waited> {
  const waited = await waitForRollout(...given);
  if (waited.end === "stopped") throw waited.cause;
  return waited;
}
