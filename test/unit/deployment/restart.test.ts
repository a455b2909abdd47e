/** A service that restarts while operations run. Time is virtual. */
import { expect, it } from "vitest";
import { create } from "../../../provider/deployment/create";
import { remove } from "../../../provider/deployment/delete";
import { findDeployment } from "../../../provider/lookup/lookup";
import { read } from "../../../provider/deployment/read";
import { update } from "../../../provider/deployment/update";
import { declare, operateInVirtualTime, stateAfter, wire } from "../../support/service";
import type { Reply } from "../../support/transport";

const image = (tag: number) => `registry.example.com/chat:${tag}`;
const declared = declare();
const nextRevision = declare({ sourceRevisionConfig: { imageUri: image(2) } }, declared);
const nextSettings = declare({ sourceConfig: { buildOnPush: true } }, declared);

/** A service that is away for so many milliseconds. `doesLastWrite`: it first does one more write, and loses the response. */
function restarting(outage: Reply, ms: number, { exists = true, doesLastWrite = false } = {}) {
  let [isThere, revision, imageUri, writes] = [exists, 1, image(1), 0];
  const work = (method: string, body: unknown) => {
    writes++;
    isThere = method !== "DELETE";
    const sent = body as { source_revision_config?: { image_uri: string } } | undefined;
    if (method === "PATCH" && sent?.source_revision_config !== undefined) revision++;
    imageUri = sent?.source_revision_config?.image_uri ?? imageUri;
  };
  const shown = () => {
    const ids = { latest_revision_id: `r${revision}`, active_revision_id: `r${revision}` };
    return wire({ ...ids, source_revision_config: { image_uri: imageUri } });
  };
  const setup = operateInVirtualTime(({ method, body }, at) => {
    const isBefore = doesLastWrite && writes === 0 && method === "GET";
    if (at < ms && !isBefore) {
      const isLastWrite = doesLastWrite && writes === 0 && method !== "GET";
      if (isLastWrite) work(method, body);
      return isLastWrite ? { status: 200, isLost: true } : outage;
    }
    if (method === "GET") return { status: 200, body: { resources: isThere ? [shown()] : [], offset: 0 } };
    if (method === "POST" && isThere) return { status: 409, body: { detail: "the name is taken" } };
    if (method !== "POST" && !isThere) return { status: 404 };
    work(method, body);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: shown() };
  });
  return { ...setup, done: () => ({ writes, revision, isThere }) };
}

type Service = ReturnType<typeof restarting>;

interface Operation {
  readonly run: (service: Service) => Promise<unknown>;
  readonly exists?: false;
  readonly done: ReturnType<Service["done"]>;
}

const state = stateAfter(declared);
const done = (writes: number, revision: number, isThere = true) => ({ writes, revision, isThere });
const operations: Readonly<Record<string, Operation>> = {
  create: { run: ({ context }) => create(context, declared), exists: false, done: done(1, 1) },
  "an update that makes a revision": {
    run: ({ context }) => update(context, "d1", state, nextRevision),
    done: done(1, 2),
  },
  "an update of settings": {
    run: ({ context }) => update(context, "d1", state, nextSettings),
    done: done(1, 1),
  },
  delete: { run: ({ context }) => remove(context, "d1", state), done: done(1, 1, false) },
  refresh: { run: ({ context }) => read(context, "d1", state), done: done(0, 1) },
  "a lookup": { run: ({ client }) => findDeployment(client, { name: "chat" }), done: done(0, 1) },
};
const outages: Readonly<Record<string, Reply>> = {
  "refuses connections": { status: 0, isRefused: true },
  "loses connections": { status: 0, isLost: true },
  "is behind a gateway that answers 502": { status: 502 },
  "is behind a gateway that answers 503": { status: 503 },
  "is behind a gateway that answers 504": { status: 504 },
};
const cases = Object.entries(operations).flatMap(([name, operation]) =>
  Object.entries(outages).map(([away, outage]) => ({ name, operation, away, outage })),
);

it.each(cases)(
  "a minute in which the service $away does not fail $name",
  async ({ name, operation, outage }) => {
    const service = restarting(outage, 60_000, operation);
    await service.clock.run(operation.run(service));
    expect(service.done()).toEqual(operation.done);
    // A lookup belongs to no operation.
    if (name !== "a lookup") expect(service.said.join("\n")).toMatch(/retries in \d+s of 1m: /);
  },
);

it.each(cases.filter(({ operation }) => operation.done.writes > 0))(
  "a service that did the last write and then $away is not sent $name again if that would do it twice",
  async ({ name, operation, outage }) => {
    const service = restarting(outage, 30_000, { ...operation, doesLastWrite: true });
    await service.clock.run(operation.run(service));
    const repeats = name === "an update of settings" ? 1 : 0;
    expect(service.done()).toEqual({ ...operation.done, writes: operation.done.writes + repeats });
  },
);
