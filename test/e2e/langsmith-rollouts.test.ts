/** Rollouts at the public service, which reports the status of each revision. */
import { describe, expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { screenOf } from "./screen";
import { declaring, useProduct } from "./support";

describe("a build", () => {
  const product = useProduct({
    program: declaring({}),
    emulator: { rules: langsmith },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });
  const declare = (refs: Record<string, string>) =>
    product.stack.write(
      declaring({
        // There is nothing to run yet: someone pushes an image later.
        pushed: { source: "internal_container", sourceConfig: { deploymentType: "dev" } },
        ...Object.fromEntries(
          Object.entries(refs).map(([name, repoRef]) => [
            name,
            {
              source: "codehost",
              sourceConfig: {
                integrationId: "11111111-1111-4111-8111-111111111111",
                repoUrl: "https://github.com/acme/chat",
              },
              sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
            },
          ]),
        ),
      }),
    );
  const outputsOf = (name: string) => product.stack.resource(name).outputs ?? {};
  const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

  it("that fails ends the run at once, with the reason and where to read more; what was made stays in the state (A06, H13)", async () => {
    declare({ broken: "main", quick: "main", odd: "main" });
    product.emulator.configure({
      rollout: {
        byName: {
          broken: { polls: 2, fails: "BUILD_FAILED", reason: "no version of fastapi fits" },
          pushed: "never",
        },
      },
    });
    const { output, writes } = await product.up({ expectFailure: true });
    expect(writes.map(({ method }) => method)).toEqual(["POST", "POST", "POST", "POST"]);
    expect(oneLine(output)).toContain(
      "pushed: there is nothing to run yet, so this does not wait for a rollout",
    );
    const { id, tenant_id, revisions } = product.emulator.deployment("broken")!;
    expect(oneLine(output)).toContain(
      `broken: create failed: no version of fastapi fits: revision ${revisions[0]!.id} failed (BUILD_FAILED); the deployment ` +
        "exists, no revision is active. The last lines of its build log:",
    );
    // Without terminal colours.
    expect(output).toMatch(
      /The last lines of its build log:\n(.*\n)*? +#8 2\.673 ERROR: No matching distribution found for fastapi.*\n(.*\n)*? +Fix the cause/,
    );
    expect(oneLine(output)).toContain(
      "To see why, run `npx pulumi-deployment-service logs broken` or open the deployment's page: " +
        `${product.emulator.url}/o/${tenant_id}/host/deployments/${id} Its log is also at ` +
        `${product.emulator.url}/v2/deployments/${id}/revisions/${revisions[0]!.id}/logs?type=build (with the API key)`,
    );
    expect(product.stack.resource("broken").id).toBe(id);
    expect(outputsOf("broken")).toMatchObject({ status: "READY", latestRevisionStatus: "BUILD_FAILED" });
  });

  it("is repaired by a change of what was wrong; one that is skipped or interrupted is no failure (A06, J02, J04)", async () => {
    const { emulator, stack } = product;
    emulator.configure({
      logs: { build: ["#1 begin", `\u001b[32m#8\u001b[0m with ${emulator.apiKey}`, ""] },
      rollout: {
        byName: {
          broken: { revision: ["BUILDING"] },
          quick: { revision: ["QUEUED", "SKIPPED"] },
          odd: { revision: ["BUILDING", "INTERRUPTED", "UNKNOWN", "RESTARTING", "DEPLOYED"] },
        },
      },
    });
    declare({ broken: "repaired", quick: "next", odd: "next" });
    emulator.clearRequests();
    const running = stack.spawn(["up", "--yes", "--skip-preview"]);
    await running.waitFor(/building \S+ of 30m: #8 with /);
    emulator.finish("broken");
    const { output, exitCode } = await running.result;
    expect(exitCode).toBe(0);
    expect(output).not.toContain(emulator.apiKey);
    const screen = screenOf(output, emulator.url);
    const writes = emulator.requests().filter(({ method }) => method !== "GET");
    expect(writes.map(({ body }) => body)).toEqual(
      expect.arrayContaining(
        ["repaired", "next", "next"].map((repo_ref) => ({ source_revision_config: { repo_ref } })),
      ),
    );
    expect(writes).toHaveLength(3);
    expect(oneLine(screen)).toContain(
      "warning: quick: revision <id> ended as SKIPPED, and no newer one has replaced it: revision <id> stays active.",
    );
    const warned = screen.split("\n").filter((line) => line.includes("warning"));
    expect(warned.filter((line) => !line.includes("warning: quick: "))).toEqual([]);
    const statuses = ["broken", "quick", "odd"].map((name) => outputsOf(name)["latestRevisionStatus"]);
    expect(statuses).toEqual(["DEPLOYED", "SKIPPED", "DEPLOYED"]);
    const { requests } = await product.preview({ args: ["--expect-no-changes"] });
    expect(requests).toEqual([]);
  });
});
