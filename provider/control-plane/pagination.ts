/** Pagination of the deployment list: turns filters into queries, and reads their pages. */
import { wireName } from "../../schema/fields";
import type { Values } from "../../schema/tree";
import { DeploymentError } from "../errors";
import type { Observed } from "../deployment/service";

/** The maximum number of entries in one response. */
export const pageSize = 100;

export type QueryParameters = Readonly<Record<string, string>>;
export interface Entries {
  readonly deployments: readonly Observed[];
  /** Ids of all entries, malformed ones included. */
  readonly ids: readonly unknown[];
  readonly offset: number;
}
type ReadPage = (query: QueryParameters, offset: number) => Promise<Entries>;

/** The queries for the filters: one, or several if a list of ids is longer than a page. */
export function queriesFor(filters: Values): QueryParameters[] {
  let queries: QueryParameters[] = [{}];
  for (const [name, value] of Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined || value === "") continue;
    const texts = Array.isArray(value)
      ? batchesOf([...new Set(value)]).map((ids) => ids.join(","))
      : [String(value)];
    queries = queries.flatMap((query) => texts.map((text) => ({ ...query, [wireName(name)]: text })));
  }
  return queries;
}

/** Every page of every query, fetched when it is read. Each deployment comes once, even if others come and go. */
export async function* pagesOf(readPage: ReadPage, filters: Values): AsyncGenerator<Observed[], void> {
  const seen = new Set<string>();
  for (const query of queriesFor(filters)) {
    for await (const deployments of pagesOfQuery(readPage, query)) {
      yield deployments.filter(({ id }) => id === "" || (!seen.has(sameId(id)) && seen.add(sameId(id))));
    }
  }
}

/** How far to go back if entries are missing between two pages. */
const step = pageSize / 2;
/** Reading fails if the list changes more often than this, plus once per page. */
const mostSteps = 20;

/** Each page overlaps the one before by one entry. If deletions have moved entries, goes back to a page that does. */
async function* pagesOfQuery(
  readPage: ReadPage,
  query: QueryParameters,
): AsyncGenerator<readonly Observed[], void> {
  const most = query["deployment_ids"]?.split(",").length ?? Infinity;
  const known = new Set<unknown>();
  let [pages, steps, inARow] = [0, 0, 0];
  for (let next: Next | undefined = { offset: 0, overlaps: false }; next !== undefined;) {
    const { offset, overlaps }: Next = next;
    const response: Entries = await readPage(query, offset);
    const ids = response.ids.map((id) => (typeof id === "string" ? sameId(id) : id));
    if (overlaps && offset > 0 && !(ids.length > 0 && known.has(ids[0]))) {
      if (++steps > mostSteps + pages) throw new DeploymentError(restless);
      next = { offset: Math.max(0, offset - step * 2 ** inARow++), overlaps };
      continue;
    }
    const isSame = inARow === 0 && ids.length >= pageSize && ids.every((id) => known.has(id));
    if (isSame) throw new DeploymentError(samePage);
    [pages, inARow] = [pages + 1, 0];
    for (const id of ids) known.add(id);
    yield response.deployments;
    next = known.size < most ? nextOf(response, offset) : undefined;
  }
}

const restless =
  "the list of deployments kept changing while it was read, so some may be missing: run the command again";

const samePage =
  "the service answered the same page of the list again, so the list cannot be read to its end: it may ignore `offset`";

interface Next {
  readonly offset: number;
  /** Whether the page must begin with a known entry. */
  readonly overlaps: boolean;
}

/** The next page; undefined after the first page that is not full. */
function nextOf({ ids, offset }: Entries, asked: number): Next | undefined {
  if (ids.length < pageSize) return undefined;
  // An offset that does not count entries is opaque, and sent back unchanged. One that does not grow says nothing.
  const counted = asked + ids.length;
  const isOpaque = offset > asked && offset !== counted;
  return isOpaque ? { offset, overlaps: false } : { offset: counted - 1, overlaps: true };
}

/** Splits a list into parts of one request each. */
export function batchesOf<T>(asked: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(asked.length / pageSize) }, (_, index) =>
    asked.slice(index * pageSize, (index + 1) * pageSize),
  );
}

/** Normalizes an id for comparison. */
export function sameId(id: string): string {
  return id.toLowerCase();
}
