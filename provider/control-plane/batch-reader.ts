/**
 * Batches reads: those that arrive together share a request.
 *
 * The engine reads only a few deployments at a time, so requests by id alone would number N / parallelism for N reads. If more are
 * likely to follow, this also reads plain pages ahead, for at most twice what requests by id would cost. What was read ahead is used
 * for seconds only, and never for a deployment that was written since. Only a request for its id shows that one was deleted.
 */
import type { Clock } from "../time/clock";
import type { Observed, ReadOptions } from "../deployment/service";
import { doneReason, within, type Limits } from "../time/limits";
import { endedWhileRetrying, withoutResponse } from "./transport-error";
import { ControlPlaneError, isKind } from "../errors";
import { pageSize, type Page, sameId } from "./pagination";
import { ReadQueue, ReadResults } from "./read-results";

/** A batch ends when no read has arrived for this long; milliseconds. */
const quiet = 60;
/** The pause that ends a batch after a large one: the engine first handles the results, then sends many more reads. */
const quietAfterMany = 150;
const many = pageSize / 4;
/** So many reads in the first batch are probably followed by others. */
const several = 8;
const aWhile = 2_000;
/** How old may pages read ahead be? Milliseconds. The engine refreshes a thousand deployments in about this time. */
const usualAge = 20_000;
/** For an update, which must not undo what others did a moment ago. Updates that begin together still share what they read. */
const ageForWrite = 1_000;

export interface Pages {
  byIds(ids: readonly string[], limits: Limits): Promise<ReadResults>;
  /** Not retried. */
  page(offset: number, limits: Limits): Promise<Pick<Page, "entries" | "offset">>;
}

/** A period in which pages read ahead are still fresh. */
class Round {
  readonly ahead = new ReadResults();
  /** Ids of deployments that were written in this round: a page may show them as they were before. */
  readonly written = new Set<string>();
  nextOffset: number | undefined = 0;
  /** Requests sent, and requests that reading by id alone would have taken. Full batches are as cheap as pages and not counted. */
  cost = 0;
  costByIds = 0;

  constructor(readonly began: number) {}

  /** Reserves one request, since a request by id may still be needed. */
  shouldReadAhead(ids: readonly string[]): boolean {
    const areMoreLikely = this.costByIds > 1 || ids.length >= several;
    const mayHelp = ids.some((id) => !this.ahead.has(id) && !this.written.has(sameId(id)));
    return areMoreLikely && mayHelp && this.nextOffset !== undefined && this.cost + 2 <= 2 * this.costByIds;
  }

  forget(id: string): void {
    this.written.add(sameId(id));
    this.ahead.delete(id);
  }

  add({ entries }: Pick<Page, "entries">): void {
    for (const { deployment, error } of entries)
      if (error === undefined && !this.written.has(sameId(deployment.id)))
        this.ahead.set(deployment.id, deployment);
  }
}

interface BatchedRead extends ReadOptions {
  readonly id: string;
}

export class BatchReader {
  readonly #waiting = new ReadQueue<BatchedRead>();
  #hadManyAt = -Infinity;
  #timer: AbortController | undefined;
  /** Whether the next batch is already queued behind the current one. */
  #isDue = false;
  #queue: Promise<void> = Promise.resolve();
  #round: Round | undefined;

  constructor(
    private readonly listing: Pages,
    private readonly clock: Clock,
  ) {}

  async read(id: string, limits: Limits, options: ReadOptions = {}): Promise<Observed | undefined> {
    const asked = { id, ...options };
    const ahead = this.#roundFor([asked])?.ahead.get(id);
    if (ahead !== undefined) return ahead;
    let last: ControlPlaneError | undefined;
    const tell: Limits["tell"] = (waitsFor, time) => {
      if (waitsFor instanceof ControlPlaneError) last = waitsFor;
      limits.tell(waitsFor, time);
    };
    const read = await within(this.clock, limits, (signal) =>
      this.#readTogether(asked, { ...limits, tell, signal }),
    );
    if ("value" in read) return read.value;
    // Other reads may continue to wait for the same request, so this one ends by itself, with what was last heard of it.
    const ended = withoutResponse("GET of the deployment", read.end, limits);
    throw last === undefined ? ended : endedWhileRetrying(last, ended);
  }

  #readTogether(asked: BatchedRead, limits: Limits): Promise<Observed | undefined> {
    const read = this.#waiting.join(asked, limits);
    if (this.#waiting.size >= pageSize) this.#flush();
    else void this.#flushWhenQuiet();
    return read;
  }

  /** Discards what was read ahead of a deployment, because a write has made it stale. */
  forget(id: string): void {
    this.#round?.forget(id);
  }

  async #flushWhenQuiet(): Promise<void> {
    this.#timer?.abort(doneReason);
    const timer = new AbortController();
    this.#timer = timer;
    const wait = this.clock.now() - this.#hadManyAt < aWhile ? quietAfterMany : quiet;
    const due = this.clock.now() + wait;
    await this.clock.sleep(wait, timer.signal);
    // A late timer means that the machine is busy, and that more reads may be delayed too.
    if (this.clock.now() > due + quiet) await this.clock.sleep(wait, timer.signal);
    if (!timer.signal.aborted) this.#flush();
  }

  /** Sends batches one after the other, so that each can use pages read ahead and includes reads that arrived meanwhile. */
  #flush(): void {
    this.#timer?.abort(doneReason);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#queue = this.#queue.then(() => this.#answerDue());
  }

  async #answerDue(): Promise<void> {
    this.#isDue = false;
    const { size } = this.#waiting;
    if (size >= many) this.#hadManyAt = this.clock.now();
    if (size > pageSize) this.#flush();
    await this.#waiting.answer((asked, limits) => this.#find(asked, limits), pageSize);
  }

  async #find(asked: readonly BatchedRead[], limits: Limits): Promise<Pick<ReadResults, "get">> {
    const ids = asked.map(({ id }) => id);
    const round = this.#roundFor(asked) ?? new Round(this.clock.now());
    this.#round = round;
    const isFull = ids.length >= pageSize;
    if (!isFull) round.costByIds++;
    const isMissing = (id: string) => !round.ahead.has(id);
    while (!isFull && round.shouldReadAhead(ids)) await this.#readAhead(round, limits);

    const missing = ids.filter(isMissing);
    const found = new ReadResults(ids.flatMap((id) => round.ahead.get(id) ?? []));
    if (missing.length === 0) return found;
    if (!isFull) round.cost++;
    const byIds = await this.listing.byIds(missing, limits);
    return { get: (id) => found.get(id) ?? byIds.get(id) };
  }

  /** Undefined if what was read ahead is too old for one of them. */
  #roundFor(asked: readonly BatchedRead[]): Round | undefined {
    const round = this.#round;
    const mostAge = asked.some(({ beforeWrite }) => beforeWrite) ? ageForWrite : usualAge;
    return round !== undefined && this.clock.now() - round.began <= mostAge ? round : undefined;
  }

  async #readAhead(round: Round, limits: Limits): Promise<void> {
    round.cost++;
    const page = await this.listing.page(round.nextOffset ?? 0, limits).catch((error: unknown) => {
      // There is no time left for a request by id either.
      if (isKind(error, "interrupted", "out-of-time")) throw error;
      return undefined;
    });
    round.nextOffset = page && page.entries.length === pageSize ? page.offset : undefined;
    if (page !== undefined) round.add(page);
  }
}
