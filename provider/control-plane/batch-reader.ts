/**
 * Reads that come at the same time share their requests.
 *
 * The engine asks for a few deployments at a time, so by ids alone N reads cost N / parallelism requests. Where more
 * is asked for after a first batch, plain pages are read ahead, as long as all of it stays within twice the cost
 * of ids alone. What was read ahead is used for seconds, and never after a write. That a deployment was deleted is
 * said only by a request for its id. A page that cannot be read is not needed: there are the ids.
 */
import type { Clock } from "../clock";
import type { Observed } from "../deployment/service";
import { together, within, type Limits } from "../limits";
import { withoutResponse } from "./transport-error";
import { isKind } from "../errors";
import { pageSize, type Entries } from "./pagination";
import { ReadResults, sameId } from "./read-results";

/** The engine hands its reads over one by one; a batch ends when none came for this long, in milliseconds. */
const quiet = 30;
/** The same for a while after a batch of many: the engine has as many in hand, and is busy with the results. */
const quietAfterMany = 150;
const many = pageSize / 4;
const aWhile = 2_000;
const longestWait = 1_000;
/** A timer that comes so much too late, in milliseconds, says that the machine is busy: who reads may only be late too. */
const late = 10;
/** How long what was read ahead is good for, in milliseconds: about as long as the engine takes to refresh a thousand. */
const freshness = 20_000;

export interface Pages {
  byIds(ids: readonly string[], limits: Limits): Promise<ReadResults>;
  /** Tried once. */
  page(offset: number, limits: Limits): Promise<Entries>;
}

interface Waiting {
  readonly id: string;
  readonly limits: Limits;
  readonly resolve: (found: Promise<Observed | undefined>) => void;
}

/** A stretch of reading short enough that what was read ahead in it can be used. */
class Round {
  readonly ahead = new ReadResults();
  nextOffset: number | undefined = 0;
  /** Requests that were made, and those that ids alone would have cost; full batches, as cheap as pages, aside. */
  cost = 0;
  costByIds = 0;

  constructor(readonly began: number) {}

  /** A request for the ids may still be needed, so one place is kept for it. */
  mayReadAhead(): boolean {
    const isFirst = this.costByIds < 2;
    return !isFirst && this.nextOffset !== undefined && this.cost + 2 <= 2 * this.costByIds;
  }
}

export class BatchReader {
  readonly #listing: Pages;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #batchBegan = 0;
  #hadManyAt = -Infinity;
  #timer: AbortController | undefined;
  /** Whether the next batch is to be asked for once the one before it is answered. */
  #isDue = false;
  #queue: Promise<void> = Promise.resolve();
  #round: Round | undefined;

  constructor(listing: Pages, clock: Clock) {
    this.#listing = listing;
    this.#clock = clock;
  }

  async read(id: string, limits: Limits): Promise<Observed | undefined> {
    const ahead = this.#usableRound()?.ahead.get(id);
    if (ahead !== undefined) return ahead;
    const read = await within(this.#clock, limits, this.#readTogether(id, limits));
    if ("end" in read) throw withoutResponse("GET of the deployment", read.end, limits);
    return read.value;
  }

  #readTogether(id: string, limits: Limits): Promise<Observed | undefined> {
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) this.#batchBegan = this.#clock.now();
      this.#waiting.push({ id, limits, resolve });
      if (this.#waiting.length >= pageSize) this.#flush();
      else void this.#flushWhenQuiet();
    });
  }

  /** A write happened: nothing that was read ahead may be used any more. */
  forget(): void {
    this.#round = undefined;
  }

  async #flushWhenQuiet(): Promise<void> {
    this.#timer?.abort();
    const timer = (this.#timer = new AbortController());
    const now = this.#clock.now();
    const ends = now - this.#hadManyAt < aWhile ? quietAfterMany : quiet;
    const wait = Math.max(0, Math.min(ends, this.#batchBegan + longestWait - now));
    await this.#clock.sleep(wait, timer.signal);
    if (timer.signal.aborted) return;
    const isLate = wait > 0 && this.#clock.now() - now > wait + late;
    if (isLate) return this.#flushWhenQuiet();
    this.#flush();
  }

  /** One batch after the other: each can use what the one before it read ahead, and takes along who came meanwhile. */
  #flush(): void {
    this.#timer?.abort();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#queue = this.#queue.then(() => this.#answerDue());
  }

  async #answerDue(): Promise<void> {
    this.#isDue = false;
    const batch = this.#waiting.splice(0, pageSize);
    if (batch.length >= many) this.#hadManyAt = this.#clock.now();
    if (this.#waiting.length > 0) this.#flush();
    // Who came while the one before was asked for may have been taken along already.
    if (batch.length > 0) await this.#resolve(batch);
  }

  async #resolve(batch: readonly Waiting[]): Promise<void> {
    const ids = new Map(batch.map(({ id }) => [sameId(id), id]));
    const reading = this.#find([...ids.values()], together(batch.map(({ limits }) => limits)));
    for (const { id, resolve } of batch) resolve(reading.then((found) => found.get(id)));
    await reading.catch(() => undefined);
  }

  async #find(ids: readonly string[], limits: Limits): Promise<Pick<ReadResults, "get">> {
    const round = this.#currentRound();
    const counts = ids.length < pageSize ? 1 : 0;
    round.costByIds += counts;
    const isMissing = (id: string) => !round.ahead.has(id);
    while (counts > 0 && ids.some(isMissing) && round.mayReadAhead()) await this.#readAhead(round, limits);

    const missing = ids.filter(isMissing);
    const found = new ReadResults(ids.flatMap((id) => round.ahead.get(id) ?? []));
    if (missing.length === 0) return found;
    round.cost += counts;
    const byIds = await this.#listing.byIds(missing, limits);
    return { get: (id) => found.get(id) ?? byIds.get(id) };
  }

  #currentRound(): Round {
    return this.#usableRound() ?? (this.#round = new Round(this.#clock.now()));
  }

  #usableRound(): Round | undefined {
    const round = this.#round;
    return round !== undefined && this.#clock.now() - round.began <= freshness ? round : undefined;
  }

  async #readAhead(round: Round, limits: Limits): Promise<void> {
    round.cost++;
    const page = await this.#listing.page(round.nextOffset ?? 0, limits).catch((error: unknown) => {
      // Whoever does not want to wait any longer does not want to be asked for by ids either.
      if (isKind(error, "interrupted", "out-of-time")) throw error;
      return undefined;
    });
    round.nextOffset = page && page.ids.length === pageSize ? page.offset : undefined;
    // A write since then ended the round: the page may show what was before it.
    if (this.#round !== round) round.nextOffset = undefined;
    else for (const deployment of page?.deployments ?? []) round.ahead.set(deployment.id, deployment);
  }
}
