/** Pagination of the deployment list: turns filters into queries, and reads their pages. */
import { wireName } from "../../schema/fields";
import type { Values } from "../../schema/tree";
import { DeploymentError, type ControlPlaneError } from "../errors";
import type { Observed } from "../deployment/service";

/** The maximum number of entries in one response. */
export const pageSize = 100;

export type QueryParameters = Readonly<Record<string, string>>;

/** An entry of the list. */
export interface Entry {
  /** As far as it can be read; without an id, that is empty. */
  readonly deployment: Observed;
  /** Why the rest cannot be read. */
  readonly error?: ControlPlaneError;
}

export interface Page {
  readonly entries: readonly Entry[];
  readonly offset: number;
  readonly serverTime: number | undefined;
}

type ReadPage = (query: QueryParameters, offset: number) => Promise<Pick<Page, "entries" | "offset">>;

/** The queries for the filters: one, or several if a list of ids is longer than a page. */
function queriesFor(filters: Values): QueryParameters[] {
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
export async function* pagesOf(readPage: ReadPage, filters: Values): AsyncGenerator<Entry[], void> {
  const seen = new Set<string>();
  for (const query of queriesFor(filters)) {
    for await (const entries of pagesOfQuery(readPage, query)) {
      yield entries.filter(
        ({ deployment: { id } }) => id === "" || (!seen.has(sameId(id)) && seen.add(sameId(id))),
      );
    }
  }
}

async function* pagesOfQuery(
  readPage: ReadPage,
  query: QueryParameters,
): AsyncGenerator<readonly Entry[], void> {
  const most = query["deployment_ids"]?.split(",").length ?? Infinity;
  const known = new Set<string>();
  for (let offset = 0; ;) {
    const page = await readPage(query, offset);
    const ids = page.entries.map(({ deployment }) => sameId(deployment.id));
    const isFull = ids.length >= pageSize;
    if (isFull && ids.every((id) => known.has(id))) throw new DeploymentError(samePage);
    for (const id of ids) known.add(id);
    yield page.entries;
    if (!isFull || known.size >= most) return;
    // An offset may be opaque. One that does not grow says nothing.
    offset = page.offset > offset ? page.offset : offset + ids.length;
  }
}

const samePage =
  "the service answered the same page of the list again, so the list cannot be read to its end: it may ignore `offset`";

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
