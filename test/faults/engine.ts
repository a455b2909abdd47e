/**
 * Many cells in few runs of the real CLI: one \`up\` makes all that is there before, one runs every operation with
 * its fault, one repairs, and a preview has to find nothing left to do.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  startEmulator,
  type DeploymentRecord,
  type Emulator,
  type FaultHandle,
  type LoggedRequest,
} from "../../emulator";
import { createStack, type Stack, type StateResource } from "../engine";
import { programOfBoth } from "../e2e/plugin-support";
import { bodyOf, connectionOf, declarationOf, hitBy, namesOf, targetOf, type Phase } from "./fault-case";
import { certifiedFront, refusingFront, type Front } from "./proxy";
import { lawOf } from "./laws";
import type { Cell } from "./table";

/** What there is of a cell at one time. */
export interface Moment {
  readonly deployments: readonly DeploymentRecord[];
  readonly resource: StateResource | undefined;
  /** What the run printed about errors of the resource. */
  readonly errors: readonly string[];
}

export interface Evidence {
  readonly faulty: Moment;
  readonly repaired: Moment;
  /** Whether a preview after the repair wants to do anything. */
  readonly isRestless: boolean;
  /** The requests of the cells that send none. */
  readonly requests: readonly string[];
}

export interface Run {
  of(cell: Cell): Evidence;
  /** All that any run printed. */
  readonly output: string;
  /** The last state, as it lies on disk. */
  readonly stateTexts: readonly string[];
}

const code = `
const { fronts, cells } = require("./cells.json");
const providers = {};
const providerFor = (adapter, connection) => {
  const key = adapter + connection;
  const { Provider } = adapter === "packaged" ? packaged : dynamic;
  return (providers[key] ??= new Provider(connection, { baseUrl: fronts[connection] }));
};
for (const { adapter, name, args, connection, ...options } of cells) {
  const { Deployment } = adapter === "packaged" ? packaged : dynamic;
  const provider = connection && { provider: providerFor(adapter, connection) };
  new Deployment(name, args, { ...options, ...provider });
}`;

export async function runOnEngine(cells: readonly Cell[]): Promise<Run> {
  const table = new EngineTable(cells);
  try {
    await table.start();
    return await table.run();
  } finally {
    await table.end();
  }
}

/** For a machine that has much else to do. */
const timeoutMs = 600_000;

class EngineTable {
  service!: Emulator;
  stack!: Stack;
  readonly #fronts = new Map<string, Front>();
  readonly #planned: FaultHandle[] = [];
  readonly #stateTexts: string[] = [];
  #output = "";
  #isFaulty = false;

  constructor(private readonly cells: readonly Cell[]) {}

  async start(): Promise<void> {
    this.service = await startEmulator({
      rollout: ({ name }) => (this.#isFaulty ? this.#target(name)?.fault.condition?.rollout : undefined),
      onRequest: (request) => this.#accepted(request),
    });
    this.#fronts.set("refused", await refusingFront(this.service.url));
    this.#fronts.set("certificate", await certifiedFront(this.service.url));
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
        // Written once at the end of a run, and not after each of hundreds of steps.
        PULUMI_EXPERIMENTAL: "true",
        PULUMI_SKIP_CHECKPOINTS: "true",
      },
    });
    writeFileSync(join(this.stack.folder, "trusted.pem"), this.#fronts.get("certificate")!.trusted!);
  }

  async run(): Promise<Run> {
    const { stack, service } = this;
    this.#declare("before");
    await this.#pulumi("up");
    for (const cell of this.cells) if (cell.operation.before === "service") service.create(bodyOf(cell));

    await this.#break();
    this.#declare("previewed");
    service.clearRequests();
    await this.#pulumi("preview");
    const requests = service.requestLines();
    this.#declare("changed");
    const read = await this.#refresh(({ operation }) => operation.key === "refresh", true);
    const done = await this.#pulumi("up", { isBad: true });
    const faulty = this.#moments(read + done);
    this.#stateTexts.push(stack.stateText());

    await this.#repair();
    this.#declare("repaired");
    await this.#refresh((cell) => lawOf(cell.operation, cell.fault).repair === "refresh", false);
    const repaired = this.#moments(await this.#pulumi("up"));
    this.#stateTexts.push(stack.stateText());
    const { json } = await stack.preview({ json: true, env: this.#trust(), timeoutMs });
    const restless = new Set(json?.steps?.filter(({ op }) => op !== "same").map(({ urn }) => nameIn(urn)));
    return {
      output: this.#output,
      stateTexts: this.#stateTexts,
      of: (cell) => ({
        faulty: faulty.get(cell)!,
        repaired: repaired.get(cell)!,
        isRestless: restless.has(cell.name),
        requests,
      }),
    };
  }

  async end(): Promise<void> {
    await this.stack?.dispose();
    await Promise.all([...this.#fronts.values()].map((front) => front.close()));
    await this.service?.close();
  }

  #declare(phase: Phase): void {
    const own = new Set(this.cells.map(connectionOf).filter((name) => name !== undefined));
    const fronts = Object.fromEntries(
      [...own].map((name) => [name, this.#fronts.get(name)?.url ?? this.service.url]),
    );
    const cells = this.cells.flatMap((cell) => declarationOf(cell, phase) ?? []);
    this.stack.write({ "cells.json": JSON.stringify({ fronts, cells }) });
  }

  #trust(): Record<string, string> {
    return { NODE_EXTRA_CA_CERTS: join(this.stack.folder, "trusted.pem") };
  }

  async #pulumi(command: string, { isBad = false, args = [] as string[] } = {}): Promise<string> {
    const unattended = command === "preview" ? [] : ["--yes", "--skip-preview"];
    const { output } = await this.stack.run([command, ...unattended, ...args], {
      env: this.#trust(),
      expectFailure: isBad,
      timeoutMs,
    });
    this.#output += output;
    return output;
  }

  async #refresh(wanted: (cell: Cell) => boolean, isBad: boolean): Promise<string> {
    const urns = this.stack.state().resources.map(({ urn }) => urn);
    const names = new Set(this.cells.filter(wanted).map(({ name }) => name));
    const targets = urns.filter((urn) => names.has(nameIn(urn))).flatMap((urn) => ["--target", urn]);
    return targets.length === 0 ? "" : this.#pulumi("refresh", { isBad, args: targets });
  }

  async #break(): Promise<void> {
    for (const cell of this.cells) {
      const { how, condition } = cell.fault;
      const when = hitBy(cell, this.service);
      if (how !== undefined) this.#planned.push(this.service.fail({ when, times: "always", how: how() }));
      if (this.service.deployment(cell.name) !== undefined) condition?.before?.(this.service, cell.name);
    }
    for (const front of this.#fronts.values()) await front.break();
    this.#isFaulty = true;
  }

  async #repair(): Promise<void> {
    this.#isFaulty = false;
    for (const fault of this.#planned.splice(0)) fault.cancel();
    for (const front of this.#fronts.values()) await front.repair();
    for (const cell of this.cells) {
      const name = targetOf(cell);
      if (this.service.deployment(name) !== undefined) cell.fault.condition?.over?.(this.service, name);
    }
  }

  #target(name: string): Cell | undefined {
    return this.cells.find((cell) => targetOf(cell) === name);
  }

  /** Right when the service has accepted the operation's write. */
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

  #moments(output: string): Map<Cell, Moment> {
    // What is being deleted is no deployment any more.
    const deployments = this.service.deployments().filter(({ deletion }) => deletion === undefined);
    const { resources } = this.stack.state();
    const errors = errorsIn(output);
    return new Map(
      this.cells.map((cell) => {
        const names = namesOf(cell);
        const moment: Moment = {
          deployments: deployments.filter(({ name }) => names.includes(name)),
          resource: resources.find(({ urn, delete: isOld }) => nameIn(urn) === cell.name && !isOld),
          errors: names.flatMap((name) => errors.get(name) ?? []),
        };
        return [cell, moment];
      }),
    );
  }
}

/** The errors of resources that begin with the name of a deployment, by that name. */
function errorsIn(output: string): Map<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const [, name, text] of output.matchAll(/^\s*(?:error: |\* )([\w-]+): (.*)$/gm)) {
    errors.set(name!, [...(errors.get(name!) ?? []), `${name}: ${text}`]);
  }
  return errors;
}

function nameIn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
