/** A stack, a service, and a run that stops at every request of every operation. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { expect } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { createStack, type Command, type Stack } from "../engine";
import { programOfBoth } from "../e2e/plugin-support";
import { connectionTo } from "../support/product";
import { isAsExpected } from "../model/support/as-declared";
import { registrationOf, type Spec } from "../model/support/program";
import { opened } from "../support/provider-process";
import { passOn, type Connections } from "../support/tls";
import { cases, stopFor, type FaultCase } from "./cases";

export class World {
  /** Logical names of resources that the program adopts. */
  readonly adopted = new Set<string>();
  /** Whether the program declares what follows. */
  #isChanged = false;

  private constructor(
    readonly emulator: Emulator,
    private readonly open: Connections,
    private readonly server: Server,
    readonly stack: Stack,
  ) {}

  static async start(): Promise<World> {
    const emulator = await startEmulator({ rollout: { polls: 0 } });
    const open: Connections = new Set();
    const server = createServer((socket) => passOn(socket, emulator.url, open));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const env = {
      ...connectionTo(emulator),
      DEPLOYMENT_SERVICE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      // All operations stop at the same time, without a limit.
      DEPLOYMENT_SERVICE_MAX_CONCURRENCY: "64",
      DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "10m",
    };
    const program = declaring([]);
    const stack = await createStack({ program, env, parallel: 64, keeps: "everything" });
    const world = new World(emulator, open, server, stack);
    world.declare();
    await world.stack.up();
    return world;
  }

  async end(): Promise<void> {
    await this.stack.dispose();
    this.cut();
    this.server.close();
    await this.emulator.close();
  }

  /** Closes all connections to the service, also those that wait for a response. */
  cut(): void {
    for (const socket of this.open) socket.destroy();
  }

  declare(): void {
    const declared = this.declared().map(([{ adapter, name, slot }, spec]): Declaration => {
      return [
        adapter,
        name,
        opened(registrationOf(slot, { ...spec, adopt: this.adopted.has(name) }).declared.args),
      ];
    });
    this.stack.write(declaring(declared));
  }

  /** What the program declares. */
  declared(): (readonly [faultCase: FaultCase, spec: Spec])[] {
    return cases.flatMap((faultCase) => {
      const spec = this.#isChanged ? faultCase.to : faultCase.from;
      return spec === undefined ? [] : [[faultCase, spec] as const];
    });
  }

  /** Starts a run, and resolves when each of its operations has stopped at its request. */
  async standStill(): Promise<Command> {
    const { emulator, stack } = this;
    const waits = cases.filter(({ moment }) => moment === "during");
    const idOf = (name: string) => stack.resource(name).id ?? "";
    const targets = new Map(
      waits.map((faultCase) => [
        faultCase,
        faultCase.request === "deletion" ? idOf(faultCase.name) : undefined,
      ]),
    );
    emulator.clearRequests();
    emulator.configure({
      rollout: ({ name }) =>
        waits.some(({ request, names }) => request === "rollout" && names.to === name) ? "never" : undefined,
      deletion: ({ name }) =>
        waits.some(({ request, names }) => request === "deletion" && names.from === name)
          ? "never"
          : undefined,
    });
    const stopped = cases.flatMap((faultCase) => {
      const stop = stopFor(faultCase, idOf);
      return stop === undefined ? [] : [emulator.fail(stop).firstHit];
    });
    this.#isChanged = true;
    this.declare();
    const command = stack.spawn(["up", "--yes", "--skip-preview"]);
    const ended = command.result.then(({ output }) => {
      throw new Error(`The run ended before it stood still:\n${output}`);
    });
    ended.catch(() => {});
    const still = async () => {
      await Promise.all(stopped);
      const isPolled = (faultCase: FaultCase) => {
        const id = targets.get(faultCase) ?? emulator.deployment(faultCase.names.to)?.id ?? "?";
        return emulator.requests().some(({ query }) => query["deployment_ids"]?.includes(id));
      };
      await expect
        .poll(() => waits.filter((faultCase) => !isPolled(faultCase)), { timeout: 60_000 })
        .toEqual([]);
      const names = cases.map(({ name }) => name);
      // The engine records operations in the state while they run.
      await expect.poll(() => this.pending(), { timeout: 60_000 }).toEqual(expect.arrayContaining(names));
      // An engine that is killed while it writes leaves half a state, which cannot be read.
      let before: string | undefined;
      await expect
        .poll(() => before === (before = stack.stateText()), { timeout: 60_000, interval: 200 })
        .toBe(true);
    };
    await Promise.race([still(), ended]);
    return command;
  }

  /** Logical names of resources with pending operations. */
  pending(): string[] {
    return this.stack.state().pendingOperations.map(({ resource }) => resource.urn.split("::").at(-1)!);
  }

  /** Rollouts and deletions that would never end now end after two polls. */
  letGo(): void {
    const { emulator } = this;
    const polls = 2;
    emulator.configure({ rollout: { polls: 0 }, deletion: { polls: 1 } });
    for (const { name } of emulator.deployments()) {
      emulator.change(name, (record) => {
        const latest = record.revisions.at(-1);
        if (record.deletion?.script === "never")
          record.deletion.script = { polls: record.deletion.polls + polls };
        else if (latest?.rollout === "never") latest.rollout = { polls: latest.polls + polls };
      });
    }
  }

  /** Differences between the service, the state and the program. */
  disagreements(): string[] {
    const { emulator, stack } = this;
    const declared = this.declared();
    const known = stack.state().resources.filter(({ type }) => type.endsWith(":Deployment"));
    const lost = emulator.deployments().filter(({ id }) => !known.some((resource) => resource.id === id));
    return [
      ...lost.map(({ name }) => `${name}: on the service, not in the state`),
      ...(known.length === declared.length ? [] : [`the state has ${known.length} of ${declared.length}`]),
      ...declared.flatMap(([{ name, slot }, spec]) => {
        const record = emulator.deployment(stack.resource(name).id ?? "");
        if (record === undefined) return [`${name}: gone`];
        const isRolledOut =
          record.status === "READY" && record.active_revision_id === record.latest_revision_id;
        const isDone = isRolledOut && isAsExpected(record, slot, spec, true, false);
        return isDone ? [] : [`${name}: ${JSON.stringify({ spec, record })}`];
      }),
    ];
  }
}

type Declaration = readonly [adapter: FaultCase["adapter"], name: string, args: object];

function declaring(deployments: readonly Declaration[]): Record<string, string> {
  const lines = deployments.map(
    ([adapter, name, args]) => `new ${adapter}.Deployment(${JSON.stringify(name)}, ${JSON.stringify(args)});`,
  );
  return programOfBoth(lines.join("\n"));
}
