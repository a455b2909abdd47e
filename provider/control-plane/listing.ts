/** A list that may be longer than one answer: its filters as queries, its pages one after the other. */
import { wireName } from "../../schema/fields";
import type { DeploymentFilters } from "../../schema/filters";
import type { Observed } from "../deployment/service";
import { pageSize } from "./reader";

type Query = Readonly<Record<string, string>>;
type Page = (query: Query, offset: number) => Promise<{ deployments: Observed[]; offset: number }>;

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
      const answer: Awaited<ReturnType<Page>> = await page(query, offset);
      yield answer.deployments.filter(({ id }) => !seen.has(id) && seen.add(id));
      received += answer.deployments.length;
      offset = received < most ? nextOffset(answer, offset) : undefined;
    }
  }
}

/** Where the next page begins; undefined after the last one, which is the first that is not full. */
export function nextOffset(
  { deployments, offset }: { deployments: readonly unknown[]; offset: number },
  asked: number,
): number | undefined {
  return deployments.length < pageSize || offset <= asked ? undefined : offset;
}

/** Ids in as many parts as they need requests. */
export function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, index) =>
    ids.slice(index * pageSize, (index + 1) * pageSize),
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
