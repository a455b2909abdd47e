/** Random failures of requests. */
import type { Emulator, How, LoggedRequest } from "../../../emulator";
import { chanceOf } from "./chance";

export const cutBefore: How = { reset: "before" };
export const cutAfter: How = { reset: "after" };
/** A response takes a moment, so that requests are under way side by side. */
const usual: How = { slowMs: 1 };

export interface Failures {
  readonly seed: number;
  /** The share of requests that something goes wrong with. */
  readonly rate: number;
  /** Called for each request before the service does its work; may say what becomes of it. */
  readonly before?: () => typeof cutBefore | typeof cutAfter | undefined;
}

/** Lets requests fail during one step; the result ends it. */
export function injectFailures(emulator: Emulator, { seed, rate, before }: Failures): () => void {
  const echo = { body: "" };
  const kinds = kindsWith(echo);
  const decided = new WeakMap<LoggedRequest, How>();
  const seen = new Map<string, number>();

  const decide = (request: LoggedRequest): How => {
    const given = before?.();
    if (given !== undefined) return given;
    const event = eventOf(emulator, request);
    const times = (seen.get(event) ?? 0) + 1;
    seen.set(event, times);
    const chance = chanceOf(seed, `${event} ${times}`);
    if (chance.next() >= rate) return usual;
    echo.body = JSON.stringify(request.body ?? "");
    return chance.of(kinds);
  };

  const choose = (request: LoggedRequest): How => {
    const choice = decided.get(request) ?? decide(request);
    decided.set(request, choice);
    return choice;
  };

  const planned = [usual, ...kinds, cutBefore, cutAfter].map((how) => {
    const isChosen = (query: LoggedRequest["query"]) => {
      // The log holds the very object that the predicate is asked with.
      const request = emulator.requests().findLast((each) => each.query === query);
      return request !== undefined && choose(request) === how;
    };
    return emulator.fail({ when: { query: isChosen }, how, times: "always" });
  });
  return () => planned.forEach((fault) => fault.cancel());
}

/** @param echo what a careless service or proxy repeats of the request */
function kindsWith(echo: { readonly body: string }): readonly How[] {
  return [
    { reset: "before" },
    { reset: "after" },
    { hang: true },
    { hang: true, work: true },
    { status: 429 },
    { status: 429, retryAfter: "1" },
    {
      status: 500,
      get body() {
        return { detail: `cannot handle ${echo.body}` };
      },
    },
    { status: 500, after: true },
    { status: 503 },
    { status: 503, retryAfter: "2" },
    { html: true },
    { html: true, after: true },
    { truncate: true },
    { emptyBody: true },
    { emptyBody: true, after: true },
    { wrongShape: true },
    { wrongShape: true, after: true },
    { slowMs: 10 },
  ];
}

/** Describes a request independently of ids and of other requests. */
function eventOf(emulator: Emulator, { method, path, query, body }: LoggedRequest): string {
  const nameOf = (id: string) => emulator.deployment(id)?.name ?? "?";
  const named = () => nameOf(path.split("/").at(-1)!);
  const about: Record<string, () => string | undefined> = {
    POST: () => (body as { name?: string } | undefined)?.name,
    GET: () =>
      query["name_contains"] ?? query["deployment_ids"]?.split(",").map(nameOf).sort().join() ?? "page",
  };
  return `${method} ${(about[method] ?? named)()}`;
}
