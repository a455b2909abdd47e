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

/** Half a minute and more each. */
const long = [
  ...["contract/examples/readmes", "contract/examples/workflows", "contract/from-agent"],
  ...["faults/killed", "docs/story", "contract/package"],
];
const projects = ["faults", "contract", "docs", "e2e", "model", "unit-isolated", "unit"];

function placeOf({ moduleId, project }: TestSpecification): number {
  const isLong =
    /\.long\.test\.ts$/.test(moduleId) || long.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return projects.indexOf(project.name) * 2 + (isLong ? 0 : 1);
}
