/** A service that restarts while operations run. Time is virtual. */
import { describe, expect, it } from "vitest";
import { RunClaims } from "../../../provider/deployment/claims";
import { remove } from "../../../provider/deployment/delete";
import { create } from "../../../provider/deployment/create";
import { read } from "../../../provider/deployment/read";
import { update } from "../../../provider/deployment/update";
import { lookUp } from "../../../provider/deployment/lookup";
import type { Context } from "../../../provider/deployment/context";
import { standard } from "../../../provider/dialects/standard";
import { limitsOf } from "../../support/limits";
import { address, claimant, declare, rejectionOf, stateAfter } from "../../support/service";
import { serveInVirtualTime, type Reply } from "../../support/transport";

const image = (tag: number) => `registry.example.com/chat:${tag}`;
const declared = declare();
const nextRevision = declare({ sourceRevisionConfig: { imageUri: image(2) } }, declared);
const nextSettings = declare({ sourceConfig: { buildOnPush: true } }, declared);
const wire = (revision: number, imageUri: string) => ({
  ...{ id: "d1", name: "chat", source: "external_container", status: "READY", tenant_id: "t1" },
  ...{ source_config: { resource_spec: { cpu: 1 } }, source_revision_config: { image_uri: imageUri } },
  secrets: [{ name: "API_KEY", value: "s3cr3t-value" }],
  ...{ created_at: "2030-01-01T00:00:01Z", updated_at: "2030-01-01T00:00:01Z" },
  ...{ latest_revision_id: `r${revision}`, active_revision_id: `r${revision}` },
});

/** A service that is away for so many milliseconds. Before it goes away it does one more write, and nobody hears of that. */
function restarting(outage: Reply, ms: number, { exists = true, doesLastWrite = false } = {}) {
  let [isThere, revision, imageUri, writes] = [exists, 1, image(1), 0];
  const work = (method: string, body: unknown) => {
    writes++;
    isThere = method !== "DELETE";
    const sent = body as { source_revision_config?: { image_uri: string } } | undefined;
    if (method === "PATCH" && sent?.source_revision_config !== undefined) revision++;
    imageUri = sent?.source_revision_config?.image_uri ?? imageUri;
  };
  const setup = serveInVirtualTime(({ method, body }, at) => {
    const isAway = at < ms;
    const isLastWrite = isAway && doesLastWrite && writes === 0 && method !== "GET";
    if (isLastWrite) work(method, body);
    if (isAway) return isLastWrite ? { status: 200, isLost: true } : outage;
    if (method === "GET")
      return { status: 200, body: { resources: isThere ? [wire(revision, imageUri)] : [], offset: 0 } };
    if (method === "POST" && isThere) return { status: 409, body: { detail: "the name is taken" } };
    if (method !== "POST" && !isThere) return { status: 404 };
    work(method, body);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: wire(revision, imageUri) };
  });
  const { limits, said } = limitsOf(setup.clock);
  const log = { info: () => {}, warning: () => {}, progress: () => {} };
  const context: Context = {
    ...limits,
    ...{
      address,
      tenantId: "t1",
      dialect: standard,
      run: new RunClaims(),
      claimant,
      clock: setup.clock,
      log,
      logLines: 20,
    },
    service: setup.client.within(limits),
  };
  return { ...setup, context, said, done: () => ({ writes, revision, isThere }) };
}

type Service = ReturnType<typeof restarting>;

interface Operation {
  readonly run: (service: Service) => Promise<unknown>;
  readonly exists?: false;
  readonly done: { readonly writes: number; readonly revision: number; readonly isThere: boolean };
}

const state = () => stateAfter(declared);
const operations: Readonly<Record<string, Operation>> = {
  create: {
    run: ({ context }) => create(context, declared),
    exists: false,
    done: { writes: 1, revision: 1, isThere: true },
  },
  "an update that makes a revision": {
    run: ({ context }) => update(context, "d1", state(), nextRevision),
    done: { writes: 1, revision: 2, isThere: true },
  },
  "an update of settings": {
    run: ({ context }) => update(context, "d1", state(), nextSettings),
    done: { writes: 1, revision: 1, isThere: true },
  },
  delete: {
    run: ({ context }) => remove(context, "d1", state()),
    done: { writes: 1, revision: 1, isThere: false },
  },
  refresh: {
    run: ({ context }) => read(context, "d1", state()),
    done: { writes: 0, revision: 1, isThere: true },
  },
  "a look-up": {
    run: ({ client }) => lookUp(client, { name: "chat" }),
    done: { writes: 0, revision: 1, isThere: true },
  },
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

describe("a service that is away for a while", () => {
  it.each(cases)("and $away does not fail $name within a minute", async ({ name, operation, outage }) => {
    const service = restarting(outage, 60_000, operation);
    await service.clock.run(operation.run(service));
    expect(service.done()).toEqual(operation.done);
    // A look-up belongs to no operation, and says it to whoever made the connection.
    if (name !== "a look-up") expect(service.said.join("\n")).toMatch(/: next try in \d+s, of at most 1m/);
  });

  it.each(cases.filter(({ operation }) => operation.done.writes > 0))(
    "and $away after it did the last write does not repeat $name if that would do it twice",
    async ({ name, operation, outage }) => {
      const service = restarting(outage, 30_000, { ...operation, doesLastWrite: true });
      await service.clock.run(operation.run(service));
      const repeats = name === "an update of settings" ? 1 : 0;
      expect(service.done()).toEqual({ ...operation.done, writes: operation.done.writes + repeats });
    },
  );

  it.each(cases)("and $away fails $name after some minutes, and says why", async ({ operation, outage }) => {
    const service = restarting(outage, Infinity, operation);
    const began = service.clock.now();
    const error = await rejectionOf(service.clock.run(operation.run(service)));
    expect(error.message).toMatch(/\b50[234]\b|could not reach|lost the connection/);
    expect(service.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(service.clock.now() - began).toBeLessThan(300_000);
    expect(service.done().writes).toBe(0);
  });
});
