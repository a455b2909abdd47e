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

const projects = ["faults", "e2e", "docs", "model", "contract", "unit-long", "unit-isolated", "unit"];

/** What takes more than a minute. */
const longest = [
  "faults/engine",
  "faults/process",
  "e2e/many",
  "e2e/examples",
  "e2e/identity",
  "docs/story",
  "model/long-lived",
];

function placeOf({ moduleId, project }: TestSpecification): number {
  const isLong = longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return projects.indexOf(project.name) * 2 + (isLong ? 0 : 1);
}
