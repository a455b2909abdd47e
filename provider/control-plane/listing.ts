/** A list that may be longer than one answer: its filters as queries, its pages one after the other. */
import { wireName } from "../../schema/fields";
import type { DeploymentFilters } from "../../schema/filters";
import type { Observed } from "../deployment/service";
import { sameId } from "./found";

/** The most that one answer holds. */
export const pageSize = 100;

type Query = Readonly<Record<string, string>>;
interface Answer {
  readonly deployments: Observed[];
  readonly offset: number;
  readonly length: number;
}
type Page = (query: Query, offset: number) => Promise<Answer>;

/** The queries that answer the filters together: one, or more where a list of ids is longer than a page. */
export function queriesFor(filters: DeploymentFilters): Query[] {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== "");
  return given.sort(byName).reduce<Query[]>(
    (queries, [name, value]) => {
      const texts = Array.isArray(value)
        ? chunksOf([...new Set(value)]).map((ids) => ids.join(","))
        : [String(value)];
      return queries.flatMap((query) => texts.map((text) => ({ ...query, [wireName(name)]: text })));
    },
    [{}],
  );
}

/** Every page of every query, each asked for when it is wanted; no deployment twice, although the list may move. */
export async function* pagesOf(page: Page, filters: DeploymentFilters): AsyncGenerator<Observed[], void> {
  const seen = new Set<string>();
  for (const query of queriesFor(filters)) {
    const most = query["deployment_ids"]?.split(",").length ?? Infinity;
    let received = 0;
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const answer: Answer = await page(query, offset);
      yield answer.deployments.filter(({ id }) => !seen.has(sameId(id)) && seen.add(sameId(id)));
      received += answer.length;
      offset = received < most ? nextOffset(answer, offset) : undefined;
    }
  }
}

/** Where the next page begins; undefined after the last one, which is the first that is not full. */
export function nextOffset(
  { length, offset }: { readonly length: number; readonly offset: number },
  asked: number,
): number | undefined {
  return length < pageSize || offset <= asked ? undefined : offset;
}

/** What is asked for, in as many parts as it needs requests. */
export function chunksOf<T>(asked: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(asked.length / pageSize) }, (_, index) =>
    asked.slice(index * pageSize, (index + 1) * pageSize),
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
