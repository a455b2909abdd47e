/** A list that may be longer than one response: its filters as queries, its pages one after the other. */
import { wireName } from "../../schema/fields";
import type { DeploymentFilters } from "../../schema/filters";
import { DeploymentError } from "../errors";
import type { Observed } from "../deployment/service";
import { sameId } from "./read-results";

/** The most that one response holds. */
export const pageSize = 100;

type QueryParameters = Readonly<Record<string, string>>;
export interface Entries {
  readonly deployments: Observed[];
  /** Of all entries, those that nobody understands among them. */
  readonly ids: readonly unknown[];
  readonly offset: number;
}
type ReadPage = (query: QueryParameters, offset: number) => Promise<Entries>;

/** The queries that answer the filters together: one, or more where a list of ids is longer than a page. */
export function queriesFor(filters: DeploymentFilters): QueryParameters[] {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== "");
  return given
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce<QueryParameters[]>(
      (queries, [name, value]) => {
        const texts = Array.isArray(value)
          ? chunksOf([...new Set(value)]).map((ids) => ids.join(","))
          : [String(value)];
        return queries.flatMap((query) => texts.map((text) => ({ ...query, [wireName(name)]: text })));
      },
      [{}],
    );
}

/**
 * Every page of every query, each asked for when it is wanted. No deployment comes twice, and none is lost, although
 * others are made and deleted in the meantime.
 */
export async function* pagesOf(
  readPage: ReadPage,
  filters: DeploymentFilters,
): AsyncGenerator<Observed[], void> {
  const seen = new Set<string>();
  for (const query of queriesFor(filters)) {
    for await (const deployments of pagesOfQuery(readPage, query)) {
      yield deployments.filter(({ id }) => !seen.has(sameId(id)) && seen.add(sameId(id)));
    }
  }
}

/** How far to go back where entries are missing between two pages. */
const step = pageSize / 2;
/** A list that changes more often than this, and once more for each page, has no order to read it in. */
const mostSteps = 20;

/**
 * Each page begins with the last entry of the one before. Where it does not, entries were deleted, which moved the rest
 * forward past the place that was asked for: then an earlier place is asked for, until a page begins with a known entry.
 */
async function* pagesOfQuery(readPage: ReadPage, query: QueryParameters): AsyncGenerator<Observed[], void> {
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
    [pages, inARow] = [pages + 1, 0];
    for (const id of ids) known.add(id);
    yield response.deployments;
    next = known.size < most ? nextOf(response, offset) : undefined;
  }
}

const restless =
  "the list of deployments changed again and again while it was read, so that some may be missing: try again";

interface Next {
  readonly offset: number;
  /** Whether the page is to begin with an entry that is known. */
  readonly overlaps: boolean;
}

/** Where the next page begins; undefined after the last one, which is the first that is not full. */
function nextOf({ ids, offset }: Entries, asked: number): Next | undefined {
  if (ids.length < pageSize || offset <= asked) return undefined;
  // An offset that does not count entries is the service's own affair, and is passed on as it is.
  const counts = offset === asked + ids.length;
  return counts ? { offset: offset - 1, overlaps: true } : { offset, overlaps: false };
}

/** What is asked for, in as many parts as it needs requests. */
export function chunksOf<T>(asked: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(asked.length / pageSize) }, (_, index) =>
    asked.slice(index * pageSize, (index + 1) * pageSize),
  );
}
