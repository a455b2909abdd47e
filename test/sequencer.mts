import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Which files begin first. Those of a project follow each other, because a worker shares what they have loaded only with the
 * next in the queue; what takes long begins early, and the short files of the units fill the end.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

/** A minute and more each, most of which they wait: the others compute meanwhile. */
const waiting = ["faults/engine", "faults/process", "examples/readmes", "examples/workflows"];
/** What takes more than half a minute. */
const long = ["e2e/many", "docs/story", "contract/new-project"];
const projects = ["e2e", "faults", "docs", "model", "contract", "unit-long", "unit-isolated", "unit"];

function placeOf({ moduleId, project }: TestSpecification): number {
  const isOf = (names: readonly string[]) => names.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return isOf(waiting) ? -1 : projects.indexOf(project.name) * 2 + (isOf(long) ? 0 : 1);
}
