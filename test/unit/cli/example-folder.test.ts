/** The example of a folder is what `init --from` writes, with the agent in the project's folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryOf } from "../../../cli/init/git-repository";
import { workflowsFor, type CiService } from "../../../cli/init/workflows";
import { agentIn, Workplace } from "./init-support";

const read = (file: string) => readFileSync(join("examples/11-folder", file), "utf8");

it("the example with a folder has the program that `init --from` writes", async () => {
  const place = new Workplace(agentIn("agent", "MODEL_API_KEY=1\n"));
  await place.init("infra --from agent --stacks dev,prod");
  expect(read("index.ts")).toBe(place.read("infra/index.ts").replace('"../agent"', '"./agent"'));
});

it.each<CiService>(["github", "gitlab"])(
  "the example with a folder has the workflows that `init --from` writes for %s",
  (service) => {
    const folder = "/nowhere";
    const request = { ci: service, folder, stacks: ["dev", "prod"], manifests: [] };
    const repository = repositoryOf(folder, `${folder}/agent`);
    const files = workflowsFor(
      { ...request, repository, keyVariable: "LANGSMITH_API_KEY" },
      { cwd: folder, stderr: process.stderr },
    );
    for (const [file, text] of Object.entries(files)) expect(read(file), file).toBe(text);
  },
);
