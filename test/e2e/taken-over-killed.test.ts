/** What a killed run declared of a deployment that it had taken over is unfinished work, as of one that it created. */
import { describe, expect, it } from "vitest";
import { langsmith, standard } from "../../emulator";
import { isLong } from "../support/runs";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const names = ["dynamic", "packaged"];
const image = "registry.example.com/chat:1";

const cases = [
  {
    dialect: "standard",
    rules: standard,
    declared: { sourceRevisionConfig: { imageUri: image, graphConfigPath: "graph.json" } },
  },
  {
    dialect: "langsmith",
    rules: langsmith,
    declared: { sourceConfig: { resourceSpec: { minScale: 1, maxScale: 1, cpu: 2 } } },
  },
];

describe.each(isLong ? cases : cases.slice(0, 1))(
  "an adopted deployment, dialect $dialect",
  ({ dialect, rules, declared }) => {
    const base = {
      source: "external_container",
      sourceConfig: { resourceSpec: { minScale: 1, maxScale: 1 } },
      sourceRevisionConfig: { imageUri: image },
      adopt: true,
    };
    const declare = (more: object) =>
      programOfBoth(
        [
          `const args = ${JSON.stringify({ ...base, ...more })};`,
          `new dynamic.Deployment("dynamic", args);`,
          `new packaged.Deployment("packaged", args);`,
        ].join("\n"),
      );
    const product = useProduct({
      program: declare({}),
      emulator: { rules },
      env: { DEPLOYMENT_SERVICE_DIALECT: dialect },
    });

    it("whose killed update made a revision that fails is not green before one of its own is active", async () => {
      const { emulator, stack } = product;
      for (const name of names) {
        emulator.create({
          ...{ name, source: rules === standard ? "external_container" : "external_docker" },
          ...{ source_config: { resource_spec: { min_scale: 1, max_scale: 1 } }, secrets: [] },
          source_revision_config: { image_uri: image },
        });
      }
      await product.up();
      stack.write(declare(declared));
      emulator.configure({ rollout: "never" });
      emulator.clearRequests();
      const running = stack.spawn(["up", "--yes", "--skip-preview"]);
      await expect
        .poll(() => emulator.requests().filter(({ method }) => method === "PATCH").length, {
          timeout: 60_000,
        })
        .toBe(names.length);
      await running.kill("SIGKILL");
      await stack.cancel();
      for (const name of names) emulator.finish(name, { fails: "DEPLOY_FAILED" });
      emulator.configure({ rollout: { polls: 1 } });
      await product.refresh();
      const { writes } = await product.up();
      expect(writes.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
      for (const name of names) {
        const { latest_revision_id: latest, active_revision_id: active } = emulator.deployment(name)!;
        expect(latest).toBe(active);
      }
      expect((await product.preview()).screen).toContain("3 unchanged");
    });
  },
);
