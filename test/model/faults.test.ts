/** Each operation with each fault of a response, which lasts as long as the command. What its errors advise leads out. */
import { expect, it, vi } from "vitest";
import type { How } from "../../emulator";
import type { Clock } from "../../provider/time/clock";
import { isLong } from "../support/runs";
import { bringToAnEnd } from "./support/end";
import { packagedProviders } from "./support/engine/packaged";
import { dynamicProviders } from "./support/engine/process";
import { secretText, type Spec } from "./support/program";
import { take, type Edit, type Step } from "./support/script";
import { useStage } from "./support/stage";
import { calm, World } from "./support/world";

vi.mock("../../provider/time/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

const stage = useStage();

const container: Spec = { source: "external_container", edition: 0, version: 0, secrets: { ALPHA: 0 } };
const up = (...edits: readonly Edit[]): Step & { do: "up" } => ({ do: "up", edits, chances: calm });
const creation = up({ at: 0, spec: container });
const killed: Step = { ...creation, chances: { ...calm, kill: { request: 1, isDone: true } } };
const change = (patch: Partial<Spec>) => up({ at: 0, patch });

interface Operation {
  readonly title: string;
  readonly before?: Step;
  readonly step: Step & { do: "up" | "refresh" };
  /** The request that the fault hits. */
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Whether the provider finds out that its request was done. */
  readonly isFoundOut?: true;
}

const operations: readonly Operation[] = [
  { title: "creating", step: creation, method: "POST", isFoundOut: true },
  { title: "looking for what to adopt", before: killed, step: change({ adopt: true }), method: "GET" },
  {
    title: "adopting",
    before: killed,
    step: change({ adopt: true, version: 1 }),
    method: "PATCH",
    isFoundOut: true,
  },
  ...(
    [
      { title: "updating settings", step: change({ cpu: 1 }), method: "PATCH" },
      { title: "making a revision", step: change({ version: 1 }), method: "PATCH", isFoundOut: true },
      { title: "reading before an update", step: change({ version: 1 }), method: "GET" },
      { title: "refreshing", step: { do: "refresh", chances: calm }, method: "GET" },
      { title: "deleting", step: up({ at: 0, spec: null }), method: "DELETE" },
      { title: "deleting before a replacement", step: change({ tier: "dev" }), method: "DELETE" },
      {
        title: "creating a replacement after the deletion",
        step: change({ tier: "dev" }),
        method: "POST",
        isFoundOut: true,
      },
      {
        title: "creating a replacement first",
        step: change({ edition: 1 }),
        method: "POST",
        isFoundOut: true,
      },
      { title: "deleting what was replaced", step: change({ edition: 1 }), method: "DELETE" },
    ] as const
  ).map((operation) => ({ before: creation, ...operation })),
];

interface Fault {
  /** Completes "when …". */
  readonly title: string;
  readonly how: How;
  /** `unheard`: the work is done, and the response does not say so. */
  readonly ends: "well" | "badly" | "unheard";
  readonly says?: RegExp;
}

/** Repeats the secret that was sent, and contains what colours a terminal and rings its bell. */
const detail = `it is not like this: ${secretText("ALPHA", 0)} \u001b[31m\u0007really`;
const answers = (status: number): Fault => ({
  title: `the service answers ${status}`,
  how: { status, body: { detail } },
  ends: "badly",
  says: new RegExp(`answered ${status} .*it is not like this: \\[secret\\]|slow down \\(${status}\\)`),
});
const lost = /lost the connection to |ends too early/;
const silent = /got no response within 0\.25s/;
const strange = /answered in a shape that is not the service's|was not deleted within/;

const faults: readonly Fault[] = [
  {
    title: "the connection is lost before the work",
    how: { reset: "before" },
    ends: "badly",
    says: lost,
  },
  { title: "the connection is lost after the work", how: { reset: "after" }, ends: "unheard", says: lost },
  { title: "no response comes and nothing is done", how: { hang: true }, ends: "badly", says: silent },
  {
    title: "no response comes although it is done",
    how: { hang: true, work: true },
    ends: "unheard",
    says: silent,
  },
  { title: "the response ends in the middle", how: { truncate: true }, ends: "unheard", says: lost },
  ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map(answers),
  {
    ...answers(500),
    title: "it is done and answered 500",
    how: { status: 500, body: { detail }, after: true },
    ends: "unheard",
  },
  { title: "a gateway answers 502", how: { html: true }, ends: "badly", says: /answered 502 Bad Gateway/ },
  { title: "a success has another shape", how: { wrongShape: true }, ends: "badly", says: strange },
  { title: "a success has no body", how: { emptyBody: true }, ends: "badly", says: strange },
  {
    title: "the response points elsewhere",
    how: { redirect: "http://127.0.0.1:9/elsewhere" },
    ends: "badly",
    says: /answered 302, a redirect to /,
  },
  {
    title: "a gateway answers in an unknown encoding",
    how: { compressed: "zstd" },
    ends: "unheard",
    says: /in an encoding that cannot be read: zstd/,
  },
  { title: "the response has unknown fields", how: { extraFields: true }, ends: "well" },
  { title: "the service's clock is a day ahead", how: { dateAheadMs: 86_400_000 }, ends: "well" },
];

/** Undefined if it depends on what the retries find. */
function endOf({ method, isFoundOut }: Operation, { ends }: Fault): "well" | "badly" | undefined {
  if (ends !== "unheard") return ends;
  if (method === "GET") return "badly";
  return isFoundOut ? "well" : undefined;
}

/** A plain run tries each fault with every sixth operation, in turn, and one of the providers. */
const cases = faults.flatMap((fault, row) =>
  operations.flatMap((operation, column) =>
    [dynamicProviders, packagedProviders]
      .filter((_, turn) => isLong || (row + column) % 12 === turn * 6)
      .map((providers) => ({ operation, fault, providers })),
  ),
);

it.each(cases)(
  "$operation.title, when $fault.title, breaks no law, and the advice of its error leads out (B07, C08, C11, H03)",
  async ({ operation, fault, providers }) => {
    const { places, engineSide } = stage();
    const world = new World(places, engineSide, "clear", true, providers);
    if (operation.before) await take(world, operation.before);
    const chances = { ...calm, fault: { method: operation.method, how: fault.how } };
    const { outcomes } = (await take(world, { ...operation.step, chances }))!;
    const errors = outcomes.flatMap(({ error }) => error?.message ?? []);
    const end = endOf(operation, fault);
    if (end === "well") expect(errors).toEqual([]);
    if (end === "badly") expect(errors).toEqual([expect.stringMatching(fault.says!)]);
    await bringToAnEnd(world);
  },
);
