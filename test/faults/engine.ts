/**
 * Many cases in few runs of the real CLI: one \`up\` makes all that is there before, one runs every operation with
 * its fault, one repairs, and a preview has to find nothing left to do.
 */
import {
  startEmulator,
  type DeploymentRecord,
  type Emulator,
  type FaultHandle,
  type LoggedRequest,
} from "../../emulator";
import { createStack, stateAtTheEnd, type Stack, type StateResource } from "../engine";
import { programOfBoth } from "../e2e/plugin-support";
import { bodyOf, connectionOf, declarationOf, hitBy, namesOf, targetOf, type Phase } from "./fault-case";
import { proxyFor, type Proxy } from "./proxy";
import { authority } from "../support/tls";
import { faults } from "./faults";
import { lawOf } from "./laws";
import type { FaultCase } from "./table";

/** The deployments, state and errors of a case at one time. */
export interface Moment {
  readonly deployments: readonly DeploymentRecord[];
  readonly resource: StateResource | undefined;
  /** Errors that the run printed for the resource. */
  readonly errors: readonly string[];
}

export interface Evidence {
  readonly faulty: Moment;
  readonly repaired: Moment;
  /** Whether a preview after the repair shows a change. */
  readonly isRestless: boolean;
  /** Requests of the cases that must send none. */
  readonly requests: readonly string[];
}

export interface Run {
  of(faultCase: FaultCase): Evidence;
  /** The output of all runs. */
  readonly output: string;
  /** The states as stored on disk. */
  readonly stateTexts: readonly string[];
}

const code = `
const { proxies, cases } = require("./cases.json");
const providers = {};
const providerFor = (adapter, connection) => {
  const key = adapter + connection;
  const { Provider } = adapter === "packaged" ? packaged : dynamic;
  return (providers[key] ??= new Provider(connection, {
    baseUrl: proxies[connection],
    ...(connection === "refused" && { requestTimeout: "1s" }),
  }));
};
for (const { adapter, name, args, connection, ...options } of cases) {
  const { Deployment } = adapter === "packaged" ? packaged : dynamic;
  const provider = connection && { provider: providerFor(adapter, connection) };
  new Deployment(name, args, { ...options, ...provider });
}`;

export async function runOnEngine(cases: readonly FaultCase[]): Promise<Run> {
  const table = new EngineTable(cases);
  try {
    await table.start();
    return await table.run();
  } finally {
    await table.end();
  }
}

/** Long enough for a busy machine. */
const timeoutMs = 600_000;

class EngineTable {
  service!: Emulator;
  stack!: Stack;
  readonly #proxies = new Map<string, Proxy>();
  readonly #planned: FaultHandle[] = [];
  readonly #stateTexts: string[] = [];
  #output = "";
  #isFaulty = false;

  constructor(private readonly cases: readonly FaultCase[]) {}

  async start(): Promise<void> {
    this.service = await startEmulator({
      rollout: ({ name }) => (this.#isFaulty ? this.#target(name)?.fault.condition?.rollout : undefined),
      onRequest: (request) => this.#accepted(request),
    });
    for (const fault of faults) {
      const proxy = await proxyFor(fault, this.service.url);
      if (proxy !== undefined) this.#proxies.set(fault.connection!, proxy);
    }
    this.stack = await createStack({
      program: programOfBoth(code),
      parallel: 1000,
      keeps: "everything",
      env: {
        DEPLOYMENT_SERVICE_URL: this.service.url,
        DEPLOYMENT_SERVICE_API_KEY: this.service.apiKey,
        DEPLOYMENT_SERVICE_POLL_INTERVAL: "20ms",
        DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "4s",
        DEPLOYMENT_SERVICE_MAX_CONCURRENCY: "100",
        PULUMI_CONTINUE_ON_ERROR: "true",
        NODE_EXTRA_CA_CERTS: authority,
        ...stateAtTheEnd,
      },
    });
  }

  async run(): Promise<Run> {
    const { stack, service } = this;
    this.#declare("before");
    await this.#pulumi("up");
    for (const faultCase of this.cases)
      if (faultCase.operation.before === "service") service.create(bodyOf(faultCase));

    await this.#break();
    this.#declare("previewed");
    service.clearRequests();
    await this.#pulumi("preview");
    const requests = service.requestLines();
    this.#declare("changed");
    const isRefreshed = ({ operation }: FaultCase) => operation.key === "refresh";
    const isBad = this.cases.some(
      (each) => isRefreshed(each) && lawOf(each.operation, each.fault).ends === "badly",
    );
    const read = await this.#refresh(isRefreshed, isBad);
    const done = await this.#pulumi("up", { isBad: true });
    const faulty = this.#moments(read + done);
    this.#stateTexts.push(stack.stateText());

    await this.#repair();
    this.#declare("repaired");
    await this.#refresh(
      (faultCase) => lawOf(faultCase.operation, faultCase.fault).repair === "refresh",
      false,
    );
    const repaired = this.#moments(await this.#pulumi("up"));
    this.#stateTexts.push(stack.stateText());
    const { json } = await stack.preview({ json: true, timeoutMs });
    const restless = new Set(json?.steps?.filter(({ op }) => op !== "same").map(({ urn }) => nameIn(urn)));
    return {
      output: this.#output,
      stateTexts: this.#stateTexts,
      of: (faultCase) => ({
        faulty: faulty.get(faultCase)!,
        repaired: repaired.get(faultCase)!,
        isRestless: restless.has(faultCase.name),
        requests,
      }),
    };
  }

  async end(): Promise<void> {
    await this.stack?.dispose();
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
    await this.service?.close();
  }

  #declare(phase: Phase): void {
    const own = new Set(this.cases.map(connectionOf).filter((name) => name !== undefined));
    const proxies = Object.fromEntries(
      [...own].map((name) => [name, this.#proxies.get(name)?.url ?? this.service.url]),
    );
    const cases = this.cases.flatMap((faultCase) => declarationOf(faultCase, phase) ?? []);
    this.stack.write({ "cases.json": JSON.stringify({ proxies, cases }) });
  }

  async #pulumi(command: string, { isBad = false, args = [] as string[] } = {}): Promise<string> {
    const unattended = command === "preview" ? [] : ["--yes", "--skip-preview"];
    const { output } = await this.stack.run([command, ...unattended, ...args], {
      expectFailure: isBad,
      timeoutMs,
    });
    this.#output += output;
    return output;
  }

  async #refresh(wanted: (faultCase: FaultCase) => boolean, isBad: boolean): Promise<string> {
    const urns = this.stack.state().resources.map(({ urn }) => urn);
    const names = new Set(this.cases.filter(wanted).map(({ name }) => name));
    const targets = urns.filter((urn) => names.has(nameIn(urn))).flatMap((urn) => ["--target", urn]);
    return targets.length === 0 ? "" : this.#pulumi("refresh", { isBad, args: targets });
  }

  async #break(): Promise<void> {
    for (const faultCase of this.cases) {
      const { how, condition } = faultCase.fault;
      const when = hitBy(faultCase, this.service);
      if (how !== undefined) this.#planned.push(this.service.fail({ when, times: "always", how: how() }));
      if (this.service.deployment(faultCase.name) !== undefined)
        condition?.before?.(this.service, faultCase.name);
    }
    for (const proxy of this.#proxies.values()) await proxy.break();
    this.#isFaulty = true;
  }

  async #repair(): Promise<void> {
    this.#isFaulty = false;
    for (const fault of this.#planned.splice(0)) fault.cancel();
    for (const proxy of this.#proxies.values()) await proxy.repair();
    for (const faultCase of this.cases) {
      const name = targetOf(faultCase);
      if (this.service.deployment(name) !== undefined) faultCase.fault.condition?.over?.(this.service, name);
    }
  }

  #target(name: string): FaultCase | undefined {
    return this.cases.find((faultCase) => targetOf(faultCase) === name);
  }

  /** Called when the service has accepted the operation's write. */
  #accepted({ method, path, body, status }: LoggedRequest): void {
    if (!this.#isFaulty || (status !== 200 && status !== 201)) return;
    const name =
      method === "POST"
        ? String((body as { name?: unknown }).name)
        : method === "PATCH"
          ? this.service.deployment(path.slice(path.lastIndexOf("/") + 1))?.name
          : undefined;
    if (name !== undefined) this.#target(name)?.fault.condition?.accepted?.(this.service, name);
  }

  #moments(output: string): Map<FaultCase, Moment> {
    // Deployments that are being deleted do not count.
    const deployments = this.service.deployments().filter(({ deletion }) => deletion === undefined);
    const { resources } = this.stack.state();
    const errors = errorsIn(output);
    return new Map(
      this.cases.map((faultCase) => {
        const names = namesOf(faultCase);
        const moment: Moment = {
          deployments: deployments.filter(({ name }) => names.includes(name)),
          resource: resources.find(({ urn, delete: isOld }) => nameIn(urn) === faultCase.name && !isOld),
          errors: names.flatMap((name) => errors.get(name) ?? []),
        };
        return [faultCase, moment];
      }),
    );
  }
}

/** The errors of resources, by the deployment's name that they begin with. */
function errorsIn(output: string): Map<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const [, name, text] of output.matchAll(/^\s*(?:error: |\* )([\w-]+)(?: \([\w-]+\))?: (.*)$/gm)) {
    errors.set(name!, [...(errors.get(name!) ?? []), `${name}: ${text}`]);
  }
  return errors;
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
